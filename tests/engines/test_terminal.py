"""`python -m engines`: a match played on the terminal, and the record of one verified."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from engines import GAMES, Chance
from engines.__main__ import main
from engines.hosting.records import record
from engines.kit.options import format_value
from engines.kit.seats import LETTERS
from engines.terminal import HELP, Terminal, TerminalMatch
from tests.contract.helper import MatchStart
from tests.contract.helpers import HELPERS
from tests.golden.records import random_record_paths

SEED = "7".zfill(32)
RECORDS = {path.parents[0].parent.name: path for path in reversed(random_record_paths())}
"""A golden record of each game."""

games = pytest.mark.parametrize("key", list(GAMES))
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command with these arguments and lines of input: its exit code, and what it says."""

    def run(*arguments: str, lines: Iterator[str] | None = None) -> tuple[int, str]:
        def ask(prompt: str) -> str:
            print(prompt)
            try:
                return next(lines or iter(()))
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", ask)
        try:
            code = main(arguments)
        except SystemExit as left:
            code = int(str(left.code))
        output = capsys.readouterr()
        return code, output.out + output.err

    return run


class TerminalUser:
    """Somebody at a terminal who asks for the moves there are and makes one of them."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.prompts: list[str] = []
        self._chance = Chance("01")

    def ask(self, prompt: str) -> str:
        self.prompts.append(prompt)
        listed = re.fullmatch(r"moves of [A-F]: (.*?)(\nand \d+ more.*)?", self.lines[-1], re.DOTALL)
        if listed is None:
            return "?"
        return self._chance.choice(re.split(r",\s+", listed[1]))


def first_start(key: str) -> MatchStart:
    return HELPERS[key].starts()[0]


def make_sitting(key: str, table: TerminalUser, at_random: frozenset[int]) -> TerminalMatch:
    start = first_start(key)
    return TerminalMatch(
        GAMES[key], start.seats, start.options, SEED, at_random, Terminal(table.ask, table.lines.append)
    )


def random_arguments(key: str) -> list[str]:
    """The arguments for a match of that start in which all move at random."""
    start = first_start(key)
    chosen = [f"{name}={format_value(value)}" for name, value in asdict(start.options).items()]
    return ["play", key, "--seats", str(start.seats), "--random", "all", *(f"--option={each}" for each in chosen)]


@games
def test_a_match_is_played_by_all_seats_with_the_moves_that_are_listed(key: str) -> None:
    table = TerminalUser()
    played = make_sitting(key, table, frozenset()).play_match()
    assert played.result is not None
    record.replay(played, GAMES)
    assert {prompt[0] for prompt in table.prompts} == set(LETTERS[: first_start(key).seats])
    assert "place" in table.lines[-1]


@games
def test_somebody_who_plays_against_random_seats_sees_their_own_board_and_nothing_else(key: str) -> None:
    table = TerminalUser()
    played = make_sitting(key, table, frozenset(range(1, first_start(key).seats))).play_match()
    assert set(table.prompts) == {"A> "}
    *during, board, result = table.lines[1:]
    for text in during:
        assert re.match(r"moves of A: |\n.*, seen by A\n", text), text
    assert re.match(r".*, over, seen by a spectator\n", board)
    assert result.split()[:2] == ["place", "points"]
    assert record.parse_record(record.format_record(played)) == played


@games
def test_one_seed_gives_one_match_and_its_record_is_verified(key: str, run: Run, tmp_path: Path) -> None:
    texts = []
    for name in ("one", "two"):
        file = tmp_path / name
        assert run(*random_arguments(key), "--seed", "7", "--record", str(file))[0] == 0
        texts.append(file.read_text(encoding="utf-8"))
    assert texts[0] == texts[1]
    assert f"seed: {SEED}\n" in texts[0]
    code, output = run("check", str(tmp_path / "one"))
    assert (code, "The result is correct:" in output) == (0, True)
    assert run(*random_arguments(key), "--record", str(tmp_path / "three"))[0] == 0
    assert SEED not in (tmp_path / "three").read_text(encoding="utf-8"), "without a seed there is a new one"


def test_a_refusal_is_a_sentence_and_the_seat_is_asked_again(run: Run) -> None:
    wizard = ("play", "wizard", "--seed", "7", "--seats", "4")
    code, output = run(*wizard, lines=iter(["bid 9", "9", "bid 1"]))
    assert code == 0
    assert "A> \nBid a number from 0 to 1 in this round.\nA> \n“9” is not a move of Wizard.\nA> \n\nWizard" in output
    assert output.endswith("B> \nYou left the match before its end.\n")


def test_a_letter_before_a_line_is_for_that_seat(run: Run) -> None:
    lines = ["B ?", "C offer AD", "B offer 9S", "E offer 3H", "C", "x", "quit"]
    _, output = run("play", "jest", "--seed", "7", "--random", "C", lines=iter(lines))
    first, *answers = output.split("A> \n")[1:]
    assert re.fullmatch(r"moves of B: offer \w+, offer \w+\n", first)
    assert "".join(answers).splitlines() == [
        "Seat C moves at random, by itself.",
        "Jest has only aces, 2s, 3s and 4s, and the Joker.",
        "There is no seat E at this table.",
        "Seat C moves at random, by itself.",
        "“x” is not a seat. Write its letter, such as B.",
        "You left the match before its end.",
    ]


def test_a_seat_out_of_turn_may_do_what_the_rules_let_it(run: Run, tmp_path: Path) -> None:
    game = GAMES["jest"]
    state = game.start(3, game.options(), Chance(SEED))
    change = [game.format_move(move) for move in game.moves(state, 1)]
    file = tmp_path / "match.txt"
    lines = [f"b {change[0]}", f"B {change[1]}"]
    run("play", "jest", "--seed", "7", "--record", str(file), lines=iter(lines))
    assert file.read_text(encoding="utf-8").endswith(f"\n1 B {change[0]}\n2 B {change[1]}\n")


def test_long_lists_of_moves_say_how_many_more_there_are(run: Run) -> None:
    _, output = run("play", "jokers", "--seed", "7", lines=iter(["?", "? done", "?TRADE 2"]))
    assert re.search(r"\nand \d+ more\. ", output)
    assert "\nmoves of B: done\n" in output or "\nmoves of A: done\n" in output
    assert HELP in output


def test_nothing_shows_the_board_again_and_quitting_keeps_the_record(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    _, output = run("play", "wizard", "--seed", "7", "--record", str(file), lines=iter(["", "bid 0", "Exit"]))
    assert output.count("seen by A") == 2
    assert "result: none\n\n1 A bid 0\n" in file.read_text(encoding="utf-8")
    assert run("check", str(file))[0] == 0


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (["wizard", "--seats", "9"], "Wizard is for 3 to 6 players."),
        (["wizard", "--option", "rounds=90"], "Rounds can be 1 to 20, or none."),
        (["wizard", "--option", "cards=3"], "Wizard has no such option."),
        (["wizard", "--random", "D"], "There is no seat D at this table, only ABC."),
        (["wizard", "--random", "A7"], "“7” is not a seat"),
        (["wizard", "--seed", "luck"], "A seed is 1 to 32 hex digits."),
        (["chess"], "invalid choice: 'chess'"),
        (["wizard", "--record", "."], ".: File exists."),
        (["wizard", "--record", "nowhere/match.txt"], "nowhere/match.txt: No such file or directory."),
    ],
)
def test_a_match_that_cannot_begin_is_refused_in_a_sentence(arguments: list[str], refusal: str, run: Run) -> None:
    code, answer = run("play", *arguments)
    assert code == 2
    assert refusal in answer
    assert "seen by" not in answer


def test_a_record_is_never_written_over_another(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    file.write_text("kept", encoding="utf-8")
    assert run("play", "wizard", "--record", str(file))[0] == 2
    assert file.read_text(encoding="utf-8") == "kept"


# Checking


@games
def test_a_record_that_fits_is_told_with_its_result(key: str, run: Run) -> None:
    code, output = run("check", str(RECORDS[key]))
    parsed = record.parse_record(RECORDS[key].read_text(encoding="utf-8"))
    assert code == 0
    assert output.startswith(
        f"Correct record: {GAMES[key].title}, rules version {parsed.rules}, {parsed.seats} seats, "
    )
    assert parsed.result is not None
    for seat, (place, points) in enumerate(zip(parsed.result.places, parsed.result.points, strict=True)):
        assert re.search(
            rf"^{LETTERS[seat]} +{place} +{points}  .*{re.escape(parsed.players[seat])}$", output, re.MULTILINE
        )


@games
def test_a_record_with_moves_that_were_taken_back_is_correct(key: str, run: Run, tmp_path: Path) -> None:
    parsed = record.parse_record(RECORDS[key].read_text(encoding="utf-8"))
    first = parsed.moves[0]
    file = tmp_path / "match.txt"
    moves = (first, record.RecordMove(first.seat, "undo 1"), *parsed.moves)
    file.write_text(record.format_record(replace(parsed, moves=moves)), encoding="utf-8")
    code, output = run("check", str(file))
    assert code == 0, output
    assert f", {len(parsed.moves)} moves.\n" in output
    assert "Other moves were taken back: 1." in output


def tampered_records(source: record.Record) -> Iterator[tuple[str, record.Record]]:
    """The record with one thing changed, and what is then said of it."""
    assert source.result is not None
    places, points = source.result.places, source.result.points
    yield "the result is", replace(source, result=replace(source.result, points=(points[0] + 1, *points[1:])))
    yield "the result is", replace(source, result=replace(source.result, places=(*places[1:], places[0] + 1)))
    yield "the result is", replace(source, result=None)
    yield "the result is none, not", replace(source, moves=source.moves[:-1])
    yield r"move \d+ \(.*\): .*\.", replace(source, seed=source.seed[:-1] + f"{15 - int(source.seed[-1], 16):x}")
    yield r"move \d+ \(.*\): .*\.", replace(source, moves=(*source.moves, source.moves[-1]))
    yield r"move \d+ \(.*\): .*\.", replace(source, moves=source.moves[1:])
    yield (
        r"move 2 \(sing\): .*\.",
        replace(source, moves=(source.moves[0], record.RecordMove(0, "sing"), *source.moves[2:])),
    )


@games
def test_a_record_that_was_tampered_with_is_told_from_a_true_one(key: str, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    for wrong, other in tampered_records(record.parse_record(RECORDS[key].read_text(encoding="utf-8"))):
        file.write_text(record.format_record(other), encoding="utf-8")
        code, output = run("check", str(file))
        assert code == 1, wrong
        assert re.match(rf"Wrong record: {wrong}", output), output
        assert "differs from the match." in output


WIZARD_RECORD = RECORDS["wizard"].read_text(encoding="utf-8")
UNCHECKABLE = [
    (b"", "the header “motley-record” is missing"),
    (b"\x89PNG\r\n\x1a\n", "is not a text file"),
    (b"%PDF-1.7\nhello\n", "line 1: a header needs a name, a colon and a value"),
    (b"motley-record: 1\ngame: chess\n", "the header “seats” is missing"),
]
CHANGED = [
    # (a line of a record, what stands there instead, what is said)
    ("game: wizard", "game: chess", "there is no game “chess”"),
    ("game: wizard", "colour: red\ngame: wizard", "line 2: there is no header “colour”"),
    ("rules: 2", "rules: 99", "rules version 99 of Wizard is not known"),
    ("3 .*", "3 bid 1", "line 12: a move needs its number, the letter of a seat, and its notation"),
    ("players:.*", "players: " + "[" * 100_000, "line 5: the players must be a JSON list of names"),
    ("result:.*", f"result: places 1 2 3, points {'9' * 5000} 1 1", "line 8: .* is not a valid result"),
]
UNCHECKABLE += [
    (re.sub(f"^{line}$", other, WIZARD_RECORD, count=1, flags=re.MULTILINE).encode(), refusal)
    for line, other, refusal in CHANGED
]


@pytest.mark.parametrize(("content", "refusal"), UNCHECKABLE, ids=[refusal for _, refusal in UNCHECKABLE])
def test_a_record_that_cannot_be_checked_is_refused_with_its_line(
    content: bytes, refusal: str, run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "match.txt"
    file.write_bytes(content)
    code, answer = run("check", str(file))
    assert code == 1
    assert re.match(rf"Cannot check .*{refusal}\.\n$", answer), answer


def test_a_missing_file_is_told(run: Run, tmp_path: Path) -> None:
    code, output = run("check", str(tmp_path / "match.txt"))
    assert (code, output) == (1, f"Cannot check {tmp_path}/match.txt: No such file or directory.\n")


def test_many_records_are_checked_at_once(run: Run, tmp_path: Path) -> None:
    for name in ("one.txt", "two.txt"):
        (tmp_path / "good" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "good" / name).write_text(WIZARD_RECORD)
    (tmp_path / "bad.txt").write_text("nothing")
    (tmp_path / "empty").mkdir()
    code, output = run("check", str(tmp_path / "good"))
    assert code == 0
    assert output.endswith("Correct: 2 of 2 records.\n")
    code, output = run("check", str(tmp_path / "good"), str(tmp_path / "bad.txt"), str(tmp_path / "empty"))
    assert code == 1
    assert f"{tmp_path / 'bad.txt'}:\nCannot check this" in output
    assert f"Cannot check {tmp_path / 'empty'}: Is a directory." in output
    assert output.endswith("Correct: 2 of 4 records.\n")
    assert run("check", str(tmp_path / "empty"))[0] == 1


def test_the_module_runs_and_exits_as_it_found() -> None:
    record_file = RECORDS["jest"]
    for file, code in ((record_file, 0), (__file__, 1)):
        result = subprocess.run([sys.executable, "-m", "engines", "check", file], capture_output=True, check=False)
        assert (result.returncode, result.stderr) == (code, b"")
