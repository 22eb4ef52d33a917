"""What guesses add to pages, and the controls that they answer. A guess changes no message to others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from cogs.features.guesses.guess_pages import (
    best_guessers_table,
    best_guessers_text,
    last_answer_text,
    open_press,
    parse_choices,
    question_page,
)
from cogs.table.actions.rights import Access, Phase, Who
from cogs.table.actions.table_actions import TableActions
from cogs.table.actions.visit import Visit
from cogs.table.commands.feature_ui import FeatureControl, FeatureUI, OldControl
from cogs.table.pages.feature_pages import Facts, Offer
from cogs.table.pages.menu_entries import MenuEntry, MenuGroup
from cogs.table.pages.page import Press
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.wording.player_names import clean_name
from engines.features.guesses.guessing import (
    CLOSED,
    CLOSED_ROWS,
    GUESS_ROWS,
    PLAYERS_KNOW,
    Guess,
    answered,
    closed_questions,
    has_guesses,
    open_question,
    own_guess,
    require_watcher,
    save_guess,
)
from engines.hosting.match import MatchSnapshot

WATCHER = Access(Who.WATCHER, Phase.RUNNING, not_you=PLAYERS_KNOW, not_now=CLOSED)


async def show_question(
    actions: TableActions, reply: InteractionReply, visit: Visit, rest: str, values: Sequence[str]
) -> None:
    """Show the open question of a match with its choices, and what the user guessed before."""
    snapshot, user, editor = visit.snapshot, visit.user, actions.matches.editor
    question = require_watcher(snapshot, user, await closed_questions(editor, visit.match))
    own = await own_guess(editor, visit.match, user, question.number)
    await reply.send_page(question_page(snapshot, actions.screens[snapshot.info.game], question, own))


async def answer_guess(
    actions: TableActions, reply: InteractionReply, visit: Visit, number: str, values: Sequence[str]
) -> None:
    """Store the user's guess, and say so in the message with the choices."""
    user, choices = reply.interaction.user, parse_choices(values)
    snapshot, question = await save_guess(
        actions.matches.editor, visit.match, user.id, clean_name(user.display_name), int(number), choices
    )
    reply.is_saved = True
    page = question_page(snapshot, actions.screens[snapshot.info.game], question, sorted(choices))
    await reply.show_page(page)


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
        return filter(None, (last_answer_text(facts.snapshot, facts.screen, _answered_guesses(facts)),))

    def result_lines(self, facts: Facts) -> Iterable[str]:
        """Return who was right, and the best guessers."""
        best = best_guessers_text(facts.snapshot, _answered_guesses(facts))
        return (*self.table_lines(facts), *filter(None, (best,)))

    def sheet_texts(self, facts: Facts) -> Iterable[str]:
        """Return the best guessers."""
        return filter(None, (best_guessers_table(facts.snapshot, _answered_guesses(facts)),))

    def table_press(self, facts: Facts) -> Iterable[Offer[Press]]:
        """Return the button to the open question."""
        return map(Offer, _presses(facts))

    def menu_entries(self, facts: Facts) -> Iterable[MenuEntry]:
        """Return the button to the open question, for somebody who never had a seat."""
        if all(seat.user != facts.reader for seat in facts.snapshot.info.seats):
            yield from (MenuEntry(MenuGroup.NOW, 10, press) for press in _presses(facts))

    def controls(self, actions: TableActions) -> Sequence[FeatureControl]:
        """Return the button, and the list of choices."""
        return (
            FeatureControl("open", partial(show_question, actions), WATCHER),
            FeatureControl("pick", partial(answer_guess, actions), WATCHER, rest=r"\d{1,6}", edits=True),
        )


def _answered_guesses(facts: Facts) -> tuple[Guess, ...]:
    return answered(facts.snapshot, facts.rows.of(GUESS_ROWS))


def _presses(facts: Facts) -> tuple[Press, ...]:
    closed = [row.question for row in facts.rows.of(CLOSED_ROWS)]
    return (open_press(facts.snapshot.info.id),) if open_question(facts.snapshot, closed) else ()
