"""The law of commands: whatever may be done can be typed, in words as it is offered."""

from __future__ import annotations

from random import Random

from cogs.table.commands.game_commands import LONGEST_CHOICE, MOST_CHOICES
from cogs.table.pages import move_autocomplete
from cogs.table.wording import narration
from tests.contract.helper import GameHelper, MatchStart
from tests.contract.shown import match_snapshots

MOMENT_COUNT, TRY_COUNT = 40, 5  # of a match, and moves of a decision


def every_move_can_be_typed(helper: GameHelper, start: MatchStart) -> None:
    """A legal move is offered when its words are typed, in any order; they mean it and no other, as its notation does.

    What is offered before anything is typed is legal, and has every verb that may be done.
    """
    rng, screen = Random(start.seed), helper.screen
    every = match_snapshots(helper, start)
    for snapshot in rng.sample(every, min(MOMENT_COUNT, len(every))):
        for seat in snapshot.decisions():
            written = {snapshot.game.format_move(move): move for move in snapshot.moves(seat)}
            first = [value for _, value in move_autocomplete.move_offers(snapshot, seat, screen, "")[:MOST_CHOICES]]
            assert set(first) <= set(written), f"{set(first) - set(written)} may not be done"
            assert {text.split()[0] for text in first} == {text.split()[0] for text in written}, "a verb is left out"
            for text in rng.sample(list(written), min(TRY_COUNT, len(written))):
                label = screen.choice_label(snapshot.view(seat), written[text], narration.screen_context(snapshot))
                for typed in (label, " ".join(reversed(label.split())), text.lower()):
                    offered = move_autocomplete.move_offers(snapshot, seat, screen, typed)[:MOST_CHOICES]
                    assert text in [value for _, value in offered], f"“{typed}” does not offer {text}"
                assert len(text) <= LONGEST_CHOICE, f"{text} cannot be sent"
                assert move_autocomplete.parse_move(snapshot, seat, screen, label) == text, (
                    f"“{label}” does not mean {text}"
                )
                assert move_autocomplete.parse_move(snapshot, seat, screen, text) == text
