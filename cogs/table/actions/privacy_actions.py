"""What is kept of people: told, handed out as a file, forgotten when they want it. Each asks for themselves alone."""

from __future__ import annotations

from collections.abc import Callable

from cogs.table.actions import personal_data_file
from cogs.table.actions.context import ActionContext
from cogs.table.pages import custom_ids
from cogs.table.pages.page import GREY, RED, Page, Paper, Press, Text, press_rows, text_blocks
from cogs.table.pages.page_drawing import draw_in_thread
from cogs.table.transport.interaction_response import InteractionReply
from engines.hosting.match import RequestRefused
from engines.store.forgetting import PersonalTrace
from engines.store.match_store import LIVE, Status

MATCHES_PER_FILE = 500  # matches in one file, which stays well below what Discord takes
BATCH_SIZE = 50  # matches that are read at a time, while others wait to read
CONFIRM_SECONDS = 15 * 60  # seconds for which a question may be answered
ALL_STATUSES = frozenset(Status)

PRIVACY_TEXTS = (
    "## What I keep of you",
    "**Of matches in which you have a part:** your Discord number, the name that the server shows of you, your seat, "
    "your moves and when you made them, and whether you opened, joined, left or voted. Without it nobody could play on "
    "after a restart, and no result could be checked.",
    "**Besides:** your `/motley settings`, which games you have met, and where your direct messages are, to send you "
    "your hands. Nothing else: no messages of yours, no lists of members, nothing for advertising.",
    "**Who sees it:** your hand, you alone; what happens at a table, everybody in its channel; the database and its "
    "backups, whoever runs me.",
)
CONSEQUENCES_TEXT = (
    "- In matches that are over, “Somebody” stands in your place. What was played there stays, for the others.\n"
    "- You leave the matches that go on. The computer plays on in your seat, which anybody may take.\n"
    "- Your settings, and what I know of your direct messages, are deleted.\n"
    "- Messages that I have sent stay in Discord as they are, with your name where it stands: I cannot take that out. "
    "Backups have you in them until they are replaced.\n"
    "- If you play again, I know you anew."
)


