"""The laws of controls: what a hand offers is what may be done, neither more nor less, and that by few taps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import product
from random import Random
from typing import Any

from cogs.pictures.emoji_names import all_emoji
from cogs.screens.emoji import Emoji
from cogs.screens.screen import Buttons, Picks, Steps
from cogs.table.pages import custom_ids, match_pages
from cogs.table.pages.page import Menu
from engines.hosting.match import MatchSnapshot
from tests.contract import shown
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.laws.law import refusal_of
from tests.contract.shown import MATCH_ID, hand_screen, match_snapshots, page_buttons, page_menus, step_paths
from tests.contract.taps import TapCounter
from tests.game_uis import GAME_UIS


def controls_are_the_legal_moves(helper: GameHelper, start: MatchStart) -> None:
    """Every control leads to a legal move, perhaps through steps and picks, and every legal move has a control.

    Who may not act has none, and tables and results have none either.
    """
    rng = Random(start.seed)
    for snapshot in match_snapshots(helper, start):
        for kind, seat, drawn in shown.drawn_screens(helper, snapshot):
            if seat is not None and seat in snapshot.decisions():
                offered = {helper.canonical_move(move) for move in _offered_moves(helper, snapshot, seat, rng)}
                listed = set(snapshot.moves(seat))
                assert offered == listed, f"no control for {listed - offered}, or too many: {offered - listed}"
            else:
                assert not drawn.controls, f"the {kind} has controls"


def emoji_are_registered_and_said_in_words(helper: GameHelper, start: MatchStart) -> None:
    """Every emoji on a control is one of its game or one that all games share, and words stand beside it."""
    known = all_emoji([GAME_UIS[helper.game.key].emoji])
    for page in shown.distinct_pages(helper, start, shown.SHORT_NAMES):
        lines = [(line.emoji, line.label) for menu in page_menus(page) for line in menu.lines]
        for emoji, label in (*((press.emoji, press.label) for press in page_buttons(page)), *lines):
            if isinstance(emoji, Emoji):
                assert emoji.key in known, f"no game draws the emoji {emoji.key}"
                assert label.strip(), f"nothing is said beside the emoji {emoji.key}"


def a_highlighted_move_stands_alone(helper: GameHelper, start: MatchStart) -> None:
    """Beside a highlighted button, no other control of the hand makes a move: the others are behind a step.

    So nothing is used up by mistake. Such a button does not ask, and it alone is blue.
    """
    for snapshot in match_snapshots(helper, start):
        for seat in snapshot.decisions():
            controls = hand_screen(helper, snapshot, seat).controls
            buttons = [button for control in controls if isinstance(control, Buttons) for button in control.buttons]
            highlighted = [button for button in buttons if button.highlighted]
            if highlighted:
                assert len(buttons) == 1, f"{highlighted[0].label} stands beside other moves"
                assert not highlighted[0].confirm, f"{highlighted[0].label} asks"
                lists = [each for each in controls if not isinstance(each, Buttons)]
                assert all(isinstance(each, Steps) and each.buttons for each in lists), (
                    "a list of moves stands beside it"
                )
                page = match_pages.hand_page(snapshot, seat, shown.page_setting(helper))
                blue = [press.label for press in page_buttons(page) if press.style == "primary"]
                assert blue == [highlighted[0].label], f"{blue} are highlighted"


def moves_take_few_taps(helper: GameHelper, start: MatchStart) -> None:
    """No legal move takes more taps than its game's helper says; to open a list is a tap, to choose a line another."""
    for snapshot in match_snapshots(helper, start):
        for seat in snapshot.decisions():
            view, known = snapshot.view(seat), TapCounter(hand_screen(helper, snapshot, seat).controls)
            for move in snapshot.moves(seat):
                notation = snapshot.game.format_move(move)
                number, most = known.taps_for(notation), helper.max_taps(view, move)
                assert number <= most, f"“{notation}” takes {number} taps, {most} at most"


def _offered_moves(helper: GameHelper, snapshot: MatchSnapshot, seat: int, rng: Random) -> Iterator[Any]:
    """The moves that a seat's hand and everything it leads to send when they are clicked."""
    decision, found = snapshot.decisions()[seat], dict(step_paths(hand_screen(helper, snapshot, seat).controls))
    paths = set(found)
    notations: dict[str, None] = {}
    verbs: set[str] = set()
    for picks in (each for left in found.values() for each in left if isinstance(each, Picks) and each.ordered):
        notations |= dict.fromkeys(_tapped_moves(picks, rng))
    for page in (
        match_pages.hand_page(snapshot, seat, shown.page_setting(helper)),
        *shown.hand_follow_ups(helper, snapshot, seat),
    ):
        pressed = [(press.to, None) for press in page_buttons(page) if not press.idle]
        sent = [*pressed, *((menu.to, menu) for menu in page_menus(page))]
        for to, menu in sent:
            control = custom_ids.parse_control(to)
            assert control is not None, f"nobody can read {to}"
            assert control.match == MATCH_ID
            assert control.decision in (decision.number, -1), f"{to} is stale"
            values = [line.value for line in menu.lines] if menu else []
            match control.kind:
                case "m" | "c" | "o":
                    notations[control.rest] = None
                case "s":
                    notations |= dict.fromkeys(values)
                case "f":
                    notations |= dict.fromkeys(
                        custom_ids.instant_move(value) for value in values if custom_ids.instant_move(value)
                    )
                    on = {tuple(custom_ids.step_keys(value)) for value in values if not custom_ids.instant_move(value)}
                    assert on <= paths, f"{values} lead nowhere"
                case "n" | "g":
                    assert tuple(custom_ids.step_keys(control.rest)) in paths, f"{to} leads nowhere"
                case "p" if menu and control.rest not in verbs:
                    verbs.add(control.rest)
                    notations |= dict.fromkeys(_picked_moves(control.rest, menu, rng))
    for notation in notations:
        assert refusal_of(partial(snapshot.game.parse_move, notation)) is None, f"“{notation}” is no move"
        move = snapshot.game.parse_move(notation)
        assert refusal_of(partial(snapshot.game.check, snapshot.state, seat, move)) is None, (
            f"“{notation}” is not legal"
        )
        yield move


def _picked_moves(verb: str, menu: Menu, rng: Random) -> Iterator[str]:
    """Every choice that can be picked, each in some order: Discord's clients differ in the one they send."""
    yield from _ordered_moves(
        verb, [custom_ids.pick_token(line.value) for line in menu.lines], menu.least, menu.most, rng
    )


def _tapped_moves(picks: Picks, rng: Random) -> Iterator[str]:
    """Every choice of buttons that can be tapped one after the other, each in some order."""
    yield from _ordered_moves(picks.verb, [pick.token for pick in picks.picks], picks.least, picks.most, rng)


def _ordered_moves(verb: str, tokens: Sequence[str], least: int, most: int, rng: Random) -> Iterator[str]:
    owned = Counter(tokens)
    for numbers in product(*[range(number + 1) for number in owned.values()]):
        if least <= sum(numbers) <= most:
            chosen = [token for token, number in zip(owned, numbers, strict=True) for _ in range(number)]
            yield " ".join((verb, *rng.sample(chosen, len(chosen))))
