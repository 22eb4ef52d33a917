"""Jesters' words: everything that the pictures show, exact chances, every event, and the final scoring."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from cogs.jesters.drawing.spec import JestFace, Own, Roll, Sign, Stage
from cogs.jesters.game_ui import GAME_UI
from cogs.jesters.tasks import missing_text, percent_text, requirement_signs, requirement_text
from cogs.jesters.words import current_fame
from cogs.pictures.spec import ScoreSheet
from cogs.screens.screen import Screen
from engines.jesters import JESTERS, effects
from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import ANY, SYMBOLS, Extra, FameForColour, Opposite, Recolour, Reroll
from engines.jesters.events import GiftKept
from engines.jesters.model import Options, State
from engines.jesters.requirements import rerolls
from engines.jesters.requirements.evaluation import missing_dice, parse_requirement, reroll_chance
from tests.cogs.jesters import states
from tests.cogs.jesters.states import (
    finished_state,
    hand_screen,
    make_context,
    result_screen,
    screen_text,
    table_screen,
    whole_match,
)
from tests.contexts import make_lettered_context
from tests.engines.jesters.positions import (
    card_with,
    dice_meeting,
    gift_with,
    parse_position,
    performance_with,
    play_moves,
)


@pytest.fixture(scope="module", autouse=True)
def letters() -> Iterator[None]:
    """Words also name seats by their letters, so that any names can be told apart."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(states, "told_of", make_lettered_context)
        yield


NAMES = ("Ana", "Ben", "Cleo", "Dora")
PAIR = "pair, one blue"


def words_of(state: State, seat: int | None = None) -> str:
    """Return all words of a hand or of the table."""
    given = make_context(len(state.hands), NAMES)
    return screen_text(table_screen(state, given) if seat is None else hand_screen(state, seat, given))


# Requirements


@pytest.mark.parametrize(
    ("requirement", "said", "drawn"),
    [
        ("sum >= 9", "a sum of 9 or more", "? + ? + … ≥9"),
        ("sum >= 8, one purple", "a sum of 8 or more, one of them purple", "? + ?P + … ≥8"),
        ("2 dice sum <= 6, one blue", "2 dice with a sum of 6 or less, one of them blue", "? + ?B ≤6"),
        ("3 dice >= 4, one green", "3 dice of 4 or more, one of them green", "4+ 4+ 4+G"),
        ("pair", "a pair", "x x"),
        ("3 alike, one red, one blue", "3 alike, one of them red and one blue", "x xR xB"),
        ("pair, two red", "a pair, both red", "xR xR"),
        ("3 alike, three red", "3 alike, all red", "xR xR xR"),
        ("pair and pair", "two pairs", "x x + y y"),
        ("pair and 3 alike, two red", "a pair and 3 alike, two of them red", "x x + y y y with R R"),
        ("run of 3, one green", "3 in a row, one of them green", "x x+1 x+2 with G"),
        ("3 different, one purple", "3 different numbers, one of them purple", "≠ ≠ ≠P"),
        ("each 1/3 2/4 2/5 1/6", "one die each of 1/3, 2/4, 2/5 and 1/6", "1/3 2/4 2/5 1/6"),
    ],
)
def test_s20_requirements_are_told_and_drawn(requirement: str, said: str, drawn: str) -> None:
    found = parse_requirement(requirement)
    assert requirement_text(found) == said
    assert " ".join(_sign_text(sign) for sign in requirement_signs(found)) == drawn


def _sign_text(sign: Sign) -> str:
    return sign.text + ("RBGP"[sign.colour] if sign.colour >= 0 else "")


def test_s20_every_performance_has_words_and_signs_of_its_own() -> None:
    every = catalogue.all_components()
    found = {each.requirement for each in (*every.performances, *every.favorites)}
    assert len({requirement_text(each) for each in found}) == len(found)
    assert len({requirement_signs(each) for each in found}) == len(found)


