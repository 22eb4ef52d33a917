"""What is kept of people: told, handed out as a file, forgotten when they want it. Each asks for themselves alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from cogs.table.actions import personal_data_file
from cogs.table.pages import custom_ids
from cogs.table.pages.page import GREY, RED, Page, Paper, Press, Text, rows, texts
from cogs.table.pages.page_drawing import drawn
from cogs.table.transport.interaction_response import Answer
from engines.hosting.match import Refused
from engines.store.forgetting import Trace
from engines.store.match_store import LIVE, Status

if TYPE_CHECKING:
    from cogs.table.actions.table_actions import Desk

PART = 500  # matches in one file, which stays well below what Discord takes
AT_ONCE = 50  # matches that are read at a time, while others wait to read
SURE = 15 * 60  # seconds for which a question may be answered
STATUSES = frozenset(Status)

TOLD = (
    "## What I keep of you",
    "**Of matches in which you have a part:** your Discord number, the name that the server shows of you, your seat, "
    "your moves and when you made them, and whether you opened, joined, left or voted. Without it nobody could play on "
    "after a restart, and no result could be checked.",
    "**Besides:** your `/motley settings`, which games you have met, and where your direct messages are, to send you "
    "your hands. Nothing else: no messages of yours, no lists of members, nothing for advertising.",
    "**Who sees it:** your hand, you alone; what happens at a table, everybody in its channel; the database and its "
    "backups, whoever runs me.",
)
AFTER = (
    "- In matches that are over, “Somebody” stands in your place. What was played there stays, for the others.\n"
    "- You leave the matches that go on. The computer plays on in your seat, which anybody may take.\n"
    "- Your settings, and what I know of your direct messages, are deleted.\n"
    "- Messages that I have sent stay in Discord as they are, with your name where it stands: I cannot take that out. "
    "Backups have you in them until they are replaced.\n"
    "- If you play again, I know you anew."
)


class Privacy:
    """The desk's part for what is kept of whoever asks."""

    def __init__(self, desk: Desk, clock: Callable[[], int]) -> None:
        self._desk = desk
        self._matches = desk.matches
        self._keeper = desk.keeper
        self._clock = clock
        self.wanted: Callable[[], None] = lambda: None  # told when somebody is to be forgotten

    async def show(self, answer: Answer) -> None:
        """What is kept and why, in short."""
        presses = (Press("My data", custom_ids.privacy("data", 0)), Press("Forget me …", custom_ids.privacy("ask")))
        await answer.page(Page((*texts(TOLD), *rows(presses))))

    async def press(self, answer: Answer, what: str, number: int) -> None:
        """A button of these pages."""
        match what:
            case "data":
                await self.data(answer, number)
            case "ask":
                await self.ask(answer)
            case "again":
                await self._ask_again(answer)
            case "sure":
                await self._forget(answer, number)
            case "keep":
                await self._put(answer, Page((Text("You are not forgotten: all stays as it is."),), GREY))
            case _:
                raise Refused("This control is of another version of me. Use `/motley privacy` to go on.")

    async def data(self, answer: Answer, part: int = 0) -> None:
        """Everything that is kept of the asker, as a file; of very many matches, a part."""
        user = answer.interaction.user.id
        found: list[Trace] = []
        while len(found) < PART:
            more = await self._matches.traces(user, part * PART + len(found), AT_ONCE)
            found += more
            if len(more) < AT_ONCE:
                break
        hands = {trace.match: hand for trace in found if (hand := await self._hand(trace, user))}
        preferences, inbox = await self._keeper.preferences(user), await self._keeper.inbox(user)
        content = await drawn(personal_data_file.file, user, self._clock(), preferences, inbox, found, hands, part)
        further = len(found) == PART
        counted = f"{len(found)} {_matches(len(found))}"
        which = f", part {part + 1}" if part or further else ""
        said = f"All that I keep of you, with {counted}{which}. It is for your eyes alone."
        presses = (Press(f"Part {part + 2}", custom_ids.privacy("data", part + 1)),) if further else ()
        name = f"my-motley-data{f'-{part + 1}' if which else ''}.json"
        await answer.page(Page((Text(said), Paper(name, content), *rows(presses))))

    async def ask(self, answer: Answer) -> None:
        """Tell what would happen, and ask."""
        said = (
            "## Have me forget you?",
            AFTER,
            f"-# You are in {await self._counted(answer.interaction.user.id)}. "
            "Before, `/motley my-data` gives you a file of it all.",
        )
        presses = (Press("Go on", custom_ids.privacy("again")), Press("Leave it as it is", custom_ids.privacy("keep")))
        await self._put(answer, Page((*texts(said), *rows(presses)), RED))

    async def _ask_again(self, answer: Answer) -> None:
        """Ask once more: nothing brings it back."""
        counted = await self._counted(answer.interaction.user.id)
        said = f"**Are you sure?** Nobody can undo this. You are in {counted}."
        sure = Press("Forget me", custom_ids.privacy("sure", self._clock()), "danger")
        await self._put(answer, Page((Text(said), *rows((sure, Press("Keep me", custom_ids.privacy("keep"))))), RED))

    async def _forget(self, answer: Answer, asked: int) -> None:
        """Have the asker forgotten, where that was asked lately."""
        if not 0 <= self._clock() - asked <= SURE:
            raise Refused(
                "That question is too old, so nothing has happened. Use `/motley forget-me` to be asked anew."
            )
        await self._matches.forget_person(answer.interaction.user.id)
        answer.saved = True
        self.wanted()
        said = "I am forgetting you. That is done in a moment; with very many matches it takes some minutes. Farewell!"
        await self._put(answer, Page((Text(said),), GREY))

    async def _counted(self, user: int) -> str:
        """How many matches they are in, in words."""
        found = await self._matches.find(statuses=STATUSES, user=user)
        live = sum(info.status in LIVE for info in found)
        over = len(found) - live
        return f"{live} {_matches(live)} that {_go(live)} on, and in {over} that {_is(over)} over"

    async def _hand(self, trace: Trace, user: int) -> list[str]:
        """What somebody may know of a match that goes on, as lines of text: their own hand, and what lies open."""
        if trace.status not in (Status.RUNNING, Status.PAUSED):
            return []
        try:
            look = await self._matches.fresh(trace.match)
        except Refused:  # of a newer version of the bot
            return []
        seat = look.info.seat_of(user)
        return [] if seat is None or look.state is None else await drawn(personal_data_file.hand, look, seat)

    async def _put(self, answer: Answer, page: Page) -> None:
        """Show a page in place of the one that was clicked, where the asker alone sees that."""
        await (answer.update(page) if answer.own else answer.page(page))


def _matches(number: int) -> str:
    return "match" if number == 1 else "matches"


def _go(number: int) -> str:
    return "goes" if number == 1 else "go"


def _is(number: int) -> str:
    return "is" if number == 1 else "are"
