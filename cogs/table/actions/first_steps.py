"""The first steps of newcomers: which games there are, with their signs, how to play here, and a table at one click."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cogs.pictures.spec import SignStrip
from cogs.screens.intro import Intro
from cogs.screens.picture import Picture
from cogs.table.actions.table_actions import TableActions
from cogs.table.pages import custom_ids
from cogs.table.pages.page import (
    Block,
    Line,
    Menu,
    Page,
    Press,
    PressSection,
    Row,
    Section,
    Style,
    Text,
    press_rows,
    text_blocks,
)
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.wording.operator_info import NOBODY_NAMED, OperatorInfo
from engines.hosting.match import RequestRefused
from engines.kit.contract import AnyGame

PICK, HELP, GAMES, OPEN = "pick", "help", "games", "table"
"""The words of the custom ids: the list of the games, the page on how it works, the page of the games, and the button
that opens a table for a game. No game may have one of them as its key."""
Introductions = Sequence[tuple[AnyGame, Intro]]
Presses = Mapping[str, Sequence[Press]]
"""What features offer for each game, by its key."""


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
        """Answer a pick of a game, or a turn to another page."""
        picked = custom_ids.only_value(values) if control.rest == PICK else control.rest
        if picked == HELP:
            page = help_page(self._introductions, self._actions.context.operator, self._further_help)
        elif control.rest == PICK:
            page = await self._game_page(reply, picked)
        else:
            page = await self._games_page(reply)
        await reply.update_message(page)

    async def open_table(self, reply: InteractionReply, control: custom_ids.Control, values: Sequence[str]) -> None:
        """Open a table for the game that a button names."""
        game, _ = self._find(control.rest.partition(":")[2])
        await self._actions.open_lobby(reply, game, {}, {})

    def _find(self, key: str) -> tuple[AnyGame, Intro]:
        for game, intro in self._introductions:
            if game.key == key:
                return game, intro
        raise RequestRefused("I no longer have that game.")

    async def _games_page(self, reply: InteractionReply) -> Page:
        user = reply.interaction.user.id
        reader = await self._actions.surface_sync.readers.plain_reader(user)
        features = self._actions.surface_sync.features
        presses = {game.key: await features.game_presses(game.key, user) for game, _ in self._introductions}
        return games_page(self._introductions, presses, has_pictures=not reader.words)

    async def _game_page(self, reply: InteractionReply, key: str) -> Page:
        user, (game, intro) = reply.interaction.user.id, self._find(key)
        readers = self._actions.surface_sync.readers
        presses = await self._actions.surface_sync.features.game_presses(key, user)
        if await readers.has_met(user, key):
            presses = tuple(replace(press, style="secondary") for press in presses)
        has_picture = not (await readers.plain_reader(user)).words
        return game_page(
            game, intro, presses, is_in_server=reply.interaction.guild_id is not None, has_picture=has_picture
        )


def games_page(introductions: Introductions, presses: Presses, *, has_pictures: bool = True) -> Page:
    """Return the games: their signs, what each is like, and a list from which one is chosen.

    Each game has the first of its presses beside it.
    """
    blocks: list[Block] = [_sign_strip([intro for _, intro in introductions])] if has_pictures else []
    for game, intro in introductions:
        text = _game_text(game, intro)
        beside = [replace(press, style="secondary") for press in presses.get(game.key, ())[:1]]
        blocks += [PressSection(text, press) for press in beside] or [Text(text)]
    lines = (
        *(Line(game.title, game.key, intro.facts) for game, intro in introductions),
        Line("How it works", HELP, "Tables, hands, hints and clocks"),
    )
    menu = Menu(custom_ids.first_steps_id(PICK), "Choose a game, or see how it works", lines)
    return Page((*blocks, Row(menu)))


def game_page(
    game: AnyGame, intro: Intro, presses: Sequence[Press], *, is_in_server: bool = True, has_picture: bool = True
) -> Page:
    """Return the question what to do with a chosen game. Tables are opened on servers only."""
    text = _game_text(game, intro)
    style: Style = "secondary" if any(press.style == "primary" for press in presses) else "primary"
    table = (Press("Open a table", custom_ids.first_steps_id(OPEN, game.key), style),) if is_in_server else ()
    question = "" if is_in_server else "To open a table, use this command in a server channel."
    return Page(
        (
            Section(text, intro.picture) if has_picture else Text(text),
            *text_blocks((question,)),
            *press_rows((*presses, *table, Press("All games", custom_ids.first_steps_id(GAMES)))),
        )
    )


def _sign_strip(intros: Sequence[Intro]) -> Picture:
    signs = [intro.picture for intro in intros]
    return Picture(SignStrip(tuple(sign.spec for sign in signs)), "games.png", " ".join(sign.alt for sign in signs))


def _game_text(game: AnyGame, intro: Intro) -> str:
    advice = f" · {intro.advice}" if intro.advice else ""
    return f"**{game.title}**{advice}\n{intro.like}\n-# {intro.facts}"


def help_page(introductions: Introductions, operator: OperatorInfo = NOBODY_NAMED, further: str = "") -> Page:
    """Return how to play here. `further` is what features say about themselves."""
    key = introductions[0][0].key
    paragraphs = (
        f"**To start:** open a table in a channel: choose a game, or type `/{key} new`. The others press **Join**, or "
        "you press **Add computer**. Then press **Start**.",
        "**Your hand:** press **Show my hand** at the table. It also comes by direct message, if you allow that.",
        further,
        "**Stuck?** Press **More** below your hand to read the rules, get a hint, take a move back or report "
        "a problem. "
        f"**Prefer typing?** `/{key} move` lists your moves.",
        "**No hurry:** I save every move, and the computer plays for anyone who stays away too long. `/motley break` "
        "pauses your clocks.",
        "`/motley matches` lists your matches, `/motley luck` shows this server's luck, and `/motley "
        "privacy` says what I "
        "store about you. For managers: `/motley check`, `/motley server`.",
        operator.help_line,
    )
    back = Press("See the games", custom_ids.first_steps_id(GAMES), "primary")
    return Page((*text_blocks(paragraphs), *press_rows((back,))))
