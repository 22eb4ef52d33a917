"""Spectators guess: privately, until the question closes; the table tells who was right, with the move's edit."""

from __future__ import annotations

from typing import Any

import pytest

from cogs.features.guesses.guess_pages import guess_prompt, pick_id
from engines.features.guesses.guessing import open_question, question_answers
from engines.features.guesses.questions import AsksGuesses
from engines.kit.contract import AnyGame
from engines.store.match_store import Status
from players import make_player
from tests.end_to_end.people_and_places import InteractionResult
from tests.end_to_end.simulated_server import NAMES, SimulatedServer, reply_text
from tests.end_to_end.test_calls import request_count
from tests.end_to_end.test_privacy import ask_to_be_forgotten, fetch_data
from tests.feature_rows import load_guesses
from tests.games import GAMES
from tests.messages import Message, button_labels, message_text

PLAYERS, WATCHERS = ("Ada", "Bela", "Chidi"), ("Dora", "Emil", "Greta")
CLOSED = "This question is closed."


async def start_watched(w: SimulatedServer) -> str:
    """A match that others may guess about; its first round has one trick."""
    return await w.seat_and_start(guesses="true", rounds=2)


async def open_guess(w: SimulatedServer, name: str, match: str) -> InteractionResult:
    return await w.press_button(name, await w.find_table(match), "Guess")


async def guess(w: SimulatedServer, name: str, match: str, *choices: int) -> str:
    """What somebody is told who opens the question and chooses."""
    await open_guess(w, name, match)
    question = open_question(await w.load_snapshot(match))
    assert question is not None
    custom_id = pick_id(match, question.number)
    await w.choose_options(name, w.newest_private(name), custom_id, *map(str, choices))
    return message_text(w.newest_private(name))


def guess_select(message: Message) -> dict[str, Any]:
    (menu,) = [part for row in message["components"][0]["components"] for part in row.get("components", ())]
    assert isinstance(menu, dict)
    return menu


async def play_round(w: SimulatedServer, match: str, number: int) -> frozenset[int]:
    """Play until the answer to that question is known; the answer."""
    while number not in (known := question_answers(await w.load_snapshot(match))):
        await w.make_move(match)
    await w.env.settle()
    return known[number]


async def test_a_guess_is_private_may_change_and_is_told_with_the_answer(server: SimulatedServer) -> None:
    match = await start_watched(server)
    table = await server.find_table(match)
    assert button_labels(table) == ["Show my hand", "Guess", "More"]
    before = request_count(server)
    assert "**Your guess: Ada and Chidi.**" in await guess(server, "Dora", match, 0, 2)
    assert [
        line["value"] for line in guess_select(server.newest_private("Dora"))["options"] if line.get("default")
    ] == [
        "0",
        "2",
    ]
    assert "**Your guess: nobody.**" in await guess(server, "Emil", match, -1)
    answer = await open_guess(server, "Dora", match)
    assert "**Your guess: Ada and Chidi.**" in reply_text(answer), "it was not kept"
    methods = {"POST", "PATCH"}
    sent = [request for request in server.env.http_requests[before:] if request.method in methods]
    assert all("/callback" in request.path or "/webhooks/" in request.path for request in sent), "others are shown it"
    assert await server.find_table(match) == table
    assert await server.stale_seats(match) == set()
    right = await play_round(server, match, 1)
    text = await server.table_text(match)
    names = [name for name, own in (("Dora", {0, 2}), ("Emil", {-1})) if right == own]
    answer_line = f"{len(names)} of 2 guessed right: {' and '.join(names)}." if names else "Nobody guessed right."
    assert f"“Who takes exactly as many tricks as they bid in round 1?” {answer_line}" in text
    await guess(server, "Emil", match, 0)
    await guess(server, "Emil", match, *sorted({*range(3)} - {2}))
    assert f"round 1?” {answer_line}" in await server.table_text(match), "the next guess is told"


async def test_correct_guessers_are_named_and_counted_after_a_restart_too(server: SimulatedServer) -> None:
    match = await start_watched(server)
    for name in WATCHERS:
        await guess(server, name, match, 0)
    await server.restart(killed=True)
    now = await server.load_snapshot(match)
    assert open_question(now) is not None
    right = await play_round(server, match, 1)
    assert right != frozenset({0}), "the deal is another one"
    assert "Nobody guessed right." in await server.table_text(match)
    await server.restart(killed=True)
    assert "Nobody guessed right." in await server.table_text(match)