@pytest.mark.parametrize(
    ("requirement", "dice", "said"),
    [
        ("pair", "R1 B3", "Missing: a die showing 1 or 3"),
        (PAIR, "R1 R3", "Missing: a blue die showing 1 or 3"),
        (PAIR, "R1 B3 G4", "Missing: a die showing 1, 3 or 4"),
        ("sum >= 9", "R3 B5", "Missing: 1 point"),
        ("sum >= 9, one green", "R3 B3", "Missing: 3 points and a green die"),
        ("2 dice sum <= 6", "R4 B5", "3 points too many"),
        ("2 dice sum <= 6, one green", "R4 B5", "Missing: a green die showing 1 or 2"),
        ("2 dice sum <= 6", "R4", "Missing: a die showing 1 or 2"),
        ("3 dice >= 4", "R1 B2", "Missing: 3 dice, all showing 4, 5 or 6"),
        ("3 different", "R1 B1", "Missing: 2 dice, one of them showing 2, 3, 4, 5 or 6"),
        ("4 alike, two red", "B1", "Missing: 3 dice, two of them red, one of them showing 1"),
        ("sum >= 9, one green", "R6 B6", "Missing: a green die"),
        ("2 dice >= 4, one green", "R1", "Missing: 2 dice, one of them green, both showing 4, 5 or 6"),
        ("run of 3", "R2 B3", "Missing: a die showing 1 or 4"),
    ],
)
def test_what_is_missing_is_told(requirement: str, dice: str, said: str) -> None:
    found = parse_requirement(requirement)
    rolled = [("RBGP".index(die[0]), int(die[1])) for die in dice.split()]
    lack = missing_dice(found, rolled)
    assert lack is not None
    assert missing_text(lack, found.form) == said


@pytest.mark.parametrize(
    ("chance", "said"),
    [
        (Fraction(0), "0%"),
        (Fraction(1, 1000), "under 1%"),
        (Fraction(1, 3), "33%"),
        (Fraction(999, 1000), "over 99%"),
        (Fraction(1), "100%"),
    ],
)
def test_a_chance_is_never_told_as_certain_where_it_is_not(chance: Fraction, said: str) -> None:
    assert percent_text(chance) == said


# The table


def test_the_table_tells_what_everybody_may_know() -> None:
    pair, hidden = performance_with(PAIR), gift_with(Opposite(0))
    lying = f"dice: 2 red blue / green | board: {pair} 1 2 3 | favorite: 2 | used: {hidden}"
    state = parse_position(
        f"{lying} | hands: 1 2 / 3 | gifts: {hidden} | failures: 1 3 | first: 1 | fame: 2 | passed: 2"
    )
    said = words_of(state)
    doing = catalogue.performance(pair)
    own = ", ".join(SYMBOLS[symbol] for symbol in doing.symbols)
    assert f"**{doing.name}** ({pair}): a pair, one of them blue · {doing.fame} Fame · {own}" in said
    assert f"**{catalogue.favorite(2).name}**, the Favorite: " in said
    assert "**A Ana**: 2 red, 1 blue · 2 Jest cards · 0 Performances, 2 Fame · 1 failure (+2)" in said
    assert (
        "**B Ben**, first player card: 1 green · 1 Jest card · 0 Performances, 0 Fame · 3 failures (−5) · out" in said
    )
    assert "**C Cleo**: no dice · 0 Jest cards · 0 Performances, 0 Fame · no failure (+5) · passed" in said
    assert f"Gifts: {hidden}: turns a red die over ({SYMBOLS[catalogue.gift(hidden).symbol]}, used)" in said
    assert "**In the middle**: 2 red, 3 blue, 3 green, 4 purple" in said


def test_s16_majorities_are_told_with_what_everybody_has_of_them() -> None:
    one, two, now = 1, 2, 3
    have = catalogue.favorite(one).symbols[0]
    done = next(each.id for each in catalogue.all_components().performances if have in each.symbols)
    state = parse_position(f"completed: {done} / | placed: {one} | favorite: {now} | favorites: {two} 4 5 | round: 2")
    said = words_of(state)
    mine = sum(symbol in catalogue.favorite(one).symbols for symbol in catalogue.performance(done).symbols)
    assert f"**Majority 6/3** {_symbol_names(one)}: A {mine}, B 0, C 0" in said
    assert f"**Majority 5/2** {_symbol_names(now)} (this round): A " in said
    assert "**Majority 4/1**: not revealed yet" in said


