"""What features add to pages, at named places: pure functions of a snapshot and the feature's own rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from inspect import isfunction
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from cogs.screens.screen import GameScreen
from cogs.table.pages.menu_entries import MenuEntry
from cogs.table.pages.page import Block, Press, Row
from engines.hosting.match import MatchSnapshot
from engines.store.rows import Rows, RowTable
from engines.store.surface_storage import Preferences

T = TypeVar("T")
LATE_LINE = "Some figures for this match are not up to date yet. I will try again automatically."


class Facts(NamedTuple):
    """What a feature may know of a page: the match, the game's screen, its own rows, and its reader (0: everybody)."""

    snapshot: MatchSnapshot
    screen: GameScreen
    rows: Rows
    reader: int = 0


class PersonFacts(NamedTuple):
    """What a feature may know of a person: their settings, and the second until which they rest (0: they do not)."""

    preferences: Preferences
    rest_until: int


@dataclass(frozen=True, slots=True)
class Offer(Generic[T]):
    """Something for a place that has room for one feature. The highest rank gets it, then the first feature."""

    value: T
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """Something that players have to settle before the match goes on, and the buttons that answer it.

    An answered question has no buttons. One with buttons takes the room of the news.
    """

    text: str
    presses: tuple[Press, ...] = ()


class FeaturePages:
    """What a feature adds to pages. It overrides the places that it needs."""

    name: ClassVar[str]
    tables: ClassVar[Sequence[RowTable[Any]]] = ()

    def needs_rows(self, snapshot: MatchSnapshot) -> bool:
        """Whether pages of this match need the feature. A match that does not use it costs no read."""
        return True

    @cached_property
    def filled_places(self) -> frozenset[str]:
        """The methods that the feature overrides. Most places of most features are empty, and cost a page nothing."""
        places = {name: own for name, own in vars(FeaturePages).items() if isfunction(own) and name != "needs_rows"}
        return frozenset(name for name, own in places.items() if getattr(type(self), name) is not own)

    def table_lines(self, facts: Facts) -> Iterable[str]:
        """Return lines for the small print of a running table. A paused one has none."""
        return ()

    def table_press(self, facts: Facts) -> Iterable[Offer[Press]]:
        """Return the button for the middle of a running table, while there is something to press just now.

        It takes the place of *Score sheet*. A button that is always there belongs in `menu_entries`.
        """
        return ()

    def table_question(self, facts: Facts) -> Iterable[Offer[Question]]:
        """Return what a running table asks. Its buttons replace the one in the middle."""
        return ()

    def hand_question(self, facts: Facts) -> Iterable[Offer[Question]]:
        """Return what the reader's running hand asks. It takes the place of the values; rows of hands are not there."""
        return ()

    def ping_question(self, facts: Facts) -> Iterable[Offer[str]]:
        """Return what players are asked, in a ping at the table."""
        return ()

    def result_lines(self, facts: Facts) -> Iterable[str]:
        """Return lines for the small print of a result."""
        return ()

    def result_presses(self, facts: Facts) -> Iterable[Press]:
        """Return buttons for a result, also on the hands of its players: after *Play again*."""
        return ()

    def sheet_texts(self, facts: Facts) -> Iterable[str]:
        """Return texts below the score sheet."""
        return ()

    def hand_line(self, facts: Facts) -> Iterable[Offer[str]]:
        """Return small print for the reader's own hand, from rows that hands show. It takes the place of the values."""
        return ()

    def hand_rows(self, facts: Facts) -> Iterable[Row]:
        """Return rows of controls for the reader's own hand of a running match, from rows that hands show."""
        return ()

    def hand_notes(self, facts: Facts) -> Iterable[str]:
        """Return small print below the heading of the reader's own hand. It is drawn without rows that hands show."""
        return ()

    def hand_result_presses(self, facts: Facts) -> Iterable[Press]:
        """Return buttons for the result on a hand, before the scoring."""
        return ()

    def menu_texts(self, facts: Facts) -> Iterable[str]:
        """Return lines of small print for the reader's menu."""
        return ()

    def menu_entries(self, facts: Facts) -> Iterable[MenuEntry]:
        """Return entries of the reader's menu: only what the reader can use now."""
        return ()

    def lobby_presses(self, facts: Facts) -> Iterable[Press]:
        """Return the button of a lobby after Start. All others belong in the menu."""
        return ()

    def lobby_seat_notes(self, facts: Facts) -> Iterable[tuple[int, str]]:
        """Return what the menu of a lobby says behind players' names: seats, each with a text such as ` · cut 1907`."""
        return ()

    def joined_texts(self, facts: Facts) -> Iterable[str]:
        """Return what to tell the reader, who has just joined the lobby."""
        return ()

    def setting_blocks(self, facts: PersonFacts) -> Iterable[Block]:
        """Return the part of a person's settings about the feature, with controls."""
        return ()

    def server_blocks(self, rows: Rows) -> Iterable[Block]:
        """Return the part of a server's settings about the feature, with controls, from its rows about the server.

        These are the rows of tables whose key begins with `guild`. The controls have `Who.MANAGER`.
        """
        return ()

    def game_presses(self, game: str, rows: Rows) -> Iterable[Press]:
        """Return buttons about a game, from its key, for the list of the games and the first page of its rules.

        `rows` are the feature's rows about the reader. A primary button is what somebody new to the game should press.
        """
        return ()

    def list_lines(self, facts: Facts) -> Iterable[str]:
        """Return lines for the match in the reader's list."""
        return ()

    def list_presses(self, facts: Facts) -> Iterable[Press]:
        """Return buttons for the match in the reader's list, before the others."""
        return ()


@dataclass(frozen=True, slots=True)
class Additions:
    """What all features add to the pages of one match, in order: each with its rows. `reader` is who reads the page.

    It holds private rows of the reader alone, and none for a page that everybody sees (0). `is_late` says that a
    feature has not yet reacted to a change of the match.
    """

    parts: tuple[tuple[FeaturePages, Rows], ...] = ()
    reader: int = 0
    is_late: bool = False

    def at(
        self, place: Callable[[FeaturePages, Facts], Iterable[T]], snapshot: MatchSnapshot, screen: GameScreen
    ) -> tuple[T, ...]:
        """Return what stands at a place, a method of `FeaturePages`."""
        found: list[T] = []
        for pages, rows in self.parts:
            if place.__name__ in pages.filled_places:
                found += getattr(pages, place.__name__)(Facts(snapshot, screen, rows, self.reader))
        return tuple(found)

    def best_at(
        self, place: Callable[[FeaturePages, Facts], Iterable[Offer[T]]], snapshot: MatchSnapshot, screen: GameScreen
    ) -> T | None:
        """Return what stands at a place that has room for one feature; None if nobody offers anything."""
        offers = self.at(place, snapshot, screen)
        return max(offers, key=lambda offer: offer.rank).value if offers else None

    def read_by(self, reader: int) -> Additions:
        """Return the additions to a page of this reader, without private rows."""
        return replace(self, reader=reader)

    @property
    def late_lines(self) -> tuple[str, ...]:
        """A line that says that something is late, or nothing."""
        return (LATE_LINE,) if self.is_late else ()


NO_ADDITIONS = Additions()
NO_QUESTION = Question("")
