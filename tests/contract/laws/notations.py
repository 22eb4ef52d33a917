"""Laws of how moves are written and read, and how seats are named."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from engines.hosting.records import record
from engines.kit.errors import BadNotation
from engines.kit.seats import letter
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.laws.law import refusal_of
from tests.contract.walk import choose_move, random_positions
from tests.until_over import until_over

MAX_CUSTOM_ID = 100  # characters, of which these go before a notation: the match's id and the decision's number
ID_PREFIX = "m:abcdefgh:9999:"
SEAT_BY_NUMBER = re.compile(
    r"\b(seat|offer|player|opponent|mage|menhir)s?,? (number|by number|\d)|\bnumbered\b", re.IGNORECASE
)  # a sentence that names one so
JUNK_NOTATIONS = (
    "",
    " ",
    "x",
    "play",
    "bid",
    "bid two",
    "play 1X",
    "play 10H 10H",
    "bid 99999999999999999999",
    "🃏",
    "bid -1",
    "bid ²",
)


def notation_reads_back(helper: GameHelper, start: MatchStart) -> None:
    """`read(write(move)) == move`, no two moves look alike, and what is no move is refused; all fits a custom_id."""
    game = helper.game
    parsed: dict[str, Any] = {}
    for state in random_positions(helper, start):
        for seat in game.decisions(state):
            for move in game.moves(state, seat):
                text = game.format_move(move)
                assert parsed.setdefault(text, move) == move, f"“{text}” is two moves"
    for text, move in parsed.items():
        for same in (text, text.lower(), f" {text.upper()} ".replace(" ", "  "), text.replace(" ", ",\t")):
            assert refusal_of(lambda same=same: game.parse_move(same)) is None, f"“{same}” is not read"  # type: ignore[misc]
            assert game.parse_move(same) == move
        assert len(ID_PREFIX + text) <= MAX_CUSTOM_ID, f"“{text}” is too long"
    for junk in (*JUNK_NOTATIONS, *(text[:-1] for text in parsed), *(text + "x" for text in parsed)):
        refusal = refusal_of(lambda text=junk: game.parse_move(text))  # type: ignore[misc]
        assert refusal is None or (isinstance(refusal, BadNotation) and refusal.rule is None)
        if refusal is None:
            assert game.parse_move(game.format_move(game.parse_move(junk))) == game.parse_move(junk)


def seats_go_by_letters(helper: GameHelper, start: MatchStart) -> None:
    """No notation, no refusal and no line of a record names a seat by a number."""
    game, rng = helper.game, Random(start.seed)
    vocabulary = helper.move_vocabulary(start.seats)
    naming = [move for move in vocabulary if helper.named_seats(move)]
    reasons: set[str] = set()
    notations: dict[str, Sequence[int]] = {}
    for state in random_positions(helper, start):
        for seat in game.decisions(state) if naming else ():
            notations |= {
                game.format_move(move): seats for move in game.moves(state, seat) if (seats := helper.named_seats(move))
            }
        if rng.random() < 0.1:
            reasons |= _refusal_texts(helper, state, [*naming, *rng.sample(vocabulary, min(len(vocabulary), 300))])
    for text, seats in notations.items():
        reasons |= _check_letters_only(helper, text, {letter(seat): seat for seat in seats})
    for verb in {text.split()[0] for text in (*notations, *_recorded_notations(helper, start, rng))}:
        for junk in (verb, f"{verb} ?", f"{verb} ? ? ?"):
            refusal = refusal_of(lambda text=junk: game.parse_move(text))  # type: ignore[misc]
            reasons |= {refusal.reason} if refusal else set()
    for reason in reasons:
        assert not SEAT_BY_NUMBER.search(reason), f"a seat by its number: {reason}"


def _refusal_texts(helper: GameHelper, state: Any, moves: Sequence[Any]) -> set[str]:
    seats = {*helper.game.decisions(state), 0}
    refusals = (refusal_of(lambda: helper.game.check(state, seat, move)) for seat in seats for move in moves)  # noqa: B023
    return {refusal.reason for refusal in refusals if refusal}


def _check_letters_only(helper: GameHelper, text: str, letters: Mapping[str, int]) -> set[str]:
    """A notation that names these seats does it by letters, and with numbers instead it is refused; in which words."""
    verb, *words = text.split()
    assert set(letters) <= set(words), f"“{text}” names a seat by something else than its letter"
    reasons = set()
    for first in (0, 1):
        numbered = " ".join((verb, *(str(letters[word] + first) if word in letters else word for word in words)))
        refusal = refusal_of(lambda text=numbered: helper.game.parse_move(text))  # type: ignore[misc]
        assert isinstance(refusal, BadNotation), f"“{numbered}” is read"
        reasons.add(refusal.reason)
    return reasons


def _recorded_notations(helper: GameHelper, start: MatchStart, rng: Random) -> list[str]:
    """The notations of a match, whose record says by letters whose they are."""
    game, state = helper.game, helper.start_state(start)
    record_moves: list[record.RecordMove] = []
    for _ in until_over(game, state):
        seat, move = choose_move(helper, state, rng)
        record_moves.append(record.RecordMove(seat, game.format_move(move)))
        game.play(state, seat, move)
    options = game.options_adapter.dump_json(start.options).decode()
    written = record.Record(
        game.key, game.version, start.seats, options, "0" * 32, tuple(record_moves), game.outcome(state)
    )
    text = record.format_record(written)
    lines = text.partition("\n\n")[2].splitlines()
    assert lines == [f"{number} {letter(each.seat)} {each.notation}" for number, each in enumerate(record_moves, 1)]
    assert record.parse_record(text) == written
    return [each.notation for each in record_moves]
