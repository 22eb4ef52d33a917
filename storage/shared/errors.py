"""Errors of every kind of storage, for operators and for players."""


class StorageError(Exception):
    """The database cannot be used; the message tells the operator why and what to do."""


class InvalidLocation(StorageError):
    """The setting that says where the database is makes no sense."""


class DatabaseAway(StorageError):
    """The database server cannot be reached, or accepts no connections, for now: a retry may help."""


NOT_READ = "That could not be looked up right now. Please try again."
NOT_SAVED = "That could not be saved, so nothing has changed. Please try again."
UPDATING = "I am being updated. Nothing has changed and nothing is lost. Please try again in a few minutes."
CLOSING = "Motley is shutting down, so nothing has changed. Please try again in a few minutes."
