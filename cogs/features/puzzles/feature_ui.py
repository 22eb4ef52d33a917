"""Puzzles: showing one, and comparing its moves after the choice. The worker pool computes the comparison."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discord import app_commands

from cogs.features.puzzles.game_puzzles import (
    MARK,
    GamePuzzles,
    answer_page,
    page_context,
    puzzle_page,
    refused_page,
    working_page,
)
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.feature_ui import Exercises, FeatureCog, FeatureUI, HandClick, page_in_move, parse_hand_click
from cogs.table.commands.game_commands import find_game, with_reply
from cogs.table.pages.custom_ids import Control
from cogs.table.pages.page import Page
from cogs.table.pages.screen_layout import Reader
from cogs.table.state.page_drawing import draw_in_thread
from cogs.table.state.person_shares import RequestsAtOnce
from cogs.table.state.task_cache import TaskCache
from cogs.table.transport.interaction_response import InteractionReply
from engines.hosting.match import RequestRefused
from engines.kit.contract import AnyGame
from engines.kit.errors import IllegalMove
from players import MoveValue, compare_on_view
from players.advice import hint_budget
from players.levels import player_model_of
from worker_pool.fair_queue import Person
from worker_pool.pool import CHOICE_SECONDS, JobFailed

BUDGET_FACTOR = 4  # times a hint's simulations, because all moves are compared and each puzzle only once
MAX_CACHED = 64  # puzzles
STILL_COMPARING_TEXT = "I am still comparing the moves of another puzzle for you. Please wait for the result."


class PuzzleActions:
    """Puzzle requests. Each gets one reply, which only the reader sees. Nothing is stored."""

    def __init__(self, actions: TableActions) -> None:
        self._worker_pool = actions.worker_pool
        self._readers = actions.surface_sync.readers
        self._puzzles = {
            key: GamePuzzles(actions.matches.games[key], actions.screens[key], folder)
            for key, folder in actions.docs_folders.items()
        }
        self._comparisons: TaskCache[list[MoveValue]] = TaskCache("puzzle", MAX_CACHED)
        self._at_once = RequestsAtOnce(1, STILL_COMPARING_TEXT)

    @property
    def games(self) -> Sequence[AnyGame]:
        """The games that have puzzles."""
        return [each.game for each in self._puzzles.values() if each.puzzles]

    def count(self, key: str) -> int:
        """Return the number of a game's puzzles."""
        return len(self._puzzles[key].puzzles)

    async def open_puzzle(self, reply: InteractionReply, game: AnyGame, number: int) -> None:
        """Show a puzzle in a new message."""
        puzzles = self._require_puzzle(game.key, number)
        reader = await self._readers.plain_reader(reply.interaction.user.id)
        await reply.send_page(await draw_in_thread(puzzle_page, puzzles, number, reader))

    async def handle_click(self, reply: InteractionReply, control: Control, values: Sequence[str]) -> None:
        """Answer a click on a puzzle. The control says which."""
        assert control.exercise is not None
        _, key, number = control.exercise
        puzzles = self._require_puzzle(key, number)
        click = parse_hand_click(control, values)
        reader = await self._readers.plain_reader(reply.interaction.user.id)
        if click.kind == "move":
            page = await self._answer_move(reply, puzzles, number, reader, click.notation)
        else:
            page = await draw_in_thread(_page_before_move, puzzles, number, reader, click)
        await self._show(reply, page)

    async def _answer_move(
        self, reply: InteractionReply, puzzles: GamePuzzles, number: int, reader: Reader, notation: str
    ) -> Page:
        """Return the comparison of all moves, or the puzzle again if the move is illegal."""
        game, snapshot = puzzles.game, puzzles.snapshot(number)
        try:
            move = game.parse_move(notation)
            game.check(snapshot.state, puzzles.puzzles[number - 1].seat, move)
        except IllegalMove as refusal:
            return await draw_in_thread(refused_page, puzzles, number, reader, refusal)
        model, user = player_model_of(game), reply.interaction.user.id
        simulations = hint_budget(model).simulations * BUDGET_FACTOR
        with self._at_once.count(user, (game.key, number)):
            values = await self._compare_once(reply, puzzles, number, simulations)
        worlds = max(2, simulations // len(values))
        return await draw_in_thread(
            answer_page, puzzles, number, _listed(values, game, move), values, model.unit, worlds
        )

    async def _compare_once(
        self, reply: InteractionReply, puzzles: GamePuzzles, number: int, simulations: int
    ) -> list[MoveValue]:
        """Return what the moves are worth. They are compared once for all people, for the first one who asks."""
        key, user = (puzzles.game.key, number), reply.interaction.user.id
        if not self._comparisons.task(key, lambda: self._compare(puzzles, number, simulations, user)).done():
            await self._show(reply, working_page(puzzles, number))
        return await self._comparisons.result_of(key, lambda: self._compare(puzzles, number, simulations, user))

    async def _compare(self, puzzles: GamePuzzles, number: int, simulations: int, user: int) -> list[MoveValue]:
        try:
            return await self._worker_pool.run(
                Person(user),
                compare_on_view,
                puzzles.game,
                puzzles.view(number),
                f"puzzle {number}",
                simulations,
                seconds=CHOICE_SECONDS,
            )
        except JobFailed:
            raise RequestRefused("I could not compare the moves. Please try again later.") from None

    async def _show(self, reply: InteractionReply, page: Page) -> None:
        await (reply.update_message(page) if reply.clicked_ephemeral or reply.has_responded else reply.send_page(page))

    def _require_puzzle(self, key: str, number: int) -> GamePuzzles:
        puzzles = self._puzzles.get(key)
        if puzzles is None or not 1 <= number <= len(puzzles.puzzles):
            raise RequestRefused("There is no such puzzle. Use `/motley puzzle` to get one.")
        return puzzles


def _listed(values: Sequence[MoveValue], game: AnyGame, move: Any) -> Any:
    """Return the listed move that a chosen one is, perhaps with its picks in another order."""
    words = sorted(game.format_move(move).split())
    return next(each.move for each in values if sorted(game.format_move(each.move).split()) == words)


def _page_before_move(puzzles: GamePuzzles, number: int, reader: Reader, click: HandClick) -> Page:
    """Return the question before a move, the hand with the choices that remain of it, or the whole puzzle."""
    seat, context = puzzles.puzzles[number - 1].seat, page_context(puzzles, number)
    try:
        page = page_in_move(click, puzzles.snapshot(number), seat, context, reader)
    except IllegalMove as refusal:
        return refused_page(puzzles, number, reader, refusal)
    return page or puzzle_page(puzzles, number, reader)


class PuzzleCommands(FeatureCog):
    """The part of `/motley` about puzzles."""

    @property
    def games(self) -> Sequence[AnyGame]:
        """The games that have puzzles."""
        return self.actions.service(PuzzleActions).games

    @app_commands.command(description="Make one decision in a real match, then see what each move is worth")
    @app_commands.describe(game="Which game", number="Which puzzle; leave it out for a random one")
    @app_commands.autocomplete(game=FeatureCog.complete_game)
    @with_reply
    async def puzzle(self, reply: InteractionReply, game: str, number: int | None = None) -> None:
        """`puzzle`: show a puzzle of a game."""
        puzzles = self.actions.service(PuzzleActions)
        found = find_game(game, self.games)
        count = puzzles.count(found.key)
        if number is not None and not 1 <= number <= count:
            raise RequestRefused(f"{found.title} has {count} puzzles. Give a number from 1 to {count}.")
        by_time = (reply.click_id >> 22) % count + 1  # Discord's ids begin with the milliseconds
        await puzzles.open_puzzle(reply, found, number or by_time)


class PuzzlesUI(FeatureUI):
    """Puzzles: a command alone, and its hands."""

    name = "puzzles"
    motley_commands = PuzzleCommands
    help_text = "**Try a puzzle:** `/motley puzzle`."

    def exercises(self, actions: TableActions) -> Exercises:
        """Return the hands of puzzles."""
        return Exercises(MARK, actions.service(PuzzleActions).handle_click)
