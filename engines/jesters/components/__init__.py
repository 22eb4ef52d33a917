"""The components of Jesters: their types, the reader of components.toml, and the catalogue by number."""
