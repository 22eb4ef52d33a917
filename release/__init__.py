"""What makes a release: `make release`, and `python -m release` for its steps."""
