"""From keys to an order: the bar, the dialogs, what letters and digits mean, what an order would meet."""
