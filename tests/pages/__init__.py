"""Pages of HTML, whatever they are filled from."""
