"""Records: what is written, what is read back, and what is said of a text that is none."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import GAMES
from engines.hosting.records.record import BadRecord, Record, RecordMove, format_record, parse_record, replay
from engines.kit.contract import Outcome
from engines.kit.errors import IllegalMove
from engines.wizard import WIZARD
from engines.wizard.game import WizardGame
from tests.contract.helper import MatchPlan
from tests.golden.records import play_plan

TEXT = """\
motley-record: 1
game: wizard
rules: 1
seats: 3
players: ["Ana", "李雷", "a\\nb: \\"c\\""]
options: {"rounds":1}
seed: 000102030405060708090a0b0c0d0e0f
result: none

1 B bid 1
2 C bid 0
"""
LETTERS = st.sampled_from('aZ19 :,.-[]{}"\\\n\r\t\u2028\u00a0ä²李🧙')  # few, since all of Unicode takes long to look up
RECORD, REPLAY = play_plan(WIZARD, MatchPlan(3, {"rounds": 2}), "ab" * 16)


def test_a_record_is_a_readable_text() -> None:
    record = parse_record(TEXT)
    assert record.players == ("Ana", "李雷", 'a\nb: "c"')
    assert record.moves == (RecordMove(1, "bid 1"), RecordMove(2, "bid 0"))
    assert (record.game, record.rules, record.seats, record.result) == ("wizard", 1, 3, None)
    assert format_record(record) == TEXT
    text = format_record(replace(RECORD, players=()))
    assert "players" not in text
    assert parse_record(text).players == ()


NOTATIONS = st.sampled_from(["bid 0", "play wizard", "trade 4C 9D JH", "take B down", "roll 1-3/5"])


BY = st.sampled_from(["", "substitute", "computer, easy", "computer, hard"])


def test_the_player_of_a_move_is_named_behind_it() -> None:
    text = TEXT + "3 A bid 1 ; substitute\n4 B play QH ; computer, hard\n"
    assert parse_record(text).moves[2:] == (
        RecordMove(0, "bid 1", "substitute"),
        RecordMove(1, "play QH", "computer, hard"),
    )
    assert format_record(parse_record(text)) == text
    assert parse_record(text.replace(" ; ", ";")) == parse_record(text)


@pytest.mark.parametrize("by", ["", "somebody", "computer", "computer, ", "computer, 9", "substitute; computer, hard"])
def test_an_impossible_author_of_a_move_is_refused(by: str) -> None:
    with pytest.raises(BadRecord, match="line 12: the author must be"):
        parse_record(f"{TEXT}3 A bid 1 ; {by}\n")


def test_a_replay_is_the_same_for_moves_of_people_and_computers() -> None:
    with_authors = replace(RECORD, moves=tuple(replace(move, author="computer, hard") for move in RECORD.moves))
    assert replay(parse_record(format_record(with_authors)), GAMES) == REPLAY


@given(
    st.lists(st.text(LETTERS, max_size=40), min_size=4, max_size=4),
    st.lists(st.tuples(st.integers(0, 3), NOTATIONS, BY), max_size=30),
    st.none() | st.tuples(*[st.integers(-999, 999)] * 4).map(Outcome.from_points),
)
def test_a_written_record_reads_back(
    names: list[str], moves: list[tuple[int, str, str]], result: Outcome | None
) -> None:
    record_moves = tuple(RecordMove(*each) for each in moves)
    record = Record("wizard", 1, 4, '{"rounds":null}', "0" * 32, record_moves, result, tuple(names))
    assert parse_record(format_record(record)) == record


def test_windows_line_ends_blank_lines_and_a_byte_order_mark_do_no_harm() -> None:
    text = "\ufeff" + TEXT.replace("2 C bid", "\n2  C bid").replace("\n", "\r\n")
    assert parse_record(text) == parse_record(TEXT)


def test_a_replay_gives_the_last_state_and_all_events() -> None:
    assert replay(RECORD, GAMES) == REPLAY
    assert replay(parse_record(format_record(RECORD)), GAMES) == REPLAY
    assert WIZARD.outcome(REPLAY.state) == RECORD.result


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("motley-record: 1", "motley-record: 3", "line 1: .*version 1 or 2"),
        ("motley-record: 1\n", "", "“motley-record” is missing"),
        ("game: wizard\n", "", "“game” is missing"),
        ("game: wizard", "game wizard", "line 2: a header"),
        ("game: wizard", "game: Wi zard", "line 2: “Wi zard” is not a valid game"),
        ("rules: 1", "rules: one", "line 3: “one” is not a valid rules"),
        ("seats: 3", "seats: 3\nseats: 4", "line 5: “seats” appears twice"),
        ("seats: 3", "seats: 4", "line 5: 3 players for 4 seats"),
        ('["Ana", ', '["Ana" ', "line 5: the players must be a JSON list"),
        ('["Ana", ', "[1, ", "line 5: the players must be a JSON list"),
        ('{"rounds":1}', "rounds=1", "line 6: “rounds=1” is not a valid options"),
        ("0d0e0f", "0d0e0g", "line 7: .* is not a valid seed"),
        ("0d0e0f", "0d0e", "line 7: .* is not a valid seed"),
        ("none", "draw", "line 8: “draw” is not a valid result"),
        ("none", "places 1 2, points 1 2", "line 8: .* 3 seats"),
        ("none", "none\nmood: good", "line 9: there is no header “mood”"),
        ("1 B bid 1", "bid 1", "line 10: a move needs its number"),
        ("1 B bid 1", "1 B", "line 10: a move needs its number"),
        ("1 B bid 1", "2 B bid 1", "line 10: this is move 1, not 2"),
        ("2 C bid 0", "2 D bid 0", "line 11: there is no seat D, only A to C"),
        ("2 C bid 0", "2 G bid 0", "line 11: “G” is not a seat. Write its letter"),
        ("2 C bid 0", "2 3 bid 0", "line 11: a move needs its number, the letter of a seat, and its notation"),
        ("2 C bid 0", "² C bid 0", "line 11: a move needs its number"),
    ],
)
def test_a_malformed_text_is_refused_by_line(old: str, new: str, message: str) -> None:
    assert old in TEXT
    with pytest.raises(BadRecord, match=message):
        parse_record(TEXT.replace(old, new, 1))


@given(st.text(LETTERS) | st.text(alphabet="motley-record: 1\ngameseatoptions{}"))
def test_any_other_text_is_refused_and_nothing_breaks(text: str) -> None:
    with pytest.raises(BadRecord):
        parse_record(text)


@given(st.integers(0, len(format_record(RECORD)) - 1), LETTERS)
def test_a_record_with_one_wrong_character_is_refused_or_replays(at: int, wrong: str) -> None:
    text = format_record(RECORD)
    with suppress(BadRecord):
        replay(parse_record(text[:at] + wrong + text[at + 1 :]), GAMES)


FIRST, *LATER = RECORD.moves
MISFITS: list[tuple[dict[str, Any], str]] = [
    ({"game": "chess"}, "there is no game “chess”"),
    ({"rules": 99}, "rules version 99 of Wizard is not known"),
    ({"seats": 7}, "cannot be started: .*3 to 6"),
    ({"options": '{"rounds":0}'}, "cannot be started"),
    ({"options": '{"rounds":}'}, "cannot be started"),
    ({"seed": "cd" * 16}, "move|result"),
    ({"moves": RECORD.moves[:-1]}, "the result is none, not places"),
    ({"moves": (*RECORD.moves, RecordMove(0, "bid 0"))}, r"move \d+ \(bid 0\): The game is over\."),
    ({"moves": (RecordMove(0, "fly"), *LATER)}, r"move 1 \(fly\): .* is not a move"),
    ({"moves": (replace(FIRST, seat=(FIRST.seat + 1) % 3), *LATER)}, "move 1"),
    ({"result": None}, "the result is places .*, not none"),
    ({"result": Outcome((1, 1, 1), (0, 0, 0))}, "the result is places"),
]


@pytest.mark.parametrize(("changes", "message"), MISFITS)
def test_a_record_that_does_not_fit_its_game_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(BadRecord, match=message):
        replay(replace(RECORD, **changes), GAMES)


class StrictWizard(WizardGame):
    """Later rules: nobody may bid 0."""

    version = WIZARD.version + 1
    past_versions = {WIZARD.version: WIZARD}  # noqa: RUF012

    def check(self, state, seat, move):  # type: ignore[no-untyped-def]
        super().check(state, seat, move)
        if self.format_move(move) == "bid 0":
            raise IllegalMove("W4", "Be brave.")


def test_a_record_replays_under_the_rules_it_was_played_with() -> None:
    games = {"wizard": StrictWizard()}
    assert any(move.notation == "bid 0" for move in islice(RECORD.moves, 20))
    assert replay(RECORD, games) == REPLAY
    with pytest.raises(BadRecord, match="Be brave"):
        replay(replace(RECORD, rules=StrictWizard.version), games)


# Take-backs


def with_take_backs(record: Record, *, only: bool = False) -> Record:
    """Return a record in which each of the first moves is taken back and made again."""
    moves: list[RecordMove] = []
    for move in record.moves[:6]:
        number = len(moves) + 1
        moves += [move, RecordMove(move.seat, f"undo {'only ' if only else ''}{number}"), move]
    return replace(record, moves=(*moves, *record.moves[6:]))


@pytest.mark.parametrize("only", [False, True])
def test_moves_that_were_taken_back_leave_no_trace_in_the_state(only: bool) -> None:
    record = with_take_backs(RECORD, only=only)
    text = format_record(record)
    assert text.startswith("motley-record: 2\n")
    assert parse_record(text) == record
    second = replay(record, GAMES)
    assert second.state == REPLAY.state
    assert second.events[:3] == (REPLAY.events[0], (), REPLAY.events[0])
    assert record.in_force() == RECORD
    assert format_record(record.in_force()).startswith("motley-record: 1\n")


def test_a_take_back_takes_all_later_moves_back_too() -> None:
    first, second, third = RECORD.moves[:3]
    moves = (first, second, third, RecordMove(first.seat, "undo 1"), first, second, third, *RECORD.moves[3:])
    assert replay(replace(RECORD, moves=moves), GAMES).state == REPLAY.state


@pytest.mark.parametrize(
    ("row", "refusal"),
    [
        ("undo 3", "cannot be taken back, because it is not in force"),
        ("undo 9", "cannot be taken back, because it is not in force"),
        ("undo 0", "undo"),
        ("undo", "undo"),
        ("undo 1", "move 1 is another seat's"),
    ],
)
def test_a_record_with_an_impossible_undo_is_wrong(row: str, refusal: str) -> None:
    seat = RECORD.moves[0].seat + (refusal == "move 1 is another seat's")
    moves = (*RECORD.moves[:2], RecordMove(seat % 3, row), *RECORD.moves[2:])
    with pytest.raises(BadRecord, match=rf"move 3 \({row}\): .*{refusal}"):
        replay(replace(RECORD, moves=moves), GAMES)


def test_a_move_is_taken_back_once() -> None:
    first = RECORD.moves[0]
    undo = RecordMove(first.seat, "undo 1")
    with pytest.raises(BadRecord, match=r"move 3 .*not in force"):
        replay(replace(RECORD, moves=(first, undo, undo)), GAMES)


def test_an_older_version_has_no_take_backs() -> None:
    text = format_record(with_take_backs(RECORD)).replace("motley-record: 2", "motley-record: 1")
    with pytest.raises(BadRecord, match="only a record of version 2 can undo moves"):
        parse_record(text)
