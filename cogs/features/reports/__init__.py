"""Reports on Discord: the button in the menu, the form, and the draft. Nothing hidden is in a report."""
