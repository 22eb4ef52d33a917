"""Jokers' screens: controls are the legal moves, within Discord's limits, and tell nothing hidden."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from cogs.jokers.front import FRONT
from cogs.jokers.screen import choice, completions
from cogs.jokers.spec import GroupedHand, PileTable
from cogs.screens.screen import Buttons, Control, Picks, Select
from engines.jokers import JOKERS, deck
from engines.jokers.model import State, Trade
from tests.cogs.jokers.states import (
    LONG_NAMES,
    NAMES,
    context,
    finished,
    hand,
    otherwise,
    positions,
    table,
    text,
)
from tests.engines.jokers.positions import FULL, PLAIN, play, position

TEXT, COMPONENTS, ALT = 4000, 40, 1024
ROWS, OPTIONS, LABEL, PLACEHOLDER, DESCRIPTION = 4, 25, 80, 150, 100
LONGEST = 100 - len("m:abcd2345:999999:")
SEEDS = [1, 2, 16, 24]  # somebody declares in the later ones


def notations(control: Control) -> list[str]:
    """The moves of buttons and selects."""
    match control:
        case Buttons(buttons):
            return [button.move for button in buttons]
        case Select(_, options):
            return [option.move for option in options]
        case _:
            assert isinstance(control, Picks)
            return []


def picks(state: State) -> Picks | None:
    return next((c for c in hand(state, state.turn).controls if isinstance(c, Picks)), None)


def ordered(tokens: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(tokens))


@pytest.mark.parametrize("seed", SEEDS)
def test_every_control_is_a_legal_move_and_every_legal_move_has_a_control(seed: int) -> None:
    phases = set()
    for state in positions(seed):
        for seat in range(2):
            moves = JOKERS.moves(state, seat)
            legal = [JOKERS.write(move) for move in moves if not isinstance(move, Trade)]
            controls = hand(state, seat).controls
            offered = [move for control in controls for move in notations(control)]
            assert len(set(offered)) == len(offered)
            assert set(offered) == set(legal)
        phases.add(state.phase)
    assert phases == {"turn", "safety", "discard", "over"}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_trades_are_what_can_be_picked(seed: int) -> None:
    most = set()
    for state in positions(seed):
        legal = {
            ordered(tuple(map(deck.name, move.cards)))
            for move in JOKERS.moves(state, state.turn)
            if isinstance(move, Trade)
        }
        control = picks(state)
        if control is None:
            assert not legal
            continue
        tokens = [pick.token for pick in control.picks]
        sizes = range(control.least, control.most + 1)
        assert legal == {ordered(chosen) for size in sizes for chosen in combinations(tokens, size)}
        most.add(control.most)
    assert max(most) == 8


def test_any_order_of_what_is_picked_is_a_trade() -> None:
    rng = Random(5)
    for state in positions(5):
        if control := picks(state):
            chosen = rng.sample([pick.token for pick in control.picks], rng.randint(1, control.most))
            JOKERS.check(state, state.turn, JOKERS.read(" ".join((control.verb, *chosen))))


def test_no_more_is_picked_than_the_draw_pile_has() -> None:
    control = picks(position("draw: 3"))
    assert control is not None
    assert control.most == 3
    one = picks(position("draw: 1"))
    assert one is not None
    assert (one.most, one.placeholder) == (1, "Trade 1 card")
    assert picks(position("draw: 0")) is None


@pytest.mark.parametrize("seed", SEEDS)
def test_controls_keep_discords_limits(seed: int) -> None:
    for state in positions(seed):
        controls = hand(state, state.turn).controls
        assert len(controls) <= ROWS - 1
        for control in controls:
            if isinstance(control, Buttons):
                assert len(control.buttons) <= 5
                assert all(1 <= len(button.label) <= LABEL for button in control.buttons)
                continue
            assert isinstance(control, Select | Picks)
            lines = control.options if isinstance(control, Select) else control.picks
            assert 1 <= len(lines) <= OPTIONS
            assert len(control.placeholder) <= PLACEHOLDER
            assert all(1 <= len(line.label) <= LABEL for line in lines)
            assert all(len(line.description or "") <= DESCRIPTION for line in lines)
            if isinstance(control, Select):
                assert len({line.label for line in lines}) == len(lines)
            else:
                assert 1 <= control.least <= control.most <= len(lines)
                assert len(" ".join((control.verb, *sorted((p.token for p in control.picks), key=len)))) <= LONGEST


def test_the_longest_names_and_news_fit_a_message() -> None:
    given = context(LONG_NAMES, ("x" * 200,) * 12)
    for state in positions(13, rounds=12):
        screens = [table(state, given), hand(state, state.turn, given)]
        if outcome := JOKERS.outcome(state):
            screens.append(FRONT.screen.result(JOKERS.view(state, None), outcome, given))
        for screen in screens:
            assert len(text(screen)) <= TEXT - 900
            assert len(screen.above) + len(screen.below) + 28 <= COMPONENTS  # with the most rows and buttons
            assert all((*screen.above, *screen.below))
            assert screen.picture is not None
            assert 0 < len(screen.picture.alt) <= ALT
        assert len(FRONT.screen.sheet(JOKERS.view(state, None), given)) <= TEXT - 900


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_reader_cannot_know_changes_nothing_they_see(seed: int) -> None:
    changed = 0
    for n, state in enumerate(positions(seed)):
        other = otherwise(state, None, n)
        changed += other.hands != state.hands
        assert table(other) == table(state)
        for seat in range(2):
            assert hand(otherwise(state, seat, n), seat) == hand(state, seat)
    assert changed > 10


def test_tables_have_no_controls_and_pictures_no_names() -> None:
    files = set()
    for state in positions(15):
        assert table(state).controls == ()
        for screen in (table(state), hand(state, 1)):
            assert screen.picture is not None
            assert not any(name in repr(screen.picture.spec) for name in NAMES)
            assert isinstance(screen.picture.spec, PileTable | GroupedHand)
            files.add(screen.picture.name)
    assert files == {"table.png", "hand.png"}


def test_what_stands_above_the_controls_has_as_many_lines_all_through_a_match() -> None:
    for seat in range(2):
        given = context(news=("something",) * seat)
        assert len({"\n".join(hand(state, seat, given).above).count("\n") for state in positions(16)}) == 1


# Full hands


def buttons(state: State) -> dict[str, str | None]:
    """The buttons by label, with what is asked before them."""
    controls = hand(state, state.turn).controls
    return {b.label: b.confirm for control in controls if isinstance(control, Buttons) for b in control.buttons}


def test_k9_a_full_hand_can_be_declared_and_ending_the_turn_with_it_is_asked_for() -> None:
    state = position(f"hand: {FULL}")
    assert set(buttons(state)) == {"Declare for 80", "Done"}
    asked = buttons(state)["Done"]
    assert asked is not None
    assert "80 points" in asked


def test_ending_the_turn_with_another_hand_is_not_asked_for() -> None:
    assert buttons(position(f"hand: {PLAIN} | pile: 3C")) == {
        "Turn up safety 1": None,
        "Turn up safety 2": None,
        "Done": None,
    }


def test_in_the_last_turn_a_full_hand_cannot_be_declared_and_nothing_is_asked() -> None:
    state = position(f"hand: {FULL} | other: AH 2H 3H 4H 5H 6H 7H 8H | pile: 3C")
    play(state, "declare", "done")
    state = position(f"other: {FULL} | hand: AH 2H 3H 4H 5H 6H 7H 8H | pile: 3C")
    play(state, "declare")
    assert buttons(state) == {"Turn up safety 1": None, "Turn up safety 2": None, "Done": None}
    assert "Your last turn of this round" in hand(state, 1).above[0]


# Autocomplete of trades


def offered(state: State, typed: str) -> list[str]:
    view = JOKERS.view(state, state.turn)
    return [value for _, value in completions(view, JOKERS.moves(state, state.turn), typed)]


@pytest.mark.parametrize(
    ("typed", "values"),
    [
        ("", "5D|10D|9C|KC|2S|JS|joker".replace("|", " ").split(" ")),
        ("j", ["JS", "joker"]),
        ("JS", None),
        ("1", ["10D"]),
        ("JS 9", ["JS 9C"]),
        ("js, 9c", None),
        ("joker joker j", ["joker joker JS"]),
        ("joker joker joker", []),
        ("4H", []),
        ("JS JS", []),
        ("nonsense", []),
        ("JS  ", None),
    ],
)
def test_a_trade_is_completed_by_its_last_card(typed: str, values: list[str] | None) -> None:
    state = position("hand: 5D 10D 9C KC 2S JS joker joker")
    found = offered(state, typed)
    for value in found:
        JOKERS.check(state, 0, JOKERS.read(f"trade {value}"))
    if values is None:
        assert found[0] == " ".join(map(deck.name, map(deck.card, typed.replace(",", " ").split())))
        assert len(found) > 4
    else:
        assert sorted(found) == sorted(values)


def test_a_completed_trade_is_no_larger_than_the_draw_pile_and_needs_a_trade() -> None:
    state = position("hand: 5D 10D 9C KC 2S JS joker joker | draw: 2")
    assert offered(state, "5D 10D") == ["5D 10D"]
    assert offered(state, "5D 10D 9C") == []
    play(state, "trade 5D", "trade 10D")
    assert offered(state, "") == []


def test_whole_random_trades_are_completed_card_by_card() -> None:
    rng = Random(3)
    for state in positions(3):
        control = picks(state)
        if control is None:
            continue
        typed = ""
        for _ in range(rng.randint(1, control.most)):
            found = [value for value in offered(state, f"{typed} " if typed else "") if value != typed]
            assert len(found) <= 8
            typed = rng.choice(found)
        JOKERS.check(state, state.turn, JOKERS.read(f"trade {typed}"))


def test_moves_are_offered_with_the_cards_they_are_about() -> None:
    state = position("pile: 3C 4D joker | safety: 5H KD / AS 2C")
    play(state, "safety 1")
    view = JOKERS.view(state, 0)
    assert [choice(view, move) for move in JOKERS.moves(state, 0)] == [
        *("1: joker", "2: 4♦", "3: 3♣", "Take the safety card into the hand")
    ]


def test_the_end_of_a_match_has_its_sheet() -> None:
    state = finished(3)
    outcome = JOKERS.outcome(state)
    assert outcome is not None
    assert FRONT.screen.result(JOKERS.view(state, None), outcome, context()).controls == ()
