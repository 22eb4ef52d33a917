"""Jesters' words: everything that the pictures show, exact chances, every event, and the final scoring."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from cogs.jesters.drawing.spec import JestFace, Own, Roll, Stage
from cogs.jesters.game_ui import GAME_UI
from cogs.jesters.tasks import missing_text, percent_text, requirement_signs, requirement_text
from cogs.jesters.words import card_top_text, current_fame
from cogs.pictures.spec import ScoreSheet
from cogs.screens.screen import Screen
from engines.jesters import JESTERS, effects, events
from engines.jesters.components import catalogue
from engines.jesters.components.catalogue import ANY, COLOURS, SYMBOLS, Extra, FameForColour, Opposite, Recolour, Reroll
from engines.jesters.model import FAVORITE_TARGET, Die, Options, State
from engines.jesters.requirements import rerolls
from engines.jesters.requirements.evaluation import missing_dice, parse_requirement
from tests.cogs.jesters.states import BENCH, keep_position, match_positions, screen_text, whole_match
from tests.cogs.screen_bench import parse_number, plain_number, spec_of
from tests.engines.jesters.positions import card_with, gift_with, parse_position, performance_with, play_moves

pytestmark = pytest.mark.usefixtures("letters")
NAMES = ("Ana", "Ben", "Cleo", "Dora")
PAIR = "pair, one blue"
TASK, SUM, DIFFERENT, ANY_PAIR = map(performance_with, (PAIR, "sum >= 9", "3 different", "pair"))
ONE, AGAIN, EXTRA = card_with(bottom="±1 any"), gift_with(Reroll()), gift_with(Extra())
FLIP, TURN_BLUE, PAINT = gift_with(Opposite(0)), gift_with(Opposite(1)), gift_with(Recolour(1))


def words_of(state: State, seat: int | None = None) -> str:
    return screen_text(BENCH.table(state, NAMES) if seat is None else BENCH.hand(state, seat, NAMES))


@pytest.mark.parametrize(
    ("requirement", "text", "drawn"),
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
        ("each 1/3 2/4 2/5 1/6", "one die for each of 1/3, 2/4, 2/5 and 1/6", "1/3 2/4 2/5 1/6"),
    ],
)
def test_s20_requirements_are_told_and_drawn(requirement: str, text: str, drawn: str) -> None:
    found = parse_requirement(requirement)
    assert requirement_text(found) == text
    signs = (sign.text + ("RBGP"[sign.colour] if sign.colour >= 0 else "") for sign in requirement_signs(found))
    assert " ".join(signs) == drawn


def test_s20_every_performance_has_words_and_signs_of_its_own() -> None:
    every = catalogue.all_components()
    found = {each.requirement for each in (*every.performances, *every.favorites)}
    assert len({requirement_text(each) for each in found}) == len(found)
    assert len({requirement_signs(each) for each in found}) == len(found)


@pytest.mark.parametrize(
    ("requirement", "dice", "text"),
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
def test_missing_dice_are_named(requirement: str, dice: str, text: str) -> None:
    found = parse_requirement(requirement)
    rolled = [("RBGP".index(die[0]), int(die[1])) for die in dice.split()]
    lack = missing_dice(found, rolled)
    assert lack is not None
    assert missing_text(lack, found.form) == text


def test_a_chance_is_never_told_as_certain_if_it_is_not() -> None:
    chances = (Fraction(0), Fraction(1, 1000), Fraction(1, 3), Fraction(999, 1000), Fraction(1))
    assert [percent_text(chance) for chance in chances] == ["0%", "under 1%", "33%", "over 99%", "100%"]


def test_the_table_tells_what_everybody_may_know() -> None:
    lying = f"dice: 2 red blue / green | board: {TASK} 1 2 3 | favorite: 2 | used: {FLIP} | done: 2 0"
    people = f"hands: 1 2 / 3 | gifts: {FLIP} | failures: 1 3 | first: 1 | fame: 2 | passed: 2"
    text = words_of(parse_position(f"{lying} | {people}"))
    doing = catalogue.performance(TASK)
    own = ", ".join(SYMBOLS[symbol] for symbol in doing.symbols)
    for part in (
        f"**{doing.name}** ({TASK}): a pair, one of them blue · {doing.fame} Fame · {own}",
        f"**{catalogue.favorite(2).name}**, the Favorite: ",
        *("a Gift", "completed by C and A"),
        "**A Ana**: 2 red, 1 blue · 2 Jest cards · 0 Performances, 2 Fame · 1 failure (+2)",
        "**B Ben**, first player card: 1 green · 1 Jest card · 0 Performances, 0 Fame · 3 failures (−5) · out",
        "**C Cleo**: no dice · 0 Jest cards · 0 Performances, 0 Fame · no failures (+5) · passed",
        f"Gifts: {FLIP}: turns a red die over ({SYMBOLS[catalogue.gift(FLIP).symbol]}, used)",
        "**In the middle**: 2 red, 3 blue, 3 green, 4 purple",
    ):
        assert part in text


def test_s16_majorities_are_told_with_what_everybody_has_of_them() -> None:
    one, two, now = map(catalogue.favorite, (1, 2, 3))
    done = next(each for each in catalogue.all_components().performances if one.symbols[0] in each.symbols)
    line = f"completed: {done.id} / | placed: {one.id} | favorite: {now.id} | favorites: {two.id} 4 5 | round: 2"
    text = words_of(parse_position(line))
    own_count = sum(symbol in one.symbols for symbol in done.symbols)
    wanted, present = (", ".join(SYMBOLS[symbol] for symbol in favorite.symbols) for favorite in (one, now))
    assert f"**Majority 6/3** {wanted}: A {own_count}, B 0, C 0" in text
    assert f"**Majority 5/2** {present} (this round): A " in text
    assert "**Majority 4/1**: not revealed yet" in text


def test_everybody_sees_the_attempt_its_dice_what_is_missing_and_the_chance_of_a_reroll() -> None:
    state = parse_position(f"perform: {TASK} R4 R5 B3 | hands: 1 2 / 3")
    for reader in (None, 0, 1):
        text = words_of(state, reader)
        assert "**Dice**: **1**: red 4 · **2**: red 5 · **3**: blue 3" in text
        assert "**Missing**: a die showing 3, 4 or 5" in text
        assert "**Chance of a reroll**: of all dice 31%; the best, of die 3, 33%" in text
    assert BENCH.hand(state, 1, NAMES).headline == f"Waiting for Ana to perform {NAME}."
    assert BENCH.table(parse_position("hands: 1"), NAMES).headline == "Waiting for Ana to play."


def test_the_best_reroll_is_named_only_if_it_is_surely_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    number = catalogue.all_components().performances[0].id
    wanted = parse_requirement("each 6 6, one red")  # which no Performance has
    task = catalogue.performance(number).model_copy(update={"requirement": wanted})
    monkeypatch.setattr(effects, "task", lambda *_: task)
    dice = "R4 R6 B4 B5 G2 G2 G2 P5 P2"
    state = parse_position(f"seats: 4 | board: {number} | perform: {number} {dice} | gifts: {AGAIN}")
    for seat in (None, 0, 1):
        assert "; the best, of dice 1, 3, 4, 5, 6, 7, 8 and 9, 77%" in words_of(state, seat)
    assert "(rerolls all dice, 23%)" in words_of(state, 0)
    monkeypatch.setattr(rerolls, "best_reroll", partial(rerolls.best_reroll, max_steps=0))
    text = words_of(state, 0)
    assert "**Chance of a reroll**: of all dice 23%; of dice 1 and 3, 31%" in text
    assert "(rerolls all dice, 23%)" in text
    assert "best" not in text


@pytest.mark.parametrize(
    ("line", "part", "unsaid"),
    [
        (f"{TASK} R4 B4", "**The dice meet the requirement.**", "Missing"),
        (f"{TASK} R4 R3", "A reroll alone is not enough", "**Chance of a reroll**"),
        (f"{SUM} R3 B3 | hands: {ONE}", f"**Gets closer**: card {ONE}: die 1 to 4, die 2 to 4", "at once"),
        (f"{DIFFERENT} R4 B5 G5 | hands: {card_with(bottom='±2 blue')}", ": die 2 to 3 or 6", "closer"),
        (f"{DIFFERENT} R4 | gifts: {EXTRA}", "Missing", "With luck"),
        (f"{DIFFERENT} R4 | gifts: {AGAIN}", "Missing", "With luck"),
        (
            f"{ANY_PAIR} R4 B3 | gifts: {AGAIN}",
            f"**With luck**: Gift {AGAIN} (rerolls all dice, 17%)",
            "at once",
        ),
    ],
)
def test_s22_it_is_told_what_the_dice_lack_and_what_helps(line: str, part: str, unsaid: str) -> None:
    words = words_of(parse_position(f"perform: {line}"), 0)
    assert part in words
    assert unsaid not in words


def test_the_uses_of_cards_and_gifts_are_shown_to_their_owner_alone() -> None:
    state = parse_position(f"perform: {TASK} R4 B3 | hands: {ONE} | gifts: {TURN_BLUE} {EXTRA}")
    help_ = f"**Success at once**: card {ONE}: die 1 to 3, die 2 to 4; Gift {TURN_BLUE}: die 2 to 4"
    assert help_ in words_of(state, 0)
    assert f"**With luck**: Gift {EXTRA} (a red die, 17%)" in words_of(state, 0) or "blue die" in words_of(state, 0)
    for other in (None, 1, 2):
        assert "Success at once" not in words_of(state, other)
        assert f"card {ONE}" not in words_of(state, other)


def test_s22_a_gift_of_another_colour_helps_if_it_gives_the_colour_asked_for() -> None:
    state = parse_position(f"perform: {TASK} R4 R4 | gifts: {PAINT}")
    assert f"**Success at once**: Gift {PAINT}: die 1" in words_of(state, 0)
    play_moves(state, f"gift {PAINT}", "mark 2")
    assert "**Mark the dice** that become blue." in words_of(state, 0)
    assert "**Marked to become blue**: die 2" in words_of(state)
    play_moves(state, "paint")
    assert "**2**: blue 4 (a red die)" in words_of(state)


def test_marks_are_seen_by_all_with_their_chance_and_their_owner_sees_no_cards() -> None:
    state = parse_position(f"perform: {ANY_PAIR} R4 B3 | hands: 1 2")
    play_moves(state, "reroll 1")
    assert "**Marked for the reroll**: none yet" in words_of(state)
    play_moves(state, "mark 2")
    for reader in (None, 0, 1):
        assert "**Marked for the reroll**: die 2, 17% to succeed" in words_of(state, reader)
    drawn = stage_of(BENCH.hand(state, 0))
    assert drawn.own is None
    assert drawn.attempt is not None
    assert drawn.attempt.quiet == "17% if die 2 is rerolled"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_hand_names_every_card_and_gift(seats: int) -> None:
    for state in whole_match(seats):
        for seat in range(seats):
            text = words_of(state, seat)
            for number in state.hands[seat]:
                top = ", ".join((*COLOURS, "any")[colour] for colour in catalogue.jest_card(number).top)
                assert f"**{number}**: {top} / " in text
            for number in state.gifts[seat]:
                assert re.search(rf"(?<!\d){number}: ", text)


def test_s10_the_gifts_to_choose_from_are_shown_to_the_player_who_drew_them() -> None:
    state = keep_position()
    assert state.phase == "keep"
    assert words_of(state, 0).startswith("**Keep one of the two Gifts**")
    assert len(stage_of(BENCH.hand(state, 0)).choice) == 2
    assert stage_of(BENCH.hand(state, 1)).choice == ()


def stage_of(screen: Screen) -> Stage:
    return spec_of(screen, Stage)


def own_spec(state: State, seat: int = 0) -> Own:
    found = stage_of(BENCH.hand(state, seat)).own
    assert found is not None
    return found


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_picture_shows_what_the_view_tells(seats: int) -> None:
    for state in whole_match(seats):
        drawn, view = stage_of(BENCH.table(state)), JESTERS.view(state, None)
        for seat, plate in enumerate(drawn.plates):
            state_of, cards_line, fails = plate.lines
            dice = sum(view.dice[seat])
            assert len(plate.marks) + int(state_of.text.removeprefix("+") if state_of.text[:1] == "+" else 0) == dice
            assert cards_line.text == f"{view.hand_sizes[seat]} card{'s' * (view.hand_sizes[seat] != 1)}"
            assert cards_line.right == f"{current_fame(view, seat)}★"
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


def test_everybody_sees_an_attempt_and_its_own_seat_the_gifts_that_can_change_dice_beside_it() -> None:
    gifts = f"{gift_with(FameForColour(2))} {TURN_BLUE}"
    state = parse_position(f"perform: {TASK} R4 B3 | hands: 1 2 / 3 / 4 | gifts: {gifts}")
    for seat in range(3):
        drawn = stage_of(BENCH.hand(state, seat))
        assert drawn.attempt is not None
        assert bool(drawn.round) is (seat != 0)
        assert len(own_spec(state, seat).cards) == (2, 1, 1)[seat]
    assert [face.effect for face in own_spec(state).gifts] == ["opposite"]
    state.turn = 1
    assert [face.effect for face in own_spec(state).gifts] == ["colour", "opposite"]


def test_offered_performances_have_the_chance_of_the_readers_dice() -> None:
    state = parse_position(f"dice: red 2 blue / | board: {TASK} 1 2 3")
    name = catalogue.performance(TASK).name
    assert next(task.chance for task in stage_of(BENCH.hand(state, 0)).tasks if task.name == name) == "44%"
    assert {task.chance for task in stage_of(BENCH.hand(state, 1)).tasks} == {""}
    assert {task.chance for task in stage_of(BENCH.table(state)).tasks} == {""}


def test_the_hand_shows_every_card_with_both_halves_and_no_number_and_every_gift_as_what_it_does() -> None:
    cards, numbers = (" ".join(map(str, range(1, end))) for end in (51, 26))
    own = own_spec(parse_position(f"hands: {cards} | gifts: {numbers}"))
    faces, gifts = own.cards, own.gifts
    assert len(faces) == 50
    for number, face in enumerate(faces, 1):
        card_of = catalogue.jest_card(number)
        assert face.learn == tuple(-1 if colour == ANY else colour for colour in card_of.top)
        assert face.colour == (-1 if card_of.bottom.colour == ANY else card_of.bottom.colour)
    assert not {"number"} & set(JestFace.__slots__)
    assert len(set(faces)) > 20
    drawn = {(face.effect, face.of) for face in gifts}
    assert len(drawn) == 24  # two bring one more die
    assert {face.effect for face in gifts} == {*("opposite", "recolour", "symbol", "colour", "extra", "reroll")}
    assert ("colour", 2) in drawn


@pytest.mark.parametrize(
    ("line", "headline", "words"),
    [
        ("hands: 1 | dice: red", "Learn dice, perform or pass.", "**Your turn**: learn, perform or pass."),
        ("hands: 1", "Learn dice or pass.", "**Your turn**: learn or pass."),
        ("dice: red", "Perform or pass.", "**Your turn**: perform or pass."),
        ("", "Pass: you have no other move.", "**Your turn**: pass."),
        (f"perform: {TASK} R4 B3 | hands: 1", "Change the dice, or finish.", ""),
        (f"perform: {TASK} R4 B4", "Requirement met: finish.", "**Requirement met**: finish"),
    ],
)
def test_it_is_said_first_what_to_do(line: str, headline: str, words: str) -> None:
    assert BENCH.hand(parse_position(line), 0).headline == headline
    assert words_of(parse_position(line), 0).startswith(words)


def test_every_decision_has_its_rule_and_what_things_are_worth() -> None:
    found = {}
    for state in whole_match(3):
        if state.phase != "over":
            drawn = BENCH.hand(state, state.turn)
            found[state.phase] = drawn.rule
            least = 10 if state.phase != "turn" or len(JESTERS.moves(state, state.turn)) > 1 else -1
            assert least < len(drawn.worth_text) <= 50, "nothing is worth anything where there is nothing to choose"
            waiting = set(range(len(state.dice))) - {state.turn}
            assert not [seat for seat in waiting if BENCH.hand(state, seat).worth_text], "they decide nothing"
    assert found == {"turn": "S5", "attempt": "S7", "mark": "S7", "keep": "S10"}


def test_the_final_scoring_is_told_line_by_line() -> None:
    for seats in (2, 3, 4):
        *_, state = match_positions(seats, 11)
        final, outcome = state.final, JESTERS.outcome(state)
        assert final is not None
        assert outcome is not None
        screen = BENCH.result(state, NAMES)
        text = screen_text(screen)
        rows = re.findall(r"^\*\*(?:Majority|Failure|First|Performances|Fame)[^*]*\*\*.*: (.+)$", text, re.MULTILINE)
        assert len(rows) == 7
        sums = [0] * seats
        for row in rows:
            for seat, part in enumerate(row.split(", ")):
                assert part.startswith("ABCD"[seat])
                sums[seat] += parse_number(part.split()[1])
        assert tuple(sums) == final.totals == outcome.points
        for majority in final.majorities:
            counts = [f"({count})" for count in majority.counts]
            assert any(all(count in row for count in counts) for row in rows)
        sheet = spec_of(screen, ScoreSheet)
        assert len(sheet.rows) == 7
        drawn = [[parse_number(points) for _, points in row.cells] for row in sheet.rows]
        assert tuple(map(sum, zip(*drawn, strict=True))) == final.totals
        assert sheet.names == BENCH.context(seats, NAMES).plate_names
        assert screen.headline.startswith(BENCH.context(seats, NAMES).names[outcome.winners[0]][:3])
        for seat, name in enumerate(NAMES[:seats]):
            assert f"{'ABCD'[seat]} {name}: {plain_number(outcome.points[seat])} Fame" in text


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_sheet_in_mid_match_has_the_totals_as_if_it_ended_now(seats: int) -> None:
    for state in (each for each in whole_match(seats)[::7] if each.final is None):
        sheet = spec_of(BENCH.sheet(state, NAMES), ScoreSheet)
        assert sheet.names == BENCH.context(seats, NAMES).plate_names
        cells = [[parse_number(points) for _, points in row.cells] for row in sheet.rows]
        assert [plain_number(sum(own)) for own in zip(*cells, strict=True)] == list(sheet.totals)
        own = [sum(catalogue.performance(number).fame for number in done) for done in state.completed]
        assert [row.cells for row in sheet.rows if row.name == "Performances"] == [
            tuple((str(len(done)), f"+{one}" if one else "0") for done, one in zip(state.completed, own, strict=True))
        ]


def test_s19_the_result_says_how_equal_totals_are_told_apart() -> None:
    *_, state = match_positions(2, 11)
    assert state.final is not None
    state.final = state.final._replace(totals=(20, 20), gift_counts=(2, 1), cards=(0, 4))
    sentence = "A and B are tied. More Gifts win, then more Jest cards: A has 2 Gifts and 0 cards, B 1 and 4."
    assert sentence in screen_text(BENCH.result(state))
    state.final = state.final._replace(totals=(20, 19))
    assert "level" not in screen_text(BENCH.result(state))


def test_the_sheet_tells_what_is_completed_and_discarded_and_gifts_by_what_they_do() -> None:
    text = BENCH.sheet(parse_position(f"completed: 1 / 2 | discard: 12 | gifts: {FLIP} {PAINT}"), NAMES).above[0]
    assert catalogue.performance(1).name in text
    assert "**Discarded Jest cards**: 12: " in text
    assert "nothing" in text
    symbols = [SYMBOLS[catalogue.gift(number).symbol] for number in (FLIP, PAINT)]
    assert f"Gifts: turns a red die over ({symbols[0]}); makes dice blue, +1 Fame ({symbols[1]})" in text


NAME, TOP = catalogue.performance(TASK).name, card_top_text(ONE)
ROLLED, SHOWN, NONE = (Die(0, 0, 4), Die(1, 1, 3)), "red 4, blue 3", (0, 0, 0, 0)
SPENDS, FAILS, KEEPS = f"discards Jest card {ONE}", f"Ben fails at “{NAME}”", f"Ana keeps Gift {EXTRA} (one more die)"
PAINTS = "makes dice blue, +1 Fame"
TRIED: dict[str, Any] = {"target": TASK, "dice": ROLLED}
EVENTS: list[tuple[Any, str | None]] = [
    (events.TechniquesLearned(seat=0, card=ONE, dice=(0, 0, 1)), f"Ana {SPENDS} ({TOP}) and learns 2 red, 1 blue."),
    (events.AttemptStarted(seat=0, target=TASK, dice=ROLLED), f"Ana performs “{NAME}” and rolls red 4, blue 3."),
    (events.CardSpent(seat=0, card=ONE, die=1, before=4, face=3), f"Ana {SPENDS} (±1 any): die 1 from 4 to 3."),
    (events.TaskCompleted(seat=0, target=TASK, dice=ROLLED), f"Ana completes “{NAME}” with red 4, blue 3."),
    (events.TaskCompleted(seat=0, target=FAVORITE_TARGET, dice=ROLLED), f"Ana completes the Favorite with {SHOWN}."),
    (events.AttemptFailed(seat=1, failures=1, cards=1, **TRIED), f"{FAILS} (failure 1 of 3) and draws 1 Jest card."),
    (events.AttemptFailed(seat=1, failures=3, cards=0, **TRIED), f"{FAILS} (failure 3 of 3)."),
    (events.WentOut(seat=1, dice=(2, 0, 0, 1)), "Ben is out of play. 2 red, 1 purple go back to the middle."),
    (events.WentOut(seat=1, dice=NONE), "Ben is out of play."),
    (events.SeatPassed(seat=1, dice=NONE, first=True), "Ben passes and takes the first player card."),
    (events.SeatPassed(seat=1, dice=(0, 1, 0, 0), first=False), "Ben passes, returning 1 blue."),
    (events.RerollBought(seat=0, card=ONE), f"Ana {SPENDS} for a reroll."),
    (events.GiftUsed(seat=0, gift=PAINT), f"Ana uses Gift {PAINT}: it makes dice blue, +1 Fame."),
    (events.GiftUsed(seat=0, gift=EXTRA), f"Ana uses Gift {EXTRA}: it is one more die."),
    (events.DieTurned(seat=0, gift=FLIP, die=1, before=4, face=3), f"Ana uses Gift {FLIP}: die 1 from 4 to 3."),
    (
        events.TechniqueAdded(seat=0, gift=1, die=3, colour=2, face=6),
        "Ana uses Gift 1 and adds a green die, which shows 6.",
    ),
    (events.DieMarked(seat=0, die=2, marked=True), "Ana marks die 2."),
    (events.DieMarked(seat=0, die=2, marked=False), "Ana unmarks die 2."),
    (events.DiceRerolled(seat=0, dice=(1, 3), faces=(6, 2)), "Ana rerolls: die 1 shows 6, die 3 shows 2."),
    (events.DicePainted(seat=0, dice=(1, 3), colour=1), "Ana makes dice 1 and 3 blue."),
    (events.DicePainted(seat=0, dice=(2,), colour=1), "Ana makes die 2 blue."),
    (events.FameGained(seat=0, gift=EXTRA, fame=1), f"Ana gains 1 Fame from Gift {EXTRA} (one more die)."),
    (
        events.GiftsSeen(seat=0, gifts=(EXTRA, PAINT)),
        f"You draw Gift {EXTRA} (one more die) and Gift {PAINT} ({PAINTS}).",
    ),
    (events.GiftKept(seat=0, gift=EXTRA, returned=True), f"{KEEPS}; the other one goes under the pile."),
    (events.GiftKept(seat=0, gift=EXTRA, returned=False), f"{KEEPS}."),
    (events.PerformanceRevealed(performance=TASK), f"A new Performance: “{NAME}”."),
    (events.CardsDrawn(seat=0, cards=(ONE,)), f"You draw the Jest card {ONE} ({TOP} / ±1 any)."),
    (events.PileRefilled(cards=9), "The 9 discarded Jest cards are shuffled into a new pile."),
]
BRIEFLY = (
    *("Ana learns 2 red and 1 blue", None, "Ana turns a 4 into a 3", f"Ana completes “{NAME}”"),
    *("Ana completes the Favorite", f"Ben fails at “{NAME}”", f"Ben fails at “{NAME}”", "Ben is out", "Ben is out"),
    *("Ben passes", "Ben passes", None, "Ana uses a Gift", "Ana uses a Gift", "Ana turns a 4 into a 3"),
    *("Ana adds a green 6", None, None, "Ana rerolls to 6 and 2", "Ana makes dice 1 and 3 blue"),
    *("Ana makes die 2 blue", "Ana gains 1 Fame from a Gift", None, "Ana keeps a Gift (one more die)"),
    *("Ana keeps a Gift (one more die)", None, None, None),
)


def test_an_event_is_told_in_a_sentence_and_briefly() -> None:
    context = BENCH.context(3, NAMES)
    assert [GAME_UI.screen.narrate(event, context) for event, _ in EVENTS] == [sentence for _, sentence in EVENTS]
    assert tuple(GAME_UI.screen.narrate_briefly(event, context) for event, _ in EVENTS) == BRIEFLY


def test_turns_hide_the_hand_and_there_are_no_options() -> None:
    turns = BENCH.turn_prompts(whole_match(3))
    assert turns >= {f"learn, perform or pass in round {number}" for number in (1, 2)}
    assert "continue your attempt in round 1" in turns
    assert GAME_UI.screen.option_texts(Options(), 3) == {}
