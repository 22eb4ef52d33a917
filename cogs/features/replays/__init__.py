"""Finished matches, watched again moment by moment; the whole state of what is shown stands in the custom ids."""