async def test_players_and_late_people_cannot_guess_and_nothing_changes(server: SimulatedServer) -> None:
    match = await start_watched(server)
    menu_id = pick_id(match, 1)
    table = await server.find_table(match)
    for answer in (await open_guess(server, "Ada", match), await server.forge_click("Ada", table, menu_id, ["0"])):
        assert "You are playing in this match, so you cannot guess." in reply_text(answer)
        assert answer.ephemeral
    for values in (["7"], ["-1", "0"], ["0", "x"], [], ["²"], ["-2"]):
        assert "Please choose from" in reply_text(await server.forge_click("Dora", table, menu_id, values)), values
    for number in (0, 2, 999999):
        forged = await server.forge_click("Dora", table, pick_id(match, number), ["0"])
        assert CLOSED in reply_text(forged)
    await guess(server, "Dora", match, 0)
    while open_question(await server.load_snapshot(match)) is not None:
        await server.make_move(match)
    await server.env.settle()
    assert "Guess" not in button_labels(await server.find_table(match))
    late = server.newest_private("Dora")
    await server.choose_options("Dora", late, menu_id, "1")
    assert CLOSED in message_text(server.newest_private("Dora"))
    stored = await load_guesses(server.bot.matches.editor.store, match)
    assert [(each.user, each.name, each.choices) for each in stored] == [(server["Dora"].id, "Dora", (0,))]


async def test_without_the_option_nobody_is_asked(server: SimulatedServer) -> None:
    match = await server.seat_and_start()
    assert button_labels(await server.find_table(match)) == ["Show my hand", "Score sheet", "More"]
    for custom_id, values in ((f"t:{match}:guess", None), (pick_id(match, 1), ["0"])):
        forged = await server.forge_click("Dora", await server.find_table(match), custom_id, values)
        assert "its host did not turn guesses on" in reply_text(forged)
    menu = await server.press_button("Dora", await server.find_table(match), "More")
    assert "Guess" not in str(menu.response)


async def test_the_menu_of_spectators_offers_it(server: SimulatedServer) -> None:
    match = await start_watched(server)
    for name, offered in (("Dora", True), ("Ada", False)):
        await server.press_button(name, await server.find_table(match), "More")
        assert ("Guess" in button_labels(server.newest_private(name))) is offered
    await server.press_button("Dora", server.newest_private("Dora"), "Guess")
    assert "Who takes exactly as many tricks as they bid in round 1?" in message_text(server.newest_private("Dora"))


WITH_QUESTIONS = [game for game in GAMES.values() if isinstance(game, AsksGuesses)]


SHORT: dict[str, dict[str, int]] = {"wizard": {"rounds": 2}, "jokers": {"rounds": 2}, "court": {"banners": 2}}


async def play_policy_move(w: SimulatedServer, match: str) -> None:
    """A move of the computer for the due player, because random ones hardly ever succeed at anything."""
    now = await w.load_snapshot(match)
    seat = now.due_seats()[0]
    move = make_player(now.game, "normal").policy_move(now.view(seat), now.moves(seat), f"{now.info.moves}")
    click = f"m:{match}:{now.decisions()[seat].number}:{now.game.format_move(move)}"
    await w.forge_click(w.name_of(now.info.seats[seat].user), await w.find_surface(match, "hand", seat), click)
    await w.env.settle()


@pytest.mark.parametrize("game", WITH_QUESTIONS, ids=lambda game: game.key)
async def test_a_whole_match_tells_every_answer_and_the_best_guessers(server: SimulatedServer, game: AnyGame) -> None:
    match = await server.seat_and_start(
        NAMES[: game.seats[0]], game=game.key, guesses="true", **SHORT.get(game.key, {})
    )
    screen = server.bot.reconciler.surface_sync.screens[game.key]
    asked_choices: dict[int, tuple[int, ...]] = {}
    while await server.status(match) is Status.RUNNING:
        now = await server.load_snapshot(match)
        question, last = open_question(now), max(question_answers(now), default=0)
        if question is not None and question.number not in asked_choices:
            asked_choices[question.number] = question.choices
            await guess(server, "Greta", match, question.choices[0])
            await guess(server, "Emil", match, question.choices[1])
        assert (f"“{guess_prompt(screen, last)}”" in await server.table_text(match)) is (last > 0)
        await play_policy_move(server, match)
    answers = question_answers(await server.load_snapshot(match))
    assert len(answers) in (len(asked_choices), len(asked_choices) - 1)
    text = await server.table_text(match)
    assert "Best guessers: " in text
    for place, name in enumerate(("Greta", "Emil")):
        right = sum(answers[number] == {asked_choices[number][place]} for number in answers)
        assert f"{name} {right} of {len(answers)}" in text
    await server.press_button("Dora", await server.find_table(match), "Scoring")
    assert "**Best guessers**" in message_text(server.newest_private("Dora"))


async def test_guesses_are_in_ones_data_and_forgotten_with_the_name_at_the_table(server: SimulatedServer) -> None:
    match = await start_watched(server)
    await guess(server, "Dora", match, 1)
    await guess(server, "Emil", match, 0, 1)
    (data,) = (await fetch_data(server, "Dora"))["matches"]
    assert data["guesses while you watched"] == [{"question": 1, "guess": ["B"], "your name there": "Dora"}]
    assert data["seats"] == []
    await play_round(server, match, 1)
    assert "guessed right" in await server.table_text(match)
    await ask_to_be_forgotten(server, "Dora")
    await server.env.settle()
    stored = await load_guesses(server.bot.matches.editor.store, match)
    assert [each.name for each in stored] == ["Emil"]
    assert "Dora" not in await server.table_text(match)
