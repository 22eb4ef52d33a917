"""How much one person may have computed and posted."""
