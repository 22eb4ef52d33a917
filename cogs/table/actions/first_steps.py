"""The first steps of newcomers: which games there are, with their signs, how to play here, and a table at one click."""

from __future__ import annotations

from collections.abc import Sequence

from cogs.screens.intro import Intro
from cogs.screens.words import join_with_or
from cogs.table.actions.table_actions import TableActions
from cogs.table.pages import custom_ids
from cogs.table.pages.page import Line, Menu, Page, Press, Row, Section, Text, press_rows, text_blocks
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.wording.operator_info import NOBODY_NAMED, OperatorInfo
from engines.hosting.match import RequestRefused
from engines.kit.contract import AnyGame

PICK, HELP, GAMES = "pick", "help", "games"
"""The words of the custom ids: the list of the games, the page on how it works, and the page of the games. No game may
have one of them as its key."""
Introductions = Sequence[tuple[AnyGame, Intro]]


class FirstSteps:
    """Requests of newcomers. The pages are private, and the table that a press opens is public."""

    def __init__(self, actions: TableActions, introductions: Introductions, further_help: str = "") -> None:
        self._actions = actions
        self._further_help = further_help
        self._introductions = introductions

    async def show_games(self, reply: InteractionReply) -> None:
        """Show the games in a new message."""
        await reply.send_page(await self._games_page(reply))

    async def handle_control(self, reply: InteractionReply, control: custom_ids.Control, values: Sequence[str]) -> None:
        """Answer a pick of a game, or a turn to the other page."""
        picked = custom_ids.only_value(values) if control.rest == PICK else control.rest
        if opens_table(control, values):
            game = next((game for game, _ in self._introductions if game.key == picked), None)
            if game is None:
                raise RequestRefused("I no longer have that game.")
            await self._actions.open_lobby(reply, game, {}, {})
        elif picked == HELP:
            await reply.update_message(
                help_page(self._introductions, self._actions.context.operator, self._further_help)
            )
        else:
            await reply.update_message(await self._games_page(reply))

    async def _games_page(self, reply: InteractionReply) -> Page:
        reader = await self._actions.surface_sync.readers.plain_reader(reply.interaction.user.id)
        return games_page(self._introductions, has_pictures=not reader.words)


def opens_table(control: custom_ids.Control, values: Sequence[str]) -> bool:
    """Return whether a pick opens a table, which is a public message. It is made in a private one."""
    return control.kind == "i" and control.rest == PICK and list(values) != [HELP]


def games_page(introductions: Introductions, has_pictures: bool = True) -> Page:
    """Return the games, what each is like, its sign, and a list that opens a table for one of them."""
    blocks: list[Section | Text] = [Text(sentence) for sentence in begin_with(introductions)]
    for game, intro in introductions:
        text = f"**{game.title}**\n{intro.like}\n-# {intro.facts}"
        blocks.append(Section(text, intro.picture) if has_pictures else Text(text))
    lines = (
        *(Line(game.title, game.key, intro.facts) for game, intro in introductions),
        Line("How it works", HELP, "Tables, hands, hints and clocks"),
    )
    menu = Menu(custom_ids.first_steps_id(PICK), "Open a table, or see how it works", lines)
    return Page((*blocks, Row(menu)))


def begin_with(introductions: Introductions) -> list[str]:
    """Return a sentence that names the games for newcomers, or nothing if there are none."""
    first = [game.title for game, intro in introductions if intro.start_here]
    return [f"**Start with {join_with_or(first)}.**"] if first else []


def help_page(introductions: Introductions, operator: OperatorInfo = NOBODY_NAMED, further: str = "") -> Page:
    """Return how to play here. `further` is what features say about themselves."""
    key = introductions[0][0].key
    paragraphs = (
        f"**To start:** open a table in a channel: pick a game, or type `/{key} new`. The others press **Join**, or "
        "you press **Add computer**. Then press **Start**.",
        "**Your hand** comes by direct message. You can also press **Show my hand** at the table.",
        further,
        "**Stuck?** Press **More** on your hand for rules, a hint, to take a move back, or to report a fault. "
        f"**Rather type?** `/{key} move` offers moves.",
        "**No hurry:** I save every move, and the computer plays for anyone who stays away too long. `/motley break` "
        "rests your clocks.",
        "`/motley matches` lists your matches, `/motley luck` shows this server's luck, and `/motley privacy` what I "
        "store about you. For managers: `/motley check`, `/motley server`.",
        operator.help_line,
    )
    back = Press("See the games", custom_ids.first_steps_id(GAMES), "primary")
    return Page((*text_blocks(paragraphs), *press_rows((back,))))
