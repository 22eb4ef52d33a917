"""The SQLite file: its connection, neighbouring files, schema, log check after a crash, and errors."""