def _symbol_names(number: int) -> str:
    return ", ".join(SYMBOLS[symbol] for symbol in catalogue.favorite(number).symbols)


def test_s10_who_has_completed_the_favorite_is_told() -> None:
    assert "a Gift" in words_of(parse_position("favorite: 1 | done: 2 0"))
    assert "done by C and A" in words_of(parse_position("favorite: 1 | done: 2 0"))


@pytest.mark.parametrize(
    ("line", "asked_for"),
    [
        ("hands: 1 | dice: red", "**Your turn**: learn, perform or pass."),
        ("hands: 1", "**Your turn**: learn or pass."),
        ("dice: red", "**Your turn**: perform or pass."),
        ("", "**Your turn**: pass."),
    ],
)
def test_a_turn_says_what_may_be_done(line: str, asked_for: str) -> None:
    assert words_of(parse_position(line), 0).startswith(asked_for)


# Attempts


def test_everybody_sees_the_attempt_its_dice_what_is_missing_and_the_chance_of_a_reroll() -> None:
    state = parse_position(f"perform: {performance_with(PAIR)} R4 R3 B3 | hands: 1 2 / 3", rolls="")
    state.faces = [4, 5, 3]
    dice = [(0, 4), (0, 5), (1, 3)]
    again = percent_text(reroll_chance(parse_requirement(PAIR), dice, [0, 1, 2]))
    best = max(
        (reroll_chance(parse_requirement(PAIR), dice, some), -len(some), some)
        for some in ([0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2])
    )
    for said in (words_of(state), words_of(state, 0), words_of(state, 1)):
        assert "**Dice**: **1**: red 4 · **2**: red 5 · **3**: blue 3" in said
        assert "**Missing**: a die showing 3, 4 or 5" in said
        assert f"**Chance of a reroll**: of all dice {again}" in said
        if len(best[2]) < 3:
            assert f"{percent_text(best[0])}" in said


NINE = "R4 R6 B4 B5 G2 G2 G2 P5 P2"


def attempt_state(requirement: str, dice: str, monkeypatch: pytest.MonkeyPatch, gifts: str = "") -> State:
    """Return an attempt at any requirement, even if no Performance has it."""
    number = catalogue.all_components().performances[0].id
    task = catalogue.performance(number).model_copy(update={"requirement": parse_requirement(requirement)})
    monkeypatch.setattr(effects, "task", lambda *_: task)
    return parse_position(f"seats: 4 | board: {number} | perform: {number} {dice} | gifts: {gifts}")


def test_the_best_reroll_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    state = attempt_state("each 6 6, one red", NINE, monkeypatch, gifts=str(gift_with(Reroll())))
    for seat in (None, 0, 1):
        assert "; the best, of dice 1, 3, 4, 5, 6, 7, 8 and 9, 77%" in words_of(state, seat)
    assert "(rerolls all dice, 23%)" in words_of(state, 0)


def test_what_may_not_be_the_best_reroll_is_not_called_so(monkeypatch: pytest.MonkeyPatch) -> None:
    state = attempt_state("each 6 6, one red", NINE, monkeypatch, gifts=str(gift_with(Reroll())))
    monkeypatch.setattr(rerolls, "best_reroll", partial(rerolls.best_reroll, max_steps=0))
    said = words_of(state, 0)
    assert "**Chance of a reroll**: of all dice 23%; of dice 1 and 3, 31%" in said
    assert "(rerolls all dice, 23%)" in said
    assert "best" not in said


def test_dice_that_meet_it_are_told_to_do_so() -> None:
    state = parse_position(f"perform: {performance_with(PAIR)} R4 B4")
    assert "**The dice meet it.**" in words_of(state)
    assert words_of(state, 0).startswith("**The dice meet it**: finish")
    assert "Missing" not in words_of(state)


def test_a_reroll_that_cannot_do_it_is_told_so() -> None:
    said = words_of(parse_position(f"perform: {performance_with(PAIR)} R4 R3"))
    assert "A reroll alone cannot meet it" in said
    assert "**Chance of a reroll**" not in said


