"""Finds what a telephone would cut, in everything that is shown of a match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from cogs.screens.cutting import ELLIPSIS
from cogs.screens.screen import Control, GameScreen, Picks, Step, Steps
from cogs.screens.widths import DESCRIPTION, LABEL, OPTION, PLACEHOLDER
from cogs.table import lobby_pages, offers, pages
from cogs.table.names import LONGEST
from cogs.table.page import Block, Menu, Press, Row
from engines.match import Look
from engines.store import Info, Place, Seat, Status
from tests.contract.helper import Helper, Start
from tests.contract.walk import choose

MATCH = "abcd2345"
LONG = tuple(f"{letter}_*Maximiliana* von und zu Hohenfels"[:LONGEST] for letter in "ABCDEF")  # no name is longer
SHORT = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn")


def no_control_is_cut(helper: Helper, start: Start, screen: GameScreen) -> None:
    """Every control of a match is short enough for the longest names; where these are short, nothing is cut at all."""
    for names, share in ((LONG, 1.0), (SHORT, 0.25)):
        for look in _match(helper, start, names, share):
            for blocks in _shown(look, screen):
                problems = [*_problems(blocks, whole=names is SHORT)]
                assert not problems, f"{problems} with the names {names}"


def _match(helper: Helper, start: Start, names: Sequence[str], share: float) -> Iterator[Look]:
    """A random match of those people at the moments of its decisions, or a share of them, and at its end."""
    rng = Random(f"{start.seed} widths")
    state = helper.begin(start)
    while helper.game.decisions(state):
        if rng.random() < share:
            yield _look(helper, start, names, state, Status.RUNNING)
        helper.game.play(state, *choose(helper, state, rng))
    for status in (Status.OVER, Status.PAUSED):
        yield _look(helper, start, names, state, status)
    yield _look(helper, start, names, None, Status.LOBBY)


def _look(helper: Helper, start: Start, names: Sequence[str], state: Any, status: Status) -> Look:
    seats = tuple(Seat(10 + i, names[i]) for i in range(start.seats))
    options = helper.game.settings.dump_json(start.options).decode()
    info = Info(MATCH, helper.game.key, helper.game.version, options, status, 10, Place(1, 2, 3), seats)
    return Look(info, helper.game, start.options, state)


def _shown(look: Look, screen: GameScreen) -> Iterator[Sequence[Block]]:
    """Everything that is shown of a match at one moment."""
    setting = pages.Setting(screen, "The Inn", "https://discord.com/channels/1/2/3")
    common = (pages.table, pages.lobby, pages.status)
    yield from (draw(look, setting).blocks for draw in common)
    yield from (
        pages.leaving(look).blocks,
        pages.sure(look, 999, "x", "Sure?").blocks,
        pages.sheet(look, screen).blocks,
    )
    yield from (draw(look, screen).blocks for draw in (lobby_pages.options, lobby_pages.sure))
    yield from (pages.menu(look, user).blocks for user in (*(seat.user for seat in look.info.seats), 999))
    for seat in range(len(look.info.seats)):
        yield pages.hand(look, seat, setting).blocks
    for seat, decision in look.decisions().items():
        controls = pages._drawn(look, screen, seat)[0].controls
        yield from _beyond(decision.number, controls, controls, ())


def _beyond(
    number: int, top: Sequence[Control], controls: Sequence[Control], trail: tuple[Step, ...]
) -> Iterator[Sequence[Block]]:
    """What stands on a hand after every step, and with the fewest and the most picks."""
    for control in controls:
        match control:
            case Picks():
                for number_of in (control.least, control.most):
                    tokens = [pick.token for pick in control.picks[:number_of]]
                    yield offers.picked(MATCH, number, top, trail, control, " ".join((control.verb, *tokens)))
            case Steps(_, steps):
                for step in steps:
                    yield offers.laid(MATCH, number, top, (*trail, step))
                    yield from _beyond(number, top, step.controls, (*trail, step))


def _problems(blocks: Sequence[Block], *, whole: bool) -> Iterator[str]:
    """What is too long, or cut where all of it should fit; and buttons that cannot be told apart."""
    for what, text, most in _texts(blocks):
        if len(text) > most:
            yield f"{what} of {len(text)} characters: {text}"
        elif whole and text.endswith(ELLIPSIS):
            yield f"{what} is cut: {text}"
    labels = [press.label for press in _presses(blocks)]
    if len(set(labels)) < len(labels):
        yield f"buttons alike: {labels}"


def _texts(blocks: Sequence[Block]) -> Iterator[tuple[str, str, int]]:
    """What the controls say, and in how many characters it may be said."""
    for press in _presses(blocks):
        yield "button", press.label, LABEL
    for menu in (block.items for block in blocks if isinstance(block, Row) and isinstance(block.items, Menu)):
        yield "placeholder", menu.placeholder, PLACEHOLDER
        for line in menu.lines:
            yield "option", line.label, OPTION
            yield "description", line.description or "", DESCRIPTION


def _presses(blocks: Sequence[Block]) -> Iterator[Press]:
    for row in (block for block in blocks if isinstance(block, Row) and not isinstance(block.items, Menu)):
        assert not isinstance(row.items, Menu)
        yield from row.items
