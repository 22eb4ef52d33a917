"""J9, J10 and J14: how Jest ends; and how its moves and cards are written."""

from __future__ import annotations

import pytest

from engines.jest import JEST, deck
from engines.jest.model import JestsRevealed, JestsScored, Offer, Take, TrophyAwarded
from engines.kit.chance import Chance
from engines.kit.contract import Outcome
from engines.kit.errors import BadNotation, IllegalMove
from tests.engines.jest.positions import SEED, parse_cards, parse_position, play_lines

LAST = {"stock": "", "trophies": "2S 4D", "jests": "3S 3C / 2C 4S / joker 4C"}


def test_j9_j10_with_the_deck_empty_the_cards_left_complete_the_jests_and_all_is_revealed() -> None:
    state = parse_position("AS|2H / 3D|AC / 2D|AH", **LAST)
    assert state.waiting[0] == 1
    assert JEST.view(state, 0).final is None
    events = play_lines(state, "B take C up", "C take A down", "A take B up")
    final = ("3S 3C 3D AS", "2C 4S 2D AC", "joker 4C 2H AH")
    jests = tuple(tuple(sorted(parse_cards(jest))) for jest in final)
    assert events[1:] == [
        JestsRevealed(jests=jests),
        TrophyAwarded(trophy=deck.parse_card("2S"), seat=0),
        TrophyAwarded(trophy=deck.parse_card("4D"), seat=0),
        JestsScored(points=(1 + 2 + 3 + 3 + 2 - 3 - 4, 4 + 1 + 2 - 2, 4 - 1 - 2)),
    ]
    assert state.phase == "over"
    assert not JEST.decisions(state)
    assert not JEST.moves(state, 0)
    for move in (Offer(deck.parse_card("AS")), Take(1, True)):
        with pytest.raises(IllegalMove, match="The game is over") as refusal:
            JEST.check(state, 0, move)
        assert refusal.value.rule is None
    end, *others = [JEST.view(state, seat).final for seat in (0, 1, 2, None)]
    assert end is not None
    assert all(other == end for other in others)
    assert (end.jests, end.values) == (jests, (6, 5, 1))
    assert [(award.trophy, award.seat, award.measures) for award in end.awards] == [
        (deck.parse_card("2S"), 0, (3, None, None)),
        (deck.parse_card("4D"), 0, (6, 5, None)),
    ]
    assert [worth.points for worth in end.breakdowns] == [4, 5, 1]
    assert JEST.outcome(state) == Outcome(places=(2, 1, 3), points=(4, 5, 1))


def test_j9_at_the_end_nothing_is_hidden_any_more() -> None:
    state = JEST.start(3, JEST.options(), Chance(SEED))
    while state.waiting:
        JEST.play(state, state.waiting[0], JEST.moves(state, state.waiting[0])[1])
    for seat in (0, 1, 2, None):
        assert [old_round.down for old_round in JEST.view(state, seat).past] == [
            old_round.down for old_round in state.past
        ]


def test_j14_the_most_valuable_jest_wins_and_ties_share_the_place() -> None:
    state = parse_position("2S|AH / 2C|2D / 3D|2H", stock="", trophies="3H 4H", jests="4S / 4C / joker")
    play_lines(state, "C take B down", "B take C down", "A take A up")
    outcome = JEST.outcome(state)
    assert outcome == Outcome(places=(1, 1, 3), points=(6, 6, -2 - 3 - 3 - 4))
    assert outcome.winners == (0, 1)


# --- Notation, options, seats


MOVES: dict[str, Offer | Take] = {"offer 3S": Offer(deck.parse_card("3S")), "offer joker": Offer(deck.JOKER)}
MOVES |= {"take B up": Take(1, True), "take B down": Take(1, False)}


@pytest.mark.parametrize(("text", "move"), MOVES.items())
def test_moves_are_written_and_read(text: str, move: Offer | Take) -> None:
    assert JEST.format_move(move) == text
    assert JEST.parse_move(text.upper()) == JEST.parse_move(f"  {text.replace(' ', '   ')} ") == move


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("offer 5S", "Jest has only aces, 2s, 3s and 4s, and the Joker."),
        ("offer", "“” is not a card. Write it like 4H, AS or joker."),
        ("take B", "Write the letter of the offer, and up or down: take B down."),
        ("take 2 up", "“2” is not a seat. Write its letter, such as B."),
        ("take ² up", "“²” is not a seat. Write its letter, such as B."),
        ("play 3S", "“play 3S” is not a move of Jest."),
        ("", "“” is not a move of Jest."),
    ],
)
def test_a_text_that_is_no_move_is_refused_in_a_sentence(text: str, reason: str) -> None:
    with pytest.raises(BadNotation) as refusal:
        JEST.parse_move(text)
    assert refusal.value.reason == reason
