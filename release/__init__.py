"""Tools for making a release: `make release`, and `python -m release` for its steps."""
