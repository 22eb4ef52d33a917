"""Learning a game by playing it: from the command, the list of the games or a lobby to a match of one's own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cogs.table.actions.context import STEP_EVENT
from cogs.table.pages import custom_ids
from engines.store.match_store import Status
from players import available_levels
from tests.end_to_end.people_and_places import InteractionResult
from tests.end_to_end.simulated_server import SimulatedServer, reply_text, response_of
from tests.end_to_end.test_privacy import ask_to_be_forgotten, fetch_data
from tests.features.exercises import LESSONS
from tests.game_uis import GAME_UIS
from tests.messages import Message, button_labels, walk_components

every_game = pytest.mark.parametrize("key", GAME_UIS)


def shown_message(server: SimulatedServer, answer: InteractionResult) -> Message:
    """The lesson's message, as it is now."""
    shown_id = response_of(answer).id
    return next(
        seen_message.message
        for seen_message in reversed(server.ephemeral_messages())
        if int(seen_message.message["id"]) == int(shown_id)
    )


def button_to(answer: InteractionResult, label: str) -> str:
    found = [c["custom_id"] for c in walk_components(response_of(answer).components) if c.get("label") == label]
    return str(found[0])


def note_steps(server: SimulatedServer, noted: list[tuple[str, str, str]]) -> None:
    """Note the steps that metrics count."""

    async def note(counter: str, game: str, step: str) -> None:
        noted.append((counter, game, step))

    server.bot.add_listener(note, f"on_{STEP_EVENT}")


@every_game
async def test_a_lesson_is_played_to_its_end_and_leads_to_a_match(server: SimulatedServer, key: str) -> None:
    lesson, progress = LESSONS[key], list[tuple[str, str, str]]()
    note_steps(server, progress)
    answer = await server["Ada"].slash(server.table, "motley learn", game=key)
    assert answer.ephemeral
    message = shown_message(server, answer)
    for number in range(1, lesson.step_count + 1):
        if number == 3:
            await server.restart()  # a lesson keeps nothing
            note_steps(server, progress)
        message = shown_message(server, answer)
        match, step = lesson.match_id(number), lesson.step(number)
        assert f"lesson, step {number} of {lesson.step_count}" in str(message)
        if step.asked:
            decision = lesson.snapshot(number).decisions()[lesson.seat].number
            await server.forge_click("Ada", message, custom_ids.move_id(match, decision, step.asked))
        elif number < lesson.step_count:
            await server.press_button("Ada", message, "Next")
    assert progress == [("lessons", key, "begun"), ("lessons", key, "finished")]
    assert await server.bot.matches.lookup.find() == []
    await server.press_button("Ada", message, "Play against the computer")
    await server.env.settle()
    (info,) = await server.bot.matches.lookup.find()
    assert (info.game, info.status, info.host) == (key, Status.RUNNING, server["Ada"].id)
    assert len(info.seats) == max(2, GAME_UIS[key].game.seats[0])
    assert [seat.level for seat in info.seats[1:]] == [available_levels(GAME_UIS[key].game)[0]] * (len(info.seats) - 1)
    assert server.find_hand("Ada", info.id)


async def test_the_real_controls_play_it_and_other_moves_are_answered(server: SimulatedServer) -> None:
    answer = await server["Ada"].slash(server.table, "motley learn", game="Wizard")
    await server.press_answer("Ada", answer, "Next")
    hinted = reply_text(await server.press_answer("Ada", answer, "Hint"))
    assert "lesson, step 2 of" in hinted
    assert "**Bid 1**\nYour only card is a Wizard" in hinted
    wrong = await server.press_answer("Ada", answer, "0")
    assert "Your Wizard takes the trick whether you like it or not" in reply_text(wrong)
    assert "lesson, step 3 of" in reply_text(await server.press_answer("Ada", wrong, "1"))
    message, second = shown_message(server, answer), LESSONS["wizard"].match_id(2)
    for strange in (f"m:{second}:0:bid 5", f"m:{second}:0:play AS", f"m:{second}:0:nonsense", f"n:{second}:0:a/b"):
        shown_text = reply_text(await server.forge_click("Ada", message, strange))
        assert "lesson, step 2 of" in shown_text
    for strange in (
        "t:~wizard.99:show",
        f"t:{LESSONS['wizard'].match_id(1)}:hint",
        "t:~chess.1:show",
        "t:~wizard.1:join",
        "v:~wizard.1:rounds=1",
    ):
        assert len(reply_text(await server.forge_click("Ada", message, strange))) > 10
    assert await server.bot.matches.lookup.find() == []


