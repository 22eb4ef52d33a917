"""What every kind of storage says alike: to whoever runs the bot, and to players."""


class StorageError(Exception):
    """The database cannot be used; the message says why, and what can be done, in a sentence for the operator."""


NOT_READ = "This could not be looked up just now. Please try again."
NOT_SAVED = "This could not be saved, so nothing has changed. Please try again."
UPDATING = "I am being updated. Nothing has changed, and nothing is lost; please try again in a few minutes."
CLOSING = "Motley is just being stopped, so nothing has changed. Please try again in a few minutes."
