"""What is wrong with the installation as a whole, for `/motley check`: something only the people who run it can fix."""

from __future__ import annotations


class OperatorWarnings:
    """One sentence per kind of trouble. Kept in memory only: they are about this process."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def add(self, kind: str, text: str) -> None:
        """Show a sentence, in place of the last one of that kind."""
        self._texts[kind] = text

    def drop(self, kind: str) -> None:
        """Show no sentence of that kind any more."""
        self._texts.pop(kind, None)

    def texts(self) -> list[str]:
        """The sentences, oldest kind first."""
        return list(self._texts.values())