def test_what_cards_and_gifts_could_do_is_told_to_their_owner_alone() -> None:
    one, turn, extra = card_with(bottom="±1 any"), gift_with(Opposite(1)), gift_with(Extra())
    state = parse_position(f"perform: {performance_with(PAIR)} R4 B3 | hands: {one} | gifts: {turn} {extra}")
    help_ = f"**Meets it at once**: card {one}: die 1 to 3, die 2 to 4; Gift {turn}: die 2 to 4"
    assert help_ in words_of(state, 0)
    assert f"**With luck**: Gift {extra} (a red die, 17%)" in words_of(state, 0) or "blue die" in words_of(state, 0)
    for other in (None, 1, 2):
        assert "Meets it at once" not in words_of(state, other)
        assert f"card {one}" not in words_of(state, other)


def test_s22_a_gift_of_another_colour_helps_where_it_gives_the_colour_asked_for() -> None:
    paint = gift_with(Recolour(1))
    state = parse_position(f"perform: {performance_with(PAIR)} R4 R4 | gifts: {paint}")
    assert f"**Meets it at once**: Gift {paint}: die 1" in words_of(state, 0)
    play_moves(state, f"gift {paint}", "mark 2")
    assert "**Mark the dice** that become blue." in words_of(state, 0)
    assert "**Marked to become blue**: die 2" in words_of(state)
    play_moves(state, "paint")
    assert "**2**: blue 4 (a red die)" in words_of(state)


def test_where_nothing_meets_it_what_comes_closer_is_told() -> None:
    one = card_with(bottom="±1 any")
    said = words_of(parse_position(f"perform: {performance_with('sum >= 9')} R3 B3 | hands: {one}"), 0)
    assert f"**Brings it closer**: card {one}: die 1 to 4, die 2 to 4" in said


def test_faces_of_one_die_are_told_together() -> None:
    low = words_of(
        parse_position(f"perform: {performance_with('3 different')} R4 B5 G5 | hands: {card_with(bottom='±2 blue')}"), 0
    )
    assert ": die 2 to 3 or 6" in low


def test_marks_are_seen_by_all_with_their_chance() -> None:
    state = parse_position(f"perform: {performance_with('pair')} R4 B3 | hands: 1 2")
    play_moves(state, "reroll 1")
    assert "**Marked for the reroll**: none yet" in words_of(state)
    play_moves(state, "mark 2")
    for reader in (None, 0, 1):
        assert "**Marked for the reroll**: die 2, 17% to meet it" in words_of(state, reader)


def test_a_gift_without_a_chance_is_not_told_of() -> None:
    for lucky in (Extra(), Reroll()):
        state = parse_position(f"perform: {performance_with('3 different')} R4 | gifts: {gift_with(lucky)}")
        assert "With luck" not in words_of(state, 0)


def test_s22_a_reroll_by_gift_is_told_with_its_chance() -> None:
    again = gift_with(Reroll())
    state = parse_position(f"perform: {performance_with('pair')} R4 B3 | gifts: {again}")
    assert f"**With luck**: Gift {again} (rerolls all dice, 17%)" in words_of(state, 0)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_hand_names_every_card_and_gift(seats: int) -> None:
    for state in whole_match(seats):
        for seat in range(seats):
            said = words_of(state, seat)
            for number in state.hands[seat]:
                own = catalogue.jest_card(number)
                top = ", ".join((*("red", "blue", "green", "purple"), "any")[colour] for colour in own.top)
                assert f"**{number}**: {top} / " in said
            for number in state.gifts[seat]:
                assert re.search(rf"(?<!\d){number}: ", said)


def test_s10_the_gifts_to_choose_from_are_shown_to_who_drew_them() -> None:
    meets = dice_meeting(catalogue.favorite(1).requirement)
    state = parse_position(f"perform: favorite {meets} | favorite: 1 | gift pile: 5 9 1 2 3")
    play_moves(state, "finish")
    assert state.phase == "keep"
    assert words_of(state, 0).startswith("**Keep one of the two Gifts**")
    assert len(stage_of(hand_screen(state, 0)).choice) == 2
    assert stage_of(hand_screen(state, 1)).choice == ()


# Pictures of views


