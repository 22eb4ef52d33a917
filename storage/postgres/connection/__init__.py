"""The connection to PostgreSQL: address, schema, migrations, versions, text encoding and error messages."""
