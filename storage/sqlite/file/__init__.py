"""The SQLite file: the connection, what lies beside the file, its schema, its log after a crash, and its errors."""