def stage_of(screen: Screen) -> Stage:
    assert screen.picture is not None
    assert isinstance(screen.picture.spec, Stage)
    return screen.picture.spec


def own_of(state: State, seat: int = 0) -> Own:
    found = stage_of(hand_screen(state, seat)).own
    assert found is not None
    return found


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_picture_shows_what_the_view_tells(seats: int) -> None:
    for state in whole_match(seats):
        drawn, view = stage_of(table_screen(state)), JESTERS.view(state, None)
        for seat, plate in enumerate(drawn.plates):
            state_of, held, fails = plate.lines
            dice = sum(view.dice[seat])
            assert len(plate.marks) + int(state_of.text.removeprefix("+") if state_of.text[:1] == "+" else 0) == dice
            assert held.text == f"{view.hand_sizes[seat]} card{'s' * (view.hand_sizes[seat] != 1)}"
            assert held.right == f"{current_fame(view, seat)}★"
            assert fails.text.split()[0] == (str(view.failures[seat]) if view.failures[seat] else "no")
            assert (fails.right == "first") is (seat == view.first)
        assert drawn.middle == view.middle
        assert drawn.own is None
        assert (drawn.attempt is not None) is (view.attempt is not None)
        if view.attempt is not None and drawn.attempt is not None:
            assert drawn.attempt.dice == tuple(
                Roll(die.colour, die.face, number in view.attempt.marked, None if die.own == die.colour else die.own)
                for number, die in enumerate(view.attempt.dice, 1)
            )
        elif view.phase != "over":
            names = [catalogue.performance(number).name for number in view.board]
            assert [task.name for task in drawn.tasks] == [catalogue.favorite(view.favorite).name, *names]


def test_everybody_sees_an_attempt_and_its_own_seat_all_gifts_beside_it() -> None:
    by_itself, turned = gift_with(FameForColour(2)), gift_with(Opposite(1))
    state = parse_position(
        f"perform: {performance_with(PAIR)} R4 B3 | hands: 1 2 / 3 / 4 | gifts: {by_itself} {turned}"
    )
    for seat in range(3):
        drawn = stage_of(hand_screen(state, seat))
        assert drawn.attempt is not None
        assert bool(drawn.round) is (seat != 0)
        assert len(own_of(state, seat).cards) == (2, 1, 1)[seat]
    assert [face.effect for face in own_of(state).gifts] == ["colour", "opposite"]


def test_who_marks_dice_sees_them_and_no_cards() -> None:
    state = parse_position(f"perform: {performance_with(PAIR)} R4 B3 | hands: 1 2")
    play_moves(state, "reroll 1", "mark 2")
    drawn = stage_of(hand_screen(state, 0))
    assert drawn.own is None
    assert drawn.attempt is not None
    assert drawn.attempt.quiet == "17% if die 2 is rerolled"


def test_what_is_on_offer_has_the_chance_of_the_readers_dice() -> None:
    pair = performance_with(PAIR)
    state = parse_position(f"dice: red 2 blue / | board: {pair} 1 2 3")
    name = catalogue.performance(pair).name
    assert next(task.chance for task in stage_of(hand_screen(state, 0)).tasks if task.name == name) == "44%"
    assert {task.chance for task in stage_of(hand_screen(state, 1)).tasks} == {""}
    assert {task.chance for task in stage_of(table_screen(state)).tasks} == {""}


def test_the_hand_shows_every_card_with_both_halves_and_no_number() -> None:
    faces = own_of(parse_position("hands: " + " ".join(map(str, range(1, 51))))).cards
    assert len(faces) == 50
    for number, face in enumerate(faces, 1):
        card_of = catalogue.jest_card(number)
        assert face.learn == tuple(-1 if colour == ANY else colour for colour in card_of.top)
        assert face.colour == (-1 if card_of.bottom.colour == ANY else card_of.bottom.colour)
    assert not {"number"} & set(JestFace.__slots__)
    assert len(set(faces)) > 20


def test_every_gift_is_drawn_as_what_it_does() -> None:
    gifts = own_of(parse_position("gifts: " + " ".join(map(str, range(1, 26))))).gifts
    drawn = {(face.effect, face.of) for face in gifts}
    assert len(drawn) == 24  # two bring one more die
    assert {face.effect for face in gifts} == {*("opposite", "recolour", "symbol", "colour", "extra", "reroll")}
    assert ("colour", 2) in drawn


