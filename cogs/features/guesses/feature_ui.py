"""What guesses add to pages, and the controls that they answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cogs.features.guesses import words
from cogs.features.guesses.controls import GuessActions
from cogs.features.guesses.question_page import open_press
from cogs.table.access.rights import Access, Phase, Who
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.feature_ui import FeatureControl, FeatureUI, OldControl
from cogs.table.pages.feature_pages import Facts, Offer
from cogs.table.pages.page import Press
from engines.features.guesses.guessing import CLOSED, PLAYERS_KNOW, answered, has_guesses, open_question
from engines.features.guesses.rows import CLOSED_ROWS, GUESS_ROWS, Guess
from engines.hosting.match import MatchSnapshot

WATCHER = Access(Who.WATCHER, Phase.RUNNING, not_you=PLAYERS_KNOW, not_now=CLOSED)


class GuessesUI(FeatureUI):
    """Guesses: the button while a question is open, and who was right once it is answered."""

    name = "guesses"
    tables = (GUESS_ROWS, CLOSED_ROWS)
    old_controls = (
        OldControl(r"t:(?P<match>[a-z0-9]{8}):guess", "open"),
        OldControl(r"e:(?P<match>[a-z0-9]{8}):(?P<rest>\d{1,6})", "pick"),
    )

    def needs_rows(self, snapshot: MatchSnapshot) -> bool:
        """Whether the host has turned guesses on."""
        return has_guesses(snapshot)

    def table_lines(self, facts: Facts) -> Iterable[str]:
        """Return who was right about the last question."""
        return filter(None, (words.last_answer_text(facts.snapshot, facts.screen, _answered_guesses(facts)),))

    def result_lines(self, facts: Facts) -> Iterable[str]:
        """Return who was right, and the best guessers."""
        best = words.best_guessers_text(facts.snapshot, _answered_guesses(facts))
        return (*self.table_lines(facts), *filter(None, (best,)))

    def sheet_texts(self, facts: Facts) -> Iterable[str]:
        """Return the best guessers."""
        return filter(None, (words.best_guessers_table(facts.snapshot, _answered_guesses(facts)),))

    def table_press(self, facts: Facts) -> Iterable[Offer[Press]]:
        """Return the button to the open question."""
        return map(Offer, _presses(facts))

    def menu_presses(self, facts: Facts) -> Iterable[Press]:
        """Return the button to the open question, for somebody who never had a seat."""
        watches = all(seat.user != facts.reader for seat in facts.snapshot.info.seats)
        return _presses(facts) if watches else ()

    def controls(self, actions: TableActions) -> Sequence[FeatureControl]:
        """Return the button, and the list of choices."""
        own = GuessActions(actions.context)
        return (
            FeatureControl("open", own.show_question, WATCHER),
            FeatureControl("pick", own.save_guess, WATCHER, rest=r"\d{1,6}", edits=True),
        )


def _answered_guesses(facts: Facts) -> tuple[Guess, ...]:
    return answered(facts.snapshot, facts.rows.of(GUESS_ROWS))


def _presses(facts: Facts) -> tuple[Press, ...]:
    return (open_press(facts.snapshot.info.id),) if _is_open(facts) else ()


def _is_open(facts: Facts) -> bool:
    closed = [row.question for row in facts.rows.of(CLOSED_ROWS)]
    return open_question(facts.snapshot, closed) is not None
