"""Jest: two cards offered, one of them face down, and one taken. Three or four players."""

from engines.jest.game import JEST_GAME as JEST

__all__ = ["JEST"]