# What to do, in a line


@pytest.mark.parametrize(
    ("line", "asked_for"),
    [
        ("hands: 1 | dice: red", "Learn dice, perform or pass."),
        ("hands: 1", "Learn dice or pass."),
        ("dice: red", "Perform or pass."),
        ("", "Pass: you have no other move."),
        (f"perform: {performance_with(PAIR)} R4 B3 | hands: 1", "Change the dice, or finish."),
        (f"perform: {performance_with(PAIR)} R4 B4", "The dice meet it: finish."),
    ],
)
def test_a_headline_says_what_to_do(line: str, asked_for: str) -> None:
    assert hand_screen(parse_position(line), 0).headline == asked_for


def test_others_are_told_whom_the_match_waits_for() -> None:
    given = make_context(3, NAMES)
    assert table_screen(parse_position("hands: 1"), given).headline == "Waiting for Ana to play."
    name = catalogue.performance(performance_with(PAIR)).name
    state = parse_position(f"perform: {performance_with(PAIR)} R4 B3")
    assert hand_screen(state, 1, given).headline == f"Waiting for Ana to perform {name}."


def test_every_decision_has_its_rule_and_what_things_are_worth() -> None:
    found = {}
    for state in whole_match(3):
        if state.phase != "over":
            drawn = hand_screen(state, state.turn)
            found[state.phase] = drawn.rule
            least = 10 if state.phase != "turn" or len(JESTERS.moves(state, state.turn)) > 1 else -1
            assert least < len(drawn.worth_text) <= 50, "nothing is worth anything where there is nothing to choose"
    assert found == {"turn": "S5", "attempt": "S7", "mark": "S7", "keep": "S10"}


# The end


def test_the_final_scoring_is_told_line_by_line() -> None:
    for seats in (2, 3, 4):
        state = finished_state(seats, 11)
        final, outcome = state.final, JESTERS.outcome(state)
        assert final is not None
        assert outcome is not None
        screen = result_screen(state, make_context(seats, NAMES))
        said = screen_text(screen)
        rows = re.findall(r"^\*\*(?:Majority|Failure|First|Performances|Fame)[^*]*\*\*.*: (.+)$", said, re.MULTILINE)
        assert len(rows) == 7
        sums = [0] * seats
        for row in rows:
            for seat, part in enumerate(row.split(", ")):
                assert part.startswith("ABCD"[seat])
                sums[seat] += int(part.split()[1].replace("−", "-"))
        assert tuple(sums) == final.totals == outcome.points
        for majority in final.majorities:
            counts = [f"({count})" for count in majority.counts]
            row = next(row for row in rows if all(count in row for count in counts))
            assert row
        assert screen.picture is not None
        assert isinstance(screen.picture.spec, ScoreSheet)
        assert len(screen.picture.spec.rows) == 7
        drawn = [[int(points.replace("−", "-")) for _, points in row.cells] for row in screen.picture.spec.rows]
        assert tuple(map(sum, zip(*drawn, strict=True))) == final.totals
        assert screen.picture.spec.names == make_context(seats, NAMES).plate_names
        assert screen.headline.startswith(make_context(seats, NAMES).names[outcome.winners[0]][:3])
        for seat, name in enumerate(NAMES[:seats]):
            assert f"{'ABCD'[seat]} {name}: {str(outcome.points[seat]).replace('-', '−')} Fame" in said


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_sheet_in_mid_match_has_the_totals_as_if_it_ended_now(seats: int) -> None:
    for state in whole_match(seats)[::7]:
        drawn = GAME_UI.screen.sheet(JESTERS.view(state, None), make_context(seats, NAMES)).picture
        assert drawn is not None
        assert isinstance(drawn.spec, ScoreSheet)
        assert drawn.spec.names == make_context(seats, NAMES).plate_names
        cells = [[int(points.replace("−", "-")) for _, points in row.cells] for row in drawn.spec.rows]
        assert [str(sum(own)).replace("-", "−") for own in zip(*cells, strict=True)] == list(drawn.spec.totals)
        own = [sum(catalogue.performance(number).fame for number in done) for done in state.completed]
        assert [row.cells for row in drawn.spec.rows if row.name == "Performances"] == [
            tuple((str(len(done)), f"+{one}" if one else "0") for done, one in zip(state.completed, own, strict=True))
        ]


