"""Options in the lobby: changed by the host alone, told to those who have joined, confirmed before a hasty start."""

from __future__ import annotations

from typing import Any

import pytest
from simcord.results import InteractionResult

from cogs.screens.control_widths import OPTION
from engines.kit.contract import AnyGame
from engines.kit.options import options_of, text
from engines.store.match_store import Status
from engines.store.table_options import House, house_options
from tests.end_to_end.players import join, lobby, look, open_lobby, seat_and_start, start
from tests.end_to_end.world import SELECT, Click, Message, World, controls, labels, told, walk, words
from tests.fronts import SCREENS
from tests.games import GAMES

WITH = [game for game in GAMES.values() if options_of(game)]
WITHOUT = [game for game in GAMES.values() if not options_of(game)]


def each(games: list[AnyGame]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("game", games, ids=[game.key for game in games])


async def sat(w: World, game: AnyGame, seats: int | None = None, **options: Any) -> str:
    """A lobby with just enough people, or with so many; its id."""
    match = await open_lobby(w, game=game.key, **options)
    await join(w, match, *list(w.people)[1 : seats or game.seats[0]])
    return match


def shown(answer: InteractionResult) -> Message:
    """The message that somebody was answered with, as the client that got it has it."""
    assert answer.response is not None
    return {"components": answer.response.components, "content": answer.response.content}


async def panel(w: World, match: str, host: str = "Ada") -> Message:
    """The options, as the host is shown them."""
    await w.press(host, await lobby(w, match), "Options")
    return newest(w, host)


def newest(w: World, name: str) -> Message:
    """The newest message with controls that this person alone sees."""
    return [seen.message for seen in w.ephemerals() if seen.by == w[name].id and controls(seen.message)][-1]


def menus(message: Message) -> dict[str, list[dict[str, Any]]]:
    """The lines of every list, by its custom_id."""
    return {c["custom_id"]: c["options"] for c in walk(message["components"]) if c["type"] == SELECT}


def changes(w: World) -> list[Message]:
    """The messages in the channel that tell a change of options."""
    return [message for message in w.public(w.table) if "options have changed at" in words(message)]


async def set_so(w: World, match: str) -> Any:
    return (await look(w, match)).options


# Every game


@each(WITH)
async def test_the_host_chooses_every_value_that_is_offered(inn: World, game: AnyGame) -> None:
    match = await sat(inn, game)
    assert "Options" in labels(await lobby(inn, match))
    await panel(inn, match)
    for option in options_of(game):
        custom_id = f"v:{match}:{option.name}"
        lines = menus(newest(inn, "Ada"))[custom_id]
        assert 2 <= len(lines) <= 25
        assert len({line["label"] for line in lines}) == len(lines)
        for line in lines:
            assert len(line["label"]) <= OPTION
            was = await set_so(inn, match)
            await inn.choose("Ada", newest(inn, "Ada"), custom_id, line["value"])
            now = await set_so(inn, match)
            assert text(getattr(now, option.name)) == line["value"]
            assert (now == was) == (text(getattr(was, option.name)) == line["value"])
            chosen = [each["value"] for each in menus(newest(inn, "Ada"))[custom_id] if each.get("default")]
            assert chosen == [line["value"]]
            said = SCREENS[game.key].options(now, game.seats[0])[option.name]
            assert said in words(await lobby(inn, match))
            assert said in words(inn.hand_of("Bela"))
            assert now == was or said in words(changes(inn)[-1])
    await inn.env.advance_time(11)
    await start(inn, match)
    assert (await look(inn, match)).info.status is Status.RUNNING
    assert (await look(inn, match)).options == now


@each(WITH)
async def test_nobody_else_changes_anything(inn: World, game: AnyGame) -> None:
    match = await sat(inn, game)
    before = (await look(inn, match)).info
    message = await lobby(inn, match)
    for name in ("Bela", "Greta"):
        answer = await inn.press(name, message, "Options")
        assert "Only the host, Ada, can change the options" in told(answer)
        assert answer.response is not None
        assert answer.response.ephemeral
        assert controls(shown(answer)) == []
        for option in options_of(game):
            value = text(option.values[1])
            for forged in (
                await inn.forge(name, message, f"v:{match}:{option.name}", [value]),
                await inn.forge(name, message, f"v:{match}:{option.name}={value}"),
                await inn["Bela" if name == "Bela" else "Greta"].slash(
                    inn.table, "motley options", option=option.name, value=value, match=match
                ),
            ):
                assert "Only the host can do that; the host is Ada" in told(forged)
    assert (await look(inn, match)).info == before
    assert changes(inn) == []


@each(WITH)
@pytest.mark.parametrize("value", ["0", "-1", "99999", "x", "None!", "", "2.5"])
async def test_what_is_out_of_range_is_refused_and_changes_nothing(inn: World, game: AnyGame, value: str) -> None:
    match = await sat(inn, game)
    before = (await look(inn, match)).info
    message = await lobby(inn, match)
    for option in options_of(game):
        said = f"{option.name.capitalize()} can be {option.span()}. Nothing has changed."
        assert said in told(await inn.forge("Ada", message, f"v:{match}:{option.name}", [value]))
        if value:
            by_command = await inn.forge_slash(
                "Ada", inn.table, "motley options", option=option.name, value=value, match=match
            )
            assert said in told(by_command)
    assert "no such option" in told(await inn.forge("Ada", message, f"v:{match}:luck", ["1"]))
    for values in ([], ["2", "3"]):
        assert told(await inn.forge("Ada", message, f"v:{match}:{options_of(game)[0].name}", values))
    assert (await look(inn, match)).info == before


async def test_whoever_is_alone_with_computers_is_told_nothing_and_asked_nothing(inn: World) -> None:
    match = await open_lobby(inn, game="wizard")
    await inn.press("Ada", await lobby(inn, match), "Add computer")
    await inn.press("Ada", newest(inn, "Ada"), "Easy")
    await panel(inn, match)
    await inn.choose("Ada", newest(inn, "Ada"), f"v:{match}:rounds", "3")
    assert changes(inn) == []
    await inn.press("Ada", await lobby(inn, match), "Start")
    assert (await look(inn, match)).info.status is Status.RUNNING


@each(WITHOUT)
async def test_a_game_without_options_of_its_own_offers_those_of_the_house(inn: World, game: AnyGame) -> None:
    match = await sat(inn, game)
    assert set(menus(await panel(inn, match))) == {f"v:{match}:{option.name}" for option in house_options()}
    before = (await look(inn, match)).info
    forged = await inn.forge("Ada", await lobby(inn, match), f"v:{match}:rounds", ["3"])
    assert "has no such option. It has: clock, hints." in told(forged)
    assert (await look(inn, match)).info == before
    assert "clock: 24 hours" in words(inn.hand_of("Bela"))


@each(list(GAMES.values()))
async def test_the_options_of_the_house_are_chosen_in_every_game_told_and_kept(inn: World, game: AnyGame) -> None:
    match = await sat(inn, game, hints="false")
    assert (await look(inn, match)).info.house == House(hints=False)
    await panel(inn, match)
    await inn.choose("Ada", newest(inn, "Ada"), f"v:{match}:clock", "3 days")
    assert "clock: 3 days · hints: off" in words(changes(inn)[-1])
    assert "Clock: 3 days · Hints: off" in words(await lobby(inn, match))
    assert "clock: 3 days" in words(inn.hand_of("Bela"))
    await start(inn, match)
    assert "Clock: 3 days" in words(newest(inn, "Ada"))  # it is asked about, as with the game's own
    await inn.restart()
    await inn.press("Ada", newest(inn, "Ada"), "Start with these")
    info = (await look(inn, match)).info
    assert (info.status, info.house) == (Status.RUNNING, House("3 days", hints=False))


@each(WITH)
async def test_the_controls_of_the_options_survive_a_restart(inn: World, game: AnyGame) -> None:
    match = await sat(inn, game)
    shown = await panel(inn, match)
    await inn.restart()
    option = options_of(game)[0]
    value = next(line["value"] for line in menus(shown)[f"v:{match}:{option.name}"] if not line.get("default"))
    await inn.forge("Ada", shown, f"v:{match}:{option.name}", [value])
    assert text(getattr(await set_so(inn, match), option.name)) == value
    assert len(changes(inn)) == 1
    await inn.restart()
    assert len(changes(inn)) == 1


@each(WITH)
async def test_the_command_shows_the_options_and_changes_one(inn: World, game: AnyGame) -> None:
    match = await sat(inn, game)
    option = options_of(game)[-1]
    answer = await inn["Ada"].slash(inn.table, "motley options")
    assert answer.response is not None
    assert answer.response.ephemeral
    assert f"v:{match}:{option.name}" in controls(shown(answer))
    command = "motley options"
    offered = await inn["Ada"].autocomplete(inn.table, command, "value", "", option=option.name)
    assert text(option.default) in [choice["value"] for choice in offered]
    high = str(option.high)
    answer = await inn["Ada"].slash(inn.table, "motley options", option=option.name, value=high)
    assert "The options are now: " in told(answer)
    assert text(getattr(await set_so(inn, match), option.name)) == high
    alone = told(await inn["Ada"].slash(inn.table, "motley options", option=option.name))
    assert "what it is to be" in alone


# What is told


async def test_a_change_is_told_in_one_message_that_pings_nobody(inn: World) -> None:
    match = await sat(inn, GAMES["wizard"], 3)
    await panel(inn, match)
    told_by = set()
    for rounds in ("3", "5", "7"):
        await inn.choose("Ada", newest(inn, "Ada"), f"v:{match}:rounds", rounds)
        told_by |= {message["id"] for message in changes(inn)}
    assert len(told_by) == 1  # edited, not posted again and again
    (message,) = changes(inn)
    assert "rounds: 7 (the full game has 20)" in words(message)
    assert message["mentions"] == []
    assert "<@" not in words(message)
    await inn.env.advance_time(90)
    await inn.choose("Ada", newest(inn, "Ada"), f"v:{match}:rounds", "9")
    (later,) = changes(inn)
    assert later["id"] != message["id"]
    assert "rounds: 9" in words(later)
    await inn.restart()
    await inn.env.advance_time(1)
    assert [each["id"] for each in changes(inn)] == [later["id"]]


async def test_while_nobody_has_joined_nothing_is_told(inn: World) -> None:
    match = await open_lobby(inn)
    await panel(inn, match)
    await inn.choose("Ada", newest(inn, "Ada"), f"v:{match}:rounds", "3")
    await join(inn, match, "Bela")
    assert changes(inn) == []
    assert "rounds: 3" in words(inn.hand_of("Bela"))
    await inn.choose("Ada", newest(inn, "Ada"), f"v:{match}:rounds", "4")
    assert len(changes(inn)) == 1


async def test_a_message_of_changes_that_was_deleted_is_posted_anew(inn: World) -> None:
    match = await sat(inn, GAMES["wizard"], 3)
    await panel(inn, match)
    await inn.choose("Ada", newest(inn, "Ada"), f"v:{match}:rounds", "3")
    inn.delete_message(changes(inn)[0])
    await inn.choose("Ada", newest(inn, "Ada"), f"v:{match}:rounds", "4")
    assert "rounds: 4" in words(changes(inn)[0])


async def test_a_change_that_cannot_be_told_is_no_loss(inn: World) -> None:
    match = await sat(inn, GAMES["wizard"], 3)
    await panel(inn, match)
    inn.env.inject_error("POST", rf"/channels/{inn.table.id}/messages", status=403, code=50013, times=1)
    await inn.choose("Ada", newest(inn, "Ada"), f"v:{match}:rounds", "3")
    assert changes(inn) == []
    assert "Rounds: 3" in words(await lobby(inn, match))
    assert "rounds: 3" in words(inn.hand_of("Bela"))


async def test_a_change_that_discord_did_not_take_is_told_later(inn: World) -> None:
    match = await sat(inn, GAMES["wizard"], 3)
    await panel(inn, match)
    inn.env.inject_error("POST", rf"/channels/{inn.table.id}/messages", status=503, times=1)
    await inn.choose("Ada", newest(inn, "Ada"), f"v:{match}:rounds", "3")
    await inn.env.advance_time(10)
    assert len(changes(inn)) == 1


# A hasty start


async def test_a_start_within_ten_seconds_of_a_change_is_asked_about_and_names_the_options(inn: World) -> None:
    match = await sat(inn, GAMES["wizard"], 3)
    await panel(inn, match)
    await inn.choose("Ada", newest(inn, "Ada"), f"v:{match}:rounds", "3")
    await start(inn, match)
    asked = newest(inn, "Ada")
    assert "have only just changed" in words(asked)
    assert "Rounds: 3 (the full game has 20)" in words(asked)
    assert (await look(inn, match)).info.status is Status.LOBBY
    await inn.restart()
    await inn.forge("Bela", asked, next(c for c in controls(asked) if c.startswith("b:")))
    assert (await look(inn, match)).info.status is Status.LOBBY
    answer = await inn.press("Ada", asked, "Start with these")
    assert "The match has started" in told(answer)
    assert (await look(inn, match)).state.rounds == 3
    assert "Show my hand" in labels(await lobby(inn, match))


async def test_who_confirms_what_has_changed_since_is_asked_again_and_not_trapped(inn: World) -> None:
    match = await sat(inn, GAMES["wizard"], 3)
    options = await panel(inn, match)
    await inn.choose("Ada", options, f"v:{match}:rounds", "3")
    await start(inn, match)
    old = newest(inn, "Ada")
    await inn.choose("Ada", options, f"v:{match}:rounds", "4")
    await inn.env.advance_time(60)
    answer = await inn.press("Ada", old, "Start with these")
    assert "Rounds: 4" in told(answer)
    assert (await look(inn, match)).info.status is Status.LOBBY
    await inn.press("Ada", newest(inn, "Ada"), "Start with these")
    assert (await look(inn, match)).state.rounds == 4


async def test_from_the_question_one_gets_back_to_the_options(inn: World) -> None:
    match = await sat(inn, GAMES["wizard"], 3)
    await panel(inn, match)
    await inn.choose("Ada", newest(inn, "Ada"), f"v:{match}:rounds", "3")
    await start(inn, match)
    await inn.press("Ada", newest(inn, "Ada"), "Options")
    assert f"v:{match}:rounds" in menus(newest(inn, "Ada"))


async def test_after_ten_seconds_the_start_is_not_asked_about(inn: World) -> None:
    match = await sat(inn, GAMES["wizard"], 3)
    await panel(inn, match)
    await inn.choose("Ada", newest(inn, "Ada"), f"v:{match}:rounds", "3")
    await inn.env.advance_time(11)
    await start(inn, match)
    assert (await look(inn, match)).state.rounds == 3


async def test_a_change_and_a_start_at_once_leave_a_match_with_one_of_both(inn: World) -> None:
    match = await sat(inn, GAMES["court"], 4)
    message = await lobby(inn, match)
    await inn.at_once(Click("Ada", message, f"v:{match}:banners=3"), Click("Ada", message, f"t:{match}:start"))
    now = await look(inn, match)
    assert (now.info.status, now.options.banners) in [(Status.LOBBY, 3), (Status.RUNNING, 4)]
    if now.info.status is Status.RUNNING:
        assert now.view(None).banners is not None


async def test_after_the_start_the_options_are_told_and_stay(inn: World) -> None:
    match = await seat_and_start(inn)
    before = (await look(inn, match)).info
    message = await lobby(inn, match)
    assert "Those of this match: rounds: 1" in told(await inn.forge("Ada", message, f"t:{match}:options"))
    assert "already started" in told(await inn.forge("Ada", message, f"v:{match}:rounds", ["3"]))
    assert (await look(inn, match)).info == before


# What to expect


async def test_four_at_the_court_are_told_what_to_expect_and_the_host_shortens_it_by_a_click(inn: World) -> None:
    for label, changed in (("3 banners", (3, None)), ("At most 120 turns", (4, 120))):
        match = await sat(inn, GAMES["court"], 3)
        assert "very long match" not in words(await lobby(inn, match))
        await join(inn, match, "Dora")
        message = await lobby(inn, match)
        assert "340 to over 2,000 turns" in words(message)
        assert "55 to 95" in words(message)
        assert {"3 banners", "At most 120 turns"} < set(labels(message))
        assert "Only the host" in told(await inn.press("Dora", message, label))
        assert await set_so(inn, match) == GAMES["court"].options()
        assert "340 to over 2,000 turns" in words(await panel(inn, match))
        await inn.press("Ada", message, label)
        now = await set_so(inn, match)
        assert (now.banners, now.turns) == changed
        assert "very long match" not in words(await lobby(inn, match))
        assert label not in labels(await lobby(inn, match))
        assert len(changes(inn)) == 1
        await inn.bot.matches.cancel(match, inn["Ada"].id)
        inn.delete_message(changes(inn)[0])


async def test_when_a_fourth_leaves_the_court_there_is_nothing_to_say(inn: World) -> None:
    match = await sat(inn, GAMES["court"], 4)
    await inn.press("Dora", await lobby(inn, match), "Leave")
    assert "very long match" not in words(await lobby(inn, match))


async def test_the_rounds_that_are_offered_are_those_that_so_many_players_have_cards_for(inn: World) -> None:
    match = await sat(inn, GAMES["wizard"], 3, rounds=18)
    for seats, full in ((3, 20), (4, 15), (5, 12), (6, 10)):
        await join(inn, match, *list(inn.people)[len((await look(inn, match)).info.seats) : seats])
        lines = menus(await panel(inn, match))[f"v:{match}:rounds"]
        numbers = [int(line["value"]) for line in lines if line["value"] not in ("none", "18")]
        assert max(numbers) == full - 1
        assert lines[0]["label"] == f"{full} (the full game)"
        assert [line["value"] for line in lines if line.get("default")] == ["18"]
    assert "18 were asked for, 6 players have no more" in words(await lobby(inn, match))
    await start(inn, match)
    assert (await look(inn, match)).state.rounds == 10