@every_game
async def test_a_lesson_begun_under_1_0_0_starts_again_and_its_ways_out_still_work(
    server: SimulatedServer, key: str
) -> None:
    answer = await server["Ada"].slash(server.table, "motley learn", game=key)
    message = shown_message(server, answer)
    for old in ("t:~{}.3:show", "m:~{}.2:0:bid 1", "n:~{}.14:7:a/b", "t:~{}.1:back"):
        shown_text = reply_text(await server.forge_click("Ada", message, old.format(key)))
        assert "This lesson has changed since you began it" in shown_text
        assert "lesson, step 1 of" in shown_text
        assert LESSONS[key].step(1).text[:40] in shown_text
    assert "rules, 1 of" in reply_text(await server.forge_click("Ada", message, f"t:~{key}.5:skip"))
    await server.forge_click("Ada", message, f"t:~{key}.12:play")
    await server.env.settle()
    (info,) = await server.bot.matches.lookup.find()
    assert info.game == key


async def test_rules_open_the_rules_and_learn_it_the_lesson_which_one_press_skips(server: SimulatedServer) -> None:
    match = await server.open_lobby("Ada")
    lobby = await server.find_lobby(match)
    for _ in range(2):
        assert "rules, 1 of" in reply_text(await server.press_in_menu("Bela", match, "Rules"))
        await server.restart()
    lesson = await server.press_button("Bela", lobby, "Learn it")
    assert lesson.ephemeral
    assert "lesson, step 1 of" in reply_text(lesson)
    assert "rules, 1 of" in reply_text(await server.press_answer("Bela", lesson, "Skip"))
    by_command = await server["Chidi"].slash(server.table, "wizard rules")
    assert "rules, 1 of" in reply_text(by_command)
    first_step = await server.press_answer("Chidi", by_command, "Learn it")
    assert first_step.ephemeral
    assert "lesson, step 1 of" in reply_text(first_step)


async def test_the_first_screen_teaches_each_game_and_asks_whether_to_learn_one(server: SimulatedServer) -> None:
    await server["Greta"].slash(server.table, "motley help")
    first = server.newest_private("Greta")
    assert button_labels(first) == ["Learn it"] * len(GAME_UIS)
    for learn in walk_components(first["components"]):
        if learn.get("label") == "Learn it":
            first_step = await server.forge_click("Greta", first, learn["custom_id"])
            assert "lesson, step 1 of" in reply_text(first_step)
            assert response_of(first_step).id != int(first["id"])
    for learnt in (True, False):
        if not learnt:
            await ask_to_be_forgotten(server, "Greta")
        await server["Greta"].slash(server.table, "motley help")
        await server.choose_options("Greta", server.newest_private("Greta"), "i:pick", "jest")
        chosen = server.newest_private("Greta")
        styles = {each["label"]: each["style"] for each in walk_components(chosen["components"]) if each.get("label")}
        assert styles == {"Learn it": 2 if learnt else 1, "Open a table": 1 if learnt else 2, "All games": 2}


async def test_an_offer_is_in_the_data_of_its_person_and_forgotten_with_them(server: SimulatedServer) -> None:
    for key in ("wizard", "jest", "wizard"):
        await server["Ada"].slash(server.table, "motley learn", game=key)
    assert (await fetch_data(server, "Ada"))["you"]["lessons offered"] == ["jest", "wizard"]
    assert (await fetch_data(server, "Bela"))["you"]["lessons offered"] == []
    await ask_to_be_forgotten(server, "Ada")
    assert (await fetch_data(server, "Ada"))["you"]["lessons offered"] == []


async def test_a_match_needs_a_server_and_one_that_allows_computers(server: SimulatedServer) -> None:
    last = LESSONS["wizard"].step_count
    play = custom_ids.table_action_id(LESSONS["wizard"].match_id(last), "play")
    in_dm = await server["Ada"].user.slash("motley learn", game="wizard")
    assert "lesson, step 1 of" in reply_text(in_dm)
    assert "You can only open a table on a server" in reply_text(
        await server.forge_click("Ada", shown_message(server, in_dm), play)
    )
    await server.bot.matches.lobbies.change_server_settings(server.guild.id, lambda old: replace(old, computers=False))
    lesson_answer = await server["Ada"].slash(server.table, "motley learn", game="wizard")
    refused = reply_text(await server.forge_click("Ada", shown_message(server, lesson_answer), play))
    assert "Computers cannot join" in refused
    assert await server.bot.matches.lookup.find() == []


async def test_an_unknown_game_is_refused(server: SimulatedServer) -> None:
    assert "Choose Wizard" in reply_text(await server["Ada"].slash(server.table, "motley learn", game="chess"))
    offered = await server["Ada"].autocomplete(server.table, "motley learn", "game", "jest")
    assert {choice["value"] for choice in offered} >= {"jest", "jesters"}