class PrivacyActions:
    """The desk's part for what is kept of whoever asks."""

    def __init__(self, context: ActionContext) -> None:
        self._context = context
        self._matches = context.matches
        self._reconciler = context.keeper
        self._clock = context.clock
        self.on_forget: Callable[[], None] = lambda: None  # told when somebody is to be forgotten

    async def show_privacy(self, reply: InteractionReply) -> None:
        """What is kept and why, in short."""
        presses = (
            Press("My data", custom_ids.privacy_id("data", 0)),
            Press("Forget me …", custom_ids.privacy_id("ask")),
        )
        await reply.send_page(Page((*text_blocks(PRIVACY_TEXTS), *press_rows(presses))))

    async def handle_press(self, reply: InteractionReply, what: str, number: int) -> None:
        """A button of these pages."""
        match what:
            case "data":
                await self.send_data(reply, number)
            case "ask":
                await self.ask_to_forget(reply)
            case "again":
                await self._ask_again(reply)
            case "sure":
                await self._forget_person(reply, number)
            case "keep":
                await self._show_page(reply, Page((Text("You are not forgotten: all stays as it is."),), GREY))
            case _:
                raise RequestRefused("This control is of another version of me. Use `/motley privacy` to go on.")

    async def send_data(self, reply: InteractionReply, part: int = 0) -> None:
        """Everything that is kept of the asker, as a file; of very many matches, a part."""
        user = reply.interaction.user.id
        found: list[PersonalTrace] = []
        while len(found) < MATCHES_PER_FILE:
            more = await self._matches.load_traces(user, part * MATCHES_PER_FILE + len(found), BATCH_SIZE)
            found += more
            if len(more) < BATCH_SIZE:
                break
        hands = {trace.match: hand for trace in found if (hand := await self._visible_hand(trace, user))}
        preferences, inbox = await self._reconciler.preferences(user), await self._reconciler.inbox(user)
        content = await draw_in_thread(
            personal_data_file.personal_data_json, user, self._clock(), preferences, inbox, found, hands, part
        )
        further = len(found) == MATCHES_PER_FILE
        counted = f"{len(found)} {_match_word(len(found))}"
        which = f", part {part + 1}" if part or further else ""
        said = f"All that I keep of you, with {counted}{which}. It is for your eyes alone."
        presses = (Press(f"Part {part + 2}", custom_ids.privacy_id("data", part + 1)),) if further else ()
        name = f"my-motley-data{f'-{part + 1}' if which else ''}.json"
        await reply.send_page(Page((Text(said), Paper(name, content), *press_rows(presses))))

    async def ask_to_forget(self, reply: InteractionReply) -> None:
        """Tell what would happen, and ask."""
        said = (
            "## Have me forget you?",
            CONSEQUENCES_TEXT,
            f"-# You are in {await self._match_counts(reply.interaction.user.id)}. "
            "Before, `/motley my-data` gives you a file of it all.",
        )
        presses = (
            Press("Go on", custom_ids.privacy_id("again")),
            Press("Leave it as it is", custom_ids.privacy_id("keep")),
        )
        await self._show_page(reply, Page((*text_blocks(said), *press_rows(presses)), RED))

    async def _ask_again(self, reply: InteractionReply) -> None:
        """Ask once more: nothing brings it back."""
        counted = await self._match_counts(reply.interaction.user.id)
        said = f"**Are you sure?** Nobody can undo this. You are in {counted}."
        sure = Press("Forget me", custom_ids.privacy_id("sure", self._clock()), "danger")
        await self._show_page(
            reply, Page((Text(said), *press_rows((sure, Press("Keep me", custom_ids.privacy_id("keep"))))), RED)
        )

    async def _forget_person(self, reply: InteractionReply, asked_at: int) -> None:
        """Have the asker forgotten, where that was asked lately."""
        if not 0 <= self._clock() - asked_at <= CONFIRM_SECONDS:
            raise RequestRefused(
                "That question is too old, so nothing has happened. Use `/motley forget-me` to be asked anew."
            )
        await self._matches.request_forgetting(reply.interaction.user.id)
        reply.is_saved = True
        self.on_forget()
        said = "I am forgetting you. That is done in a moment; with very many matches it takes some minutes. Farewell!"
        await self._show_page(reply, Page((Text(said),), GREY))

    async def _match_counts(self, user: int) -> str:
        """How many matches they are in, in words."""
        found = await self._matches.find(statuses=ALL_STATUSES, user=user)
        live = sum(info.status in LIVE for info in found)
        over = len(found) - live
        return f"{live} {_match_word(live)} that {_go_verb(live)} on, and in {over} that {_is_verb(over)} over"

    async def _visible_hand(self, trace: PersonalTrace, user: int) -> list[str]:
        """What somebody may know of a match that goes on, as lines of text: their own hand, and what lies open."""
        if trace.status not in (Status.RUNNING, Status.PAUSED):
            return []
        try:
            snapshot = await self._matches.get_fresh_snapshot(trace.match)
        except RequestRefused:  # of a newer version of the bot
            return []
        seat = snapshot.info.seat_of(user)
        return (
            []
            if seat is None or snapshot.state is None
            else await draw_in_thread(personal_data_file.visible_hand, snapshot, seat)
        )

    async def _show_page(self, reply: InteractionReply, page: Page) -> None:
        """Show a page in place of the one that was clicked, where the asker alone sees that."""
        await (reply.update_message(page) if reply.clicked_ephemeral else reply.send_page(page))


def _match_word(number: int) -> str:
    return "match" if number == 1 else "matches"


def _go_verb(number: int) -> str:
    return "goes" if number == 1 else "go"


def _is_verb(number: int) -> str:
    return "is" if number == 1 else "are"