def test_s19_what_parts_equal_totals_is_told() -> None:
    state = finished_state(2, 11)
    assert state.final is not None
    state.final = state.final._replace(totals=(20, 20), gift_counts=(2, 1), cards=(0, 4))
    assert "A and B are tied. Most Gifts win, then most Jest cards: A 2 and 0, B 1 and 4" in screen_text(
        result_screen(state)
    )
    state.final = state.final._replace(totals=(20, 19))
    assert "level" not in screen_text(result_screen(state))


def test_the_sheet_tells_what_is_completed_and_discarded() -> None:
    said = GAME_UI.screen.sheet(
        JESTERS.view(parse_position("completed: 1 / 2 | discard: 12"), None), make_context(3, NAMES)
    ).above[0]
    assert catalogue.performance(1).name in said
    assert "**Discarded Jest cards**: 12: " in said
    assert "nothing" in said


def test_the_sheet_tells_gifts_by_what_they_do_for_nobody_sees_their_numbers() -> None:
    first, second = gift_with(Opposite(0)), gift_with(Recolour(1))
    state = parse_position(f"gifts: {first} {second}")
    said = GAME_UI.screen.sheet(JESTERS.view(state, None), make_context(3, NAMES)).above[0]
    symbols = [SYMBOLS[catalogue.gift(number).symbol] for number in (first, second)]
    assert f"Gifts: turns a red die over ({symbols[0]}); makes dice blue, +1 Fame ({symbols[1]})" in said


# Events


def test_events_say_what_happened() -> None:
    pair, one = performance_with(PAIR), card_with(bottom="±1 any")
    state = parse_position(f"dice: red blue | board: {pair} 1 2 3 | hands: {one}", rolls="4 3")
    events: list[Any] = [
        *play_moves(state, f"perform {pair} red blue"),
        *play_moves(state, f"spend {one} 1 3"),
        *play_moves(state, "finish"),
    ]
    said = [GAME_UI.screen.narrate(event, make_context(3, NAMES)) for event in events]
    name = catalogue.performance(pair).name
    assert said[0] == f"Ana performs “{name}” and rolls red 4, blue 3."
    assert said[1] == f"Ana discards Jest card {one} (±1 any): die 1 from 4 to 3."
    assert said[2] == f"Ana completes “{name}” with red 3, blue 3."


def test_briefly_events_are_told_without_what_the_picture_shows() -> None:
    pair, one = performance_with(PAIR), card_with(bottom="±1 any")
    state = parse_position(f"dice: red blue | board: {pair} 1 2 3 | hands: {one}", rolls="4 3")
    events: list[Any] = [
        *play_moves(state, f"perform {pair} red blue"),
        *play_moves(state, f"spend {one} 1 3"),
        *play_moves(state, "finish"),
    ]
    said = [GAME_UI.screen.narrate_briefly(event, make_context(3, NAMES)) for event in events]
    name = catalogue.performance(pair).name
    assert said[:3] == [None, "Ana makes a 4 a 3", f"Ana completes {name}"]


def test_s10_the_gift_that_is_kept_is_named() -> None:
    said = GAME_UI.screen.narrate_briefly(
        GiftKept(seat=0, gift=gift_with(Extra()), returned=True), make_context(3, NAMES)
    )
    assert said == "Ana keeps a Gift: one more die"


def test_turns_hide_the_hand_and_there_are_no_options() -> None:
    turns = {
        GAME_UI.screen.turn_prompt(JESTERS.view(state, seat), decision)
        for state in whole_match(3)
        for seat, decision in JESTERS.decisions(state).items()
    }
    assert turns >= {
        "learn, perform or pass in round 1",
        "continue your attempt in round 1",
        "learn, perform or pass in round 2",
    }
    assert GAME_UI.screen.option_texts(Options(), 3) == {}
