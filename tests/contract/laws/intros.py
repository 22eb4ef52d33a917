"""The law of intros: a newcomer reads of every game what it is like, how long it takes and how hard it is."""

from __future__ import annotations

from cogs.screens.control_widths import MAX_DESCRIPTION, count_lines
from cogs.screens.intro import LEARNING
from tests.contract.helper import GameHelper, MatchStart

COMMAND = 100  # characters that Discord takes of what is said of a command


def newcomers_read_what_awaits_them(helper: GameHelper, start: MatchStart) -> None:
    """The intro of a game has everything, and fits where it stands: in a list of commands, and on a telephone."""
    intro, game = helper.intro, helper.game
    assert intro.like.endswith((".", "!")), f"no sentence: {intro.like}"
    assert count_lines(f"{game.title}: {intro.like}") <= 2, f"more than two lines: {intro.like}"
    assert list(intro.minutes) == list(game.seats), f"minutes for {list(intro.minutes)} players"
    for minutes in intro.minutes.values():
        assert minutes > 0, "a match takes time"
        assert minutes % 5 == 0, f"{minutes} minutes are more exact than anybody knows"
    assert intro.learning in LEARNING, f"{intro.learning} is none of {LEARNING}"
    assert not intro.start_here or intro.learning == "easy", "newcomers begin with what is easy"
    facts = intro.facts(f"{game.key} new").replace("`", "")
    assert len(facts) <= MAX_DESCRIPTION, f"more than a line: {facts}"
    said = intro.description
    assert len(said) <= COMMAND, f"Discord takes {COMMAND} characters: {said}"
