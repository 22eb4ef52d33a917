"""The text form of a match, which anyone can replay."""
