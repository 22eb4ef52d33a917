"""The connection to PostgreSQL: address, schema and migrations, versions, texts, and errors in words."""
