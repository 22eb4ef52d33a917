"""Jokers' words are complete: a reader can rebuild the table and the hand from them."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from itertools import accumulate
from types import SimpleNamespace
from typing import Any

import pytest

from cogs.jokers.drawing.spec import CLOTH, Group, PileTable, ShownCard
from cogs.jokers.game_ui import GAME_UI
from cogs.pictures.spec import PlateLine, ScoreSheet, SeatPlate, SheetRow
from engines.jokers import JOKERS, deck
from engines.jokers.model import Options
from engines.jokers.turn import score_hand
from engines.jokers.view import View
from tests.cogs.jokers.states import BENCH, NAMES, match_positions
from tests.cogs.screen_bench import find_lines, parse_number, plain_number, screen_text, seat_pattern, spec_of
from tests.engines.jokers.positions import FULL, PLAIN, parse_position, play_moves

pytestmark = pytest.mark.usefixtures("letters")
CARD = r"(?:(?:A|K|Q|J|10|[2-9])[♣♦♥♠]|joker)"
HELD = rf"(?:joker as )?{CARD}"
SEEDS = [1, 2, 16, 24]  # somebody declares in the later ones


def card_notation(spoken: str) -> str:
    return spoken if spoken == "joker" else spoken[:-1] + "CDHS"["♣♦♥♠".index(spoken[-1])]


def parse_card_list(text: str) -> tuple[str, ...]:
    return tuple(sorted("joker" if one.startswith("joker") else card_notation(one) for one in re.findall(HELD, text)))


def parse_table(words: str) -> SimpleNamespace:
    """Rebuild a table from its words. Letters identify the seats."""
    table = SimpleNamespace(turn=None, trades=None, points=[], gained=[], sizes=[], down=[], rounds=[])
    table.declared = table.last = None
    player, found = seat_pattern(NAMES), partial(find_lines, words)
    ((this, of),) = found(r"\S+ Round (\d+) of (\d+)(?:, the end\.)?")
    table.round = int(this), int(of)
    for seat, trades in found(rf"\*\*Turn\*\*: {player}, (\d) trades? left"):
        table.turn, table.trades = "AB".index(seat[0]), int(trades)
    table.turned = next((card_notation(one) for (one,) in found(rf"\*\*Turned up\*\*: ({CARD}), .*")), None)
    table.draw = next((int(size) for (size,) in found(r"\*\*Draw pile\*\*: (\d+) cards?")), None)
    table.still = next((int(turns) for (turns,) in found(r"(\d) turns? without a trade.*")), 0)
    safety = r"(no safety cards|safety cards? (?:1 and 2|1|2))"
    line = rf"\*\*{player}\*\*: (\S+) points?(?: \((\S+) last round\))?, (\d) cards?, {safety}"
    for _, points, gained, size, down in found(line):
        table.points.append(parse_number(points))
        table.gained += [parse_number(gained)] if gained else []
        table.sizes.append(int(size))
        table.down.append(("1" in down, "2" in down))
    numbered = [part for (row,) in found(rf"(\d+:\xa0{CARD}(?:\xa0· \d+:\xa0{CARD})*)") for part in row.split("\xa0· ")]
    assert [int(part.partition(":\xa0")[0]) for part in numbered] == list(range(1, len(numbered) + 1))
    table.pile = [card_notation(part.partition(":\xa0")[2]) for part in numbered]
    assert found(r"\*\*Discard pile\*\*: empty") if not numbered else found(rf".*: {len(numbered)} cards?, by depth")
    for seat, melds, points in found(rf"\*\*Declared\*\* by {player}: (.*)\nIt scores \*\*(\S+)\*\* .*"):
        table.declared = "AB".index(seat[0]), parse_card_list(melds), parse_number(points)
    for one, won, other, lost in found(r"Round \d+: A (\S+)( \(won\))?, B (\S+)( \(won\))?"):
        table.rounds.append(((parse_number(one), bool(won)), (parse_number(other), bool(lost))))
    two = r"\nA: (.*); \*\*(\S+)\*\*.*\nB: (.*); \*\*(\S+)\*\*.*"
    for this, _, one, first, other, second in found(rf"\*\*Round (\d+) is over\*\*: (.*){two}"):
        points_of_both = parse_number(first), parse_number(second)
        table.last = int(this), (parse_card_list(one), parse_card_list(other)), points_of_both
    return table


def sorted_names(cards: Any) -> tuple[str, ...]:
    return tuple(sorted(map(deck.card_name, cards)))


def expected_table(view: View) -> SimpleNamespace:
    is_over = view.phase == "over"
    declared = None
    if view.declared is not None and not is_over:
        known = view.known[view.declared]
        declared = view.declared, sorted_names(known), score_hand(deck.make_hand(known), True).points
    last = None
    if view.last is not None:
        points = tuple(each.points for each in view.last.scores)
        last = view.last.round, tuple(map(sorted_names, view.last.hands)), points
    return SimpleNamespace(
        **{name: None if is_over else getattr(view, name) for name in ("turn", "trades", "draw")},
        round=(view.round, view.rounds),
        turned=None if view.turned is None else deck.card_name(view.turned),
        still=0 if is_over else view.still,
        points=list(view.scores),
        gained=[each.points for each in view.sheet[-1]] if view.sheet else [],
        sizes=list(view.hand_sizes),
        down=[(one is None, two is None) for one, two in view.safety],
        pile=[deck.card_name(one) for one in reversed(view.discard)],
        declared=declared,
        rounds=[tuple((each.points, each.win > 0) for each in row) for row in view.sheet],
        last=last,
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_the_table_can_be_rebuilt_from_its_words_and_its_picture_says_nothing_else(seed: int) -> None:
    declared = turned_count = 0
    for state in match_positions(seed):
        table, spec = parse_table(screen_text(BENCH.table(state))), spec_of(BENCH.table(state), PileTable)
        assert table == expected_table(JOKERS.view(state, None))
        declared += table.declared is not None
        turned_count += table.turned is not None
        idle = f", {table.still} of 4 idle turns" if table.still else ""
        assert spec.said[0] == f"round {table.round[0]} of {table.round[1]}{idle}"
        assert [rebuild_plate(table, seat) for seat in range(2)] == list(spec.plates)
        assert (spec.turned, list(spec.pile), spec.below) == (
            table.turned,
            table.pile[:13],
            max(0, len(table.pile) - 13),
        )
        if table.draw is not None:
            assert spec.draw == table.draw
            last = "" if table.declared is None else "last turn, "
            assert spec.said[1] == f"{last}{table.trades} trade{'s' * (table.trades != 1)} left"
            cards = tuple(sorted(one.key for group in spec.declared for one in group.cards))
            assert (spec.declarer, cards) == ((0, ()) if table.declared is None else table.declared[:2])
    assert turned_count
    assert bool(declared) is (seed > 10)


def rebuild_plate(table: SimpleNamespace, seat: int) -> SeatPlate:
    gained = f"last {gained_text(table.gained[seat])}" if table.gained else ""
    points = f"{table.points[seat]} point{'s' * (abs(table.points[seat]) != 1)}".replace("-", "−")
    down = ", ".join(number for number, is_down in zip("12", table.down[seat], strict=True) if is_down)
    size = f"{table.sizes[seat]} card{'s' * (table.sizes[seat] != 1)}"
    lines = PlateLine(points, "gold", gained), PlateLine(size, right=f"safety {down}" if down else "no safety")
    return SeatPlate(seat, "AB"[seat], lines, seat == table.turn)


def gained_text(points: int) -> str:
    return f"{points:+d}".replace("-", "−") if points else "0"


def rebuild_groups(melds: str, alone: str) -> tuple[Group, ...]:
    found = []
    for kind, cards in re.findall(rf"(run|set) ({HELD}(?:, {HELD})*)", melds):
        laid = [
            ShownCard("joker", card_notation(one[9:])) if one.startswith("joker as") else ShownCard(card_notation(one))
            for one in re.findall(HELD, cards)
        ]
        found.append(Group(kind, tuple(laid)))
    rest = tuple(ShownCard(card_notation(one)) for one in re.findall(CARD, alone))
    return (*found, Group("no meld", rest, meld=False)) if rest else tuple(found)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_hand_says_first_what_to_do_and_can_be_rebuilt_with_its_table_from_its_words(seed: int) -> None:
    prompts = {"safety": "**Your safety card is the ", "discard": "**Discard a card**"}
    for state in match_positions(seed):
        waiting = f"Waiting for **{'AB'[state.turn]} {NAMES[state.turn]}** to "
        for seat in range(2):
            view, screen = JOKERS.view(state, seat), BENCH.hand(state, seat)
            first = screen_text(screen).partition("\n")[0]
            if state.phase == "over":
                assert first == "The match is over."
            elif seat != state.turn or state.phase != "turn":
                assert first.startswith(prompts[state.phase] if seat == state.turn else waiting)
            else:
                assert first.startswith(("**Your turn**", "**Your last turn of this round**"))
            words = screen_text(screen).replace("-# Round", "## Round")
            for beginning in ("**Turn**: ", "**Declared** by "):
                words = words.replace(f"{beginning}you", f"{beginning}{'AB'[seat]} {NAMES[seat]}")
            assert parse_table(words) == expected_table(JOKERS.view(state, None))
            (cards,) = re.findall(r"^\*\*Your hand\*\*, \d cards: (.*)$", words, re.MULTILINE)
            assert parse_card_list(cards) == sorted_names(view.hand)
            (alone,) = re.findall(r"^\*\*Not in a meld\*\*: (.*)$", words, re.MULTILINE)
            if view.phase == "discard" and seat == view.turn:  # of nine cards the best eight, and which is left out
                ((without, melds),) = re.findall(rf"^\*\*Melds\*\* without the ({CARD}): (.*)$", words, re.MULTILINE)
                named_cards = (*parse_card_list(melds), *parse_card_list(alone), card_notation(without))
                assert tuple(sorted(named_cards)) == sorted_names(view.hand)
                continue
            (melds,) = re.findall(r"^\*\*Melds\*\*: (.*)$", words, re.MULTILINE)
            hand = spec_of(screen, PileTable).hand
            assert hand is not None
            assert hand.groups == rebuild_groups(melds, alone) or view.declared == seat


def test_a_hand_says_what_it_is_worth_and_whether_it_may_be_declared() -> None:
    words = screen_text(BENCH.hand(parse_position("hand: joker joker 9S 9H 9D 2C 3C 4C"), 0))
    assert "**Melds**: run 2♣, 3♣, 4♣, joker as 5♣, joker as 6♣; set 9♠, 9♥, 9♦\n**Not in a meld**: none" in words
    assert "**If you lose the round**: **+55** (run of 5 +40, set of 3 +10, both jokers +5)" in words
    full = "(round won +20, set of 3 and run of 5 +55, both jokers +5)"
    assert f"**Full hand**: yes, it scores **+80** {full}" in words
    plain = screen_text(BENCH.hand(parse_position(f"hand: {PLAIN}"), 0))
    assert "**If you lose the round**: **−40** (8 unmelded cards −40)" in plain
    assert "**Full hand**: not yet" in plain


def test_k9_once_a_hand_is_declared_both_read_so() -> None:
    state = parse_position(f"hand: {FULL} | other: AH 2H 3H 4H 5H 6H 7H 8H")
    play_moves(state, "declare")
    declared = "**Declared**: **+80** (round won +20, two runs +60)\n**Full hand**: you have declared it"
    assert declared in screen_text(BENCH.hand(state, 0))
    assert "**Full hand**: your opponent has declared, so you cannot" in screen_text(BENCH.hand(state, 1))


def test_k11_a_stall_that_comes_near_is_told() -> None:
    state = parse_position()
    assert "without a trade" not in screen_text(BENCH.table(state))
    play_moves(state, "done", "done", "done")
    assert "3 turns without a trade or a safety card; 4 in a row end the round" in screen_text(BENCH.table(state))


@pytest.mark.parametrize(
    ("line", "moves", "text"),
    [
        (f"hand: {FULL}", ["declare", "done"], "**Round 1 is over**: A Ana declared"),
        ("draw: 0", ["done"], "**Round 1 is over**: the draw pile was empty and nobody declared"),
        ("", ["done"] * 4, "**Round 1 is over**: 4 turns in a row without a trade or a safety card"),
    ],
)
def test_the_next_round_tells_how_the_last_one_ended(line: str, moves: list[str], text: str) -> None:
    state = parse_position(line)
    play_moves(state, *moves)
    for screen in (BENCH.table(state, ("Ana", "Ben")), BENCH.hand(state, 1, ("Ana", "Ben"))):
        assert text in screen_text(screen)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_result_tells_places_points_and_every_round(seed: int) -> None:
    *_, state = match_positions(seed, rounds=4)
    outcome = JOKERS.outcome(state)
    assert outcome is not None
    screen = BENCH.result(state)
    words = screen_text(screen)
    part = r"(?:round won|melds|unmelded cards|one colour|both jokers) −?\d+"
    rows = re.findall(rf"^([AB]) (\S+): ({part}(?:, {part})*)$", words, re.MULTILINE)
    last = re.findall(r"^([AB]): (?:run|set|unmelded) .*; \*\*(\S+)\*\* \((.*)\)$", words, re.MULTILINE)
    assert len(last) == 2  # of the last round, both hands
    standings = [(seat, parse_number(points)) for seat, points, _ in (*rows, *last)]
    assert standings == [("AB"[seat], each.points) for row in state.sheet for seat, each in enumerate(row)]
    for _, points, parts in (*rows, *last):
        assert sum(parse_number(each.split()[-1]) for each in parts.split(", ")) == parse_number(points)
    assert words.count("**Round ") == 4
    won = [tuple(("won" if s.win else "", gained_text(s.points)) for s in row) for row in state.sheet]
    sums = [list(accumulate(row[seat].points for row in state.sheet)) for seat in range(2)]
    after = [tuple(map(plain_number, row)) for row in zip(*sums, strict=True)]
    sheet = tuple(SheetRow(str(n), row, after[n - 1]) for n, row in enumerate(won, 1))
    totals = tuple(map(plain_number, outcome.points))
    drawn = ScoreSheet(sheet, totals, outcome.places, "points, total", ("A", "B"), cloth=CLOTH)
    assert replace(spec_of(screen, ScoreSheet), banner=None) == drawn


def test_c4_equal_totals_are_a_draw() -> None:
    *_, state = match_positions(1)
    state.scores = [40, 40]
    words = screen_text(BENCH.result(state, ("Ana", "Ben")))
    assert words.startswith("## A draw: Ana and Ben share the win with 40 points each")
    assert "**1st (shared)** A Ana: 40 points\n**1st (shared)** B Ben: 40 points" in words


def test_moves_have_labels_of_their_own_and_turns_hide_the_hand() -> None:
    moves = ["safety 1", "safety 2", "keep", "declare", "done", "trade 4C 9D", "trade 9D 4C", "trade joker joker"]
    moves += [f"take {depth}" for depth in range(1, 14)]
    moves += [f"discard {deck.card_name(one)}" for one in range(deck.CARD_KINDS)]
    labels = [GAME_UI.screen.move_label(JOKERS.parse_move(move)) for move in moves]
    assert len(set(labels)) == len(labels)
    assert "Trade 4♣, 9♦" in labels
    turns = BENCH.turn_prompts(match_positions(6))
    assert {"use your safety card in round 1", "discard a card in round 1"} < turns
    assert "trade, or end your turn in round 2" in turns


def test_k1_the_rounds_are_told() -> None:
    assert GAME_UI.screen.option_texts(Options(), 2) == {"rounds": "6"}
