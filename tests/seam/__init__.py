"""Two pieces of unlike rule systems, each whole and small, played through every layer."""
