"""Slash commands do all that the buttons do; in servers and in direct messages."""

from __future__ import annotations

import re
from typing import Any

import pytest
from discord import app_commands

from engines.hosting import record
from engines.kit.errors import BadNotation
from engines.store.match_store import Status
from engines.wizard import deck
from motley.version import version
from tests.contract.laws.notations import SEAT_BY_NUMBER
from tests.end_to_end.players import (
    THREE,
    due_name,
    find_hand,
    find_lobby,
    find_table,
    join_lobby,
    load_snapshot,
    make_move,
    open_lobby,
    play_on,
    play_out,
    random_chooser,
    seat_and_start,
    show_hand,
    start_match,
)
from tests.end_to_end.world import (
    BUTTON,
    SELECT,
    SimulatedServer,
    button_labels,
    client_text,
    full_reply_text,
    message_text,
    move_buttons,
    move_selects,
    reply_text,
    walk_components,
)
from tests.fronts import RULES
from tests.games import GAMES
from tests.messages import is_about_match


def private_reply(answer: Any) -> str:
    """What a command answered, which nobody else may see."""
    for each in (answer.response, *answer.followups):
        assert each is None or each.ephemeral
    return reply_text(answer)


def reply_buttons(answer: Any) -> dict[str, str]:
    """The buttons of what a command answered, by their labels."""
    return {c["label"]: c["custom_id"] for c in walk_components(answer.response.components) if c["type"] == BUTTON}


async def move_by_command(w: SimulatedServer, match: str, name: str, pick: Any) -> Any:
    """Make a legal move by slash command, as autocomplete offers it where it does."""
    now = await load_snapshot(w, match)
    (seat,) = now.due_seats()
    verb = now.decisions()[seat].kind
    if verb == "bid":
        return await w[name].slash(w.thread, "wizard bid", tricks=pick([0, 1]), match=match)
    command, option, begun = ("play", "card", "play ") if verb == "play" else ("move", "move", "")
    offered = await w[name].autocomplete(w.thread, f"wizard {command}", option, "", match=match)
    assert {each["value"] for each in offered} == {
        now.game.format_move(each).removeprefix(begun) for each in now.moves(seat)
    }
    choice = pick([each["value"] for each in offered])
    return await w[name].slash(w.thread, f"wizard {command}", **{option: choice, "match": match})


async def test_a_whole_match_by_commands(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=3)
    pick = random_chooser(6)
    while (await load_snapshot(inn, match)).info.status is Status.RUNNING:
        name = await due_name(inn, match)
        assert name is not None
        before = (await load_snapshot(inn, match)).info.moves
        answer = await move_by_command(inn, match, name, pick)
        assert private_reply(answer).startswith("Done: ")
        assert (await load_snapshot(inn, match)).info.moves == before + 1


async def test_autocomplete_narrows_by_what_is_typed(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=3)
    await play_on(inn, match, "play", 3)
    name = await due_name(inn, match)
    assert name is not None
    every = await inn[name].autocomplete(inn.thread, "wizard play", "card", "")
    assert every
    word = every[0]["value"]
    some = await inn[name].autocomplete(inn.thread, "wizard play", "card", word.lower())
    assert some[0]["value"] == word
    assert await inn[name].autocomplete(inn.thread, "wizard play", "card", "no such card") == []
    assert all(len(each["name"]) <= 100 for each in every)


async def test_autocomplete_offers_nothing_when_it_is_not_ones_turn_or_ones_match(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    for each in (*THREE, "Greta"):
        assert await inn[each].autocomplete(inn.thread, "wizard play", "card", "") == []  # it is time to bid
    await play_on(inn, match, "play")
    name = await due_name(inn, match)
    assert name is not None
    for other in {*THREE, "Greta"} - {name}:
        assert await inn[other].autocomplete(inn.thread, "wizard play", "card", "") == []
    assert await inn[name].autocomplete(inn.thread, "wizard play", "card", "", match="nonsense") == []


async def test_autocomplete_offers_no_move_at_a_table_that_waits(inn: SimulatedServer) -> None:
    await inn["Ada"].slash(inn.table, "wizard new")
    (info,) = await inn.bot.matches.find()
    assert await inn["Ada"].autocomplete(inn.table, "wizard play", "card", "", match=info.id) == []


async def test_a_move_is_made_in_words(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=3)
    await play_on(inn, match, "play", 3)
    name = await due_name(inn, match)
    assert name is not None
    now = await load_snapshot(inn, match)
    card = deck.card_name(now.view(THREE.index(name)).hand[0])
    for said in ("", "of"):  # several cards are called that
        answer = private_reply(await inn.forge_command(name, inn.thread, "wizard move", move=said, match=match))
        assert "no such move" in answer or answer.startswith("That could be “Play ")
    answer = private_reply(await inn[name].slash(inn.thread, "wizard move", move="dance", match=match))
    assert answer.startswith("You have no such move now.")
    assert (await load_snapshot(inn, match)).info.moves == now.info.moves
    (offer, *_) = await inn[name].autocomplete(inn.thread, "wizard move", "move", card.lower(), match=match)
    assert offer["value"] == f"play {card}"
    before = inn.newest_in_inbox(name)
    said = private_reply(await inn[name].slash(inn.thread, "wizard move", move=offer["name"], match=match))
    assert said == f"Done: play {offer['name'].removeprefix('Play ')}."
    assert (await load_snapshot(inn, match)).movers[-1] == THREE.index(name)
    assert message_text(inn.newest_in_inbox(name)) != message_text(before), "the hand in their direct messages shows it"


async def test_a_hand_names_its_match_to_those_alone_who_play_in_several(inn: SimulatedServer) -> None:
    first = await seat_and_start(inn, ("Ada", "Bela", "Chidi"), rounds=1)
    assert not any(f"`{first}`" in message_text(find_hand(inn, name, first)) for name in ("Ada", "Bela", "Chidi"))
    second = await seat_and_start(inn, ("Ada", "Dora", "Emil"), rounds=1)
    assert f"`{second}`" in message_text(find_hand(inn, "Ada", second))
    assert f"`{second}`" not in message_text(find_hand(inn, "Dora", second))
    await make_move(inn, first)
    assert f"`{first}`" in message_text(find_hand(inn, "Ada", first))
    await play_out(inn, second)
    await make_move(inn, first)
    assert f"`{first}`" not in message_text(find_hand(inn, "Ada", first))


async def test_who_has_no_hand_before_them_gets_a_button_for_it(inn: SimulatedServer) -> None:
    inn.close_dms("Bela")
    match = await seat_and_start(inn, rounds=1)
    while (name := await due_name(inn, match)) != "Bela":
        assert name is not None
        answer = await inn[name].slash(inn.thread, "wizard bid", tricks=0, match=match)
        assert reply_buttons(answer) == {}
    answer = await inn["Bela"].slash(inn.thread, "wizard bid", tricks=1, match=match)
    assert reply_buttons(answer) == {"Show my hand": f"t:{match}:hand"}
    assert answer.response is not None
    shown = await inn["Bela"].click(answer.response, custom_id=f"t:{match}:hand")
    assert "Your hand" in full_reply_text(shown)
    await play_on(inn, match, "play")
    while (name := await due_name(inn, match)) != "Bela":
        await make_move(inn, match)
    (offer, *_) = await inn["Bela"].autocomplete(inn.thread, "wizard play", "card", "", match=match)
    answer = await inn["Bela"].slash(inn.thread, "wizard play", card=offer["value"], match=match)
    assert reply_buttons(answer) == {}, "the hand that was asked for is kept up to date"


async def test_commands_work_in_direct_messages(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=1)
    await play_on(inn, match, "bid")
    name = await due_name(inn, match)
    assert name is not None
    user = inn[name].user
    assert "Your hand" in full_reply_text(await user.slash("wizard hand"))
    assert "Waiting for" in reply_text(await user.slash("wizard status"))
    assert reply_text(await user.slash("wizard bid", tricks=1)) == "Done: bid 1."
    assert (await load_snapshot(inn, match)).state.bids[(await load_snapshot(inn, match)).movers[-1]] == 1
    await play_on(inn, match, "play")
    name = await due_name(inn, match)
    assert name is not None
    (offered,) = await inn[name].user.autocomplete("wizard play", "card", "")
    await inn[name].user.slash("wizard play", card=offered["value"])
    assert (await load_snapshot(inn, match)).movers[-1] == THREE.index(name)


async def test_a_match_cannot_be_opened_in_direct_messages(inn: SimulatedServer) -> None:
    available = inn["Ada"].user.available_commands()
    assert "wizard hand" in available
    assert await inn.bot.matches.find() == []
    answer = await inn.forge_command("Ada", inn["Ada"].user.dm_channel, "wizard new")
    assert len(reply_text(answer)) > 10
    assert await inn.bot.matches.find() == []


# Which match is meant


async def test_at_several_tables_one_is_asked_which(inn: SimulatedServer) -> None:
    first = await seat_and_start(inn, THREE, rounds=1)
    await seat_and_start(inn, ("Dora", "Emil", "Fumi"), rounds=1)
    second = await seat_and_start(inn, ("Ada", "Dora", "Emil"), rounds=1)
    answer = private_reply(await inn["Ada"].user.slash("wizard hand"))
    assert "several matches" in answer
    assert f"`{first}`" in answer
    assert f"`{second}`" in answer
    assert "option `match`" in answer
    for match in (first, second):
        assert f"`{match}`" in reply_text(await inn["Ada"].user.slash("wizard hand", match=match))
    offered = await inn["Ada"].user.autocomplete("wizard hand", "match", "")
    assert {each["value"] for each in offered} == {first, second}
    assert "Bela" in next(each["name"] for each in offered if each["value"] == first)
    assert "The Inn" in offered[0]["name"]


async def test_in_a_matchs_thread_that_match_is_meant(inn: SimulatedServer) -> None:
    first = await seat_and_start(inn, THREE, rounds=1)
    one = inn.thread
    second = await seat_and_start(inn, ("Ada", "Dora", "Emil"), rounds=1)
    two = inn.thread
    assert f"`{first}`" in reply_text(await inn["Ada"].slash(one, "wizard hand"))
    assert f"`{second}`" in reply_text(await inn["Ada"].slash(two, "wizard hand"))


async def test_two_matches_in_one_channel_do_not_mix(inn: SimulatedServer) -> None:
    inn.grant_permissions(inn.table, create_public_threads=False)
    first = await seat_and_start(inn, THREE, rounds=1)
    second = await seat_and_start(inn, ("Ada", "Dora", "Emil"), rounds=1)
    answer = private_reply(await inn["Ada"].slash(inn.table, "wizard hand"))
    assert f"`{first}`" in answer
    assert f"`{second}`" in answer
    await inn["Bela"].slash(inn.table, "wizard hand")
    (shown, *_) = [seen.message for seen in inn.ephemeral_messages() if seen.viewer == inn["Bela"].id]
    assert is_about_match(shown, first)
    assert not is_about_match(shown, second)
    assert f"`{second}`" in message_text(await show_hand(inn, "Ada", second))
    before = (await load_snapshot(inn, second)).info
    await play_out(inn, first)
    assert (await load_snapshot(inn, second)).info == before
    await play_out(inn, second)
    assert (await load_snapshot(inn, second)).info.status is Status.OVER


async def test_a_button_of_one_match_makes_no_move_in_another(inn: SimulatedServer) -> None:
    first = await seat_and_start(inn, THREE, rounds=1)
    second = await seat_and_start(inn, ("Ada", "Bela", "Chidi"), rounds=1)
    await make_move(inn, first)
    assert (await load_snapshot(inn, first)).info.moves == 1
    assert (await load_snapshot(inn, second)).info.moves == 0


async def test_a_match_of_another_server_is_none_of_ones_business(inn: SimulatedServer) -> None:
    channel, people = inn.add_guild("The Other Inn", "Emil", "Fumi", "Ada")
    match = await seat_and_start(inn, rounds=1)
    assert "no such match here" in private_reply(await people["Emil"].slash(channel, "wizard status", match=match))
    assert f"`{match}`" in private_reply(await people["Ada"].slash(channel, "wizard status", match=match))


async def test_who_sits_nowhere_is_told_how_to_begin(inn: SimulatedServer) -> None:
    for command in ("wizard hand", "wizard status", "motley leave", "motley stop", "motley options"):
        assert "/wizard new" in private_reply(await inn["Greta"].slash(inn.table, command))


async def test_a_watcher_sees_the_status_of_the_one_match_here(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=1)
    said = private_reply(await inn["Greta"].slash(inn.thread, "wizard status"))
    assert f"`{match}`" in said
    assert "Waiting for" in said
    assert "Your hand" not in said


async def test_a_lobby_by_commands(inn: SimulatedServer) -> None:
    match = await open_lobby(inn, rounds=1)
    await join_lobby(inn, match, "Bela", "Chidi")
    assert "left the table" in private_reply(await inn["Chidi"].slash(inn.table, "motley leave"))
    assert "You are in" in private_reply(await inn["Bela"].slash(inn.table, "wizard hand"))
    assert "not started" in private_reply(await inn["Bela"].slash(inn.table, "wizard status"))
    assert "not started" in private_reply(await inn["Bela"].slash(inn.table, "motley stop"))
    assert "not started" in private_reply(await inn["Bela"].slash(inn.table, "wizard bid", tricks=0))


# What makes no sense


@pytest.mark.parametrize("phase", ["bid", "play"])
async def test_moves_that_are_none_get_a_sentence_and_change_nothing(inn: SimulatedServer, phase: str) -> None:
    match = await seat_and_start(inn, rounds=1)
    await play_on(inn, match, phase)
    name = await due_name(inn, match)
    assert name is not None
    before = (await load_snapshot(inn, match)).info
    tries: list[tuple[str, dict[str, Any]]] = [("wizard bid", {"tricks": 2 if phase == "bid" else 0})]
    tries += [("wizard play", {"card": text}) for text in ("", " ", "11X", "wizzard", "bid 0", "🂡" * 30, "play", "-1")]
    tries += [("wizard move", {"move": text}) for text in ("", "roses", "h" * 200, "H\nS", "@everyone")]
    tries += [("wizard hand", {"match": text}) for text in ("nonsense", "x" * 300, "@everyone", "' --")]
    for command, options in tries:
        answer = await inn.forge_command(name, inn.thread, command, **options)
        said = private_reply(answer)
        assert len(said) > 10, (command, options)
        assert "went wrong" not in said, (command, options)
        assert (await load_snapshot(inn, match)).info == before, (command, options)


async def test_arguments_out_of_range_get_a_sentence(inn: SimulatedServer) -> None:
    for rounds in (0, -1, 21, 10**15):
        answer = await inn.forge_command("Ada", inn.table, "wizard new", rounds=rounds)
        assert "rounds" in private_reply(answer)
    answer = await inn.forge_command("Ada", inn.table, "wizard new", rounds="many")
    assert "rounds" in private_reply(answer)
    assert await inn.bot.matches.find() == []


async def test_moves_out_of_turn_get_a_sentence(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=1)
    await play_on(inn, match, "bid")
    name = await due_name(inn, match)
    other = next(each for each in THREE if each != name)
    assert "not your turn" in private_reply(await inn[other].slash(inn.thread, "wizard bid", tricks=0))
    assert "not sitting" in private_reply(await inn["Greta"].slash(inn.thread, "wizard bid", tricks=0))


async def test_after_the_end_a_command_says_so(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=1)
    await play_out(inn, match)
    assert "over" in private_reply(await inn["Ada"].slash(inn.thread, "wizard bid", tricks=0, match=match))
    assert "points" in private_reply(await inn["Ada"].slash(inn.thread, "wizard hand", match=match))


# /motley, rules, score sheet


async def test_help_tells_how_to_begin(inn: SimulatedServer) -> None:
    for answer in (await inn["Greta"].slash(inn.table, "motley help"), await inn["Greta"].user.slash("motley help")):
        said = reply_text(answer)
        assert "Show my hand" in said
        assert "Start with **Wizard** (3–6 players) or **Jokers** (2 players)" in said
        for line in ("for 3–6 · 45–95 min · easy · `/wizard new`", "for 2 · 30 min · easy · `/jokers new`"):
            assert line in said


async def test_about_tells_the_version_and_that_this_is_unofficial(inn: SimulatedServer) -> None:
    for answer in (await inn["Greta"].slash(inn.table, "motley about"), await inn["Greta"].user.slash("motley about")):
        said = reply_text(answer)
        assert f"Motley {version()}" in said
        assert "unofficial" in said


async def test_stop_is_the_vote_and_no_games_move_and_end_is_nothing(inn: SimulatedServer) -> None:
    group = inn.bot.tree.get_command("motley")
    assert isinstance(group, app_commands.Group)
    described = {command.name: command.description for command in group.commands}
    assert described["stop"] == "Vote to end a match without a result"
    assert "end" not in described
    for game in GAMES.values():
        for word in ("end", "stop"):
            with pytest.raises(BadNotation):
                game.parse_move(word)


async def test_no_description_of_a_command_asks_for_a_seat_by_its_number(inn: SimulatedServer) -> None:
    described = [command for command in inn.bot.tree.walk_commands() if isinstance(command, app_commands.Command)]
    texts = [text for each in described for text in (each.description, *(one.description for one in each.parameters))]
    assert len(texts) > 100
    assert not [text for text in texts if SEAT_BY_NUMBER.search(str(text))]


async def test_matches_lists_ones_own_and_shows_the_hands(inn: SimulatedServer) -> None:
    assert "not in a match" in private_reply(await inn["Ada"].slash(inn.table, "motley matches"))
    first = await seat_and_start(inn, THREE, rounds=1)
    second = await seat_and_start(inn, ("Ada", "Dora", "Emil"), rounds=1)
    third = await seat_and_start(inn, ("Dora", "Emil", "Fumi"), rounds=1)
    for answer in (await inn["Ada"].slash(inn.table, "motley matches"), await inn["Ada"].user.slash("motley matches")):
        said = reply_text(answer)
        assert f"`{first}`" in said
        assert f"`{second}`" in said
        assert third not in said
        assert "The Inn" in said
    assert answer.response is not None
    shown = await inn["Ada"].user.click(answer.response, custom_id=f"t:{second}:hand")
    assert "Your hand" in full_reply_text(shown)
    assert f"`{second}`" in reply_text(shown)


async def test_matches_of_somebody_who_sits_at_very_many_tables_are_turned_by_pages(inn: SimulatedServer) -> None:
    made = [await open_lobby(inn, host) for host in ("Ada", "Bela", "Chidi", "Dora") for _ in range(3)]
    for match in made[3:]:
        await join_lobby(inn, match, "Ada")
    first = await inn["Ada"].slash(inn.table, "motley matches")
    assert "12 running" in private_reply(first)
    assert "Page 1 of 2" in private_reply(first)
    assert [match for match in made if f"`{match}`" in reply_text(first)] == made[4:]
    assert first.response is not None
    second = await inn["Ada"].click(first.response, custom_id="l:1")
    (shown,) = [
        seen.message
        for seen in inn.ephemeral_messages()
        if seen.viewer == inn["Ada"].id and "Page" in message_text(seen.message)
    ]
    assert "Page 2 of 2" in message_text(shown)
    assert [match for match in made if f"`{match}`" in reply_text(second)] == made[:4]
    for page in ("l:7", "l:0"):
        await inn.forge_click("Ada", shown, page)


async def test_matches_that_are_over_are_listed_with_their_result_and_record(inn: SimulatedServer) -> None:
    over = await seat_and_start(inn, THREE, rounds=1)
    await play_out(inn, over)
    live = await seat_and_start(inn, ("Ada", "Dora", "Emil"), rounds=1)
    asked = await inn["Ada"].slash(inn.table, "motley matches")
    said = private_reply(asked)
    assert "1 running · 1 finished" in said
    assert said.index(f"`{live}`") < said.index(f"`{over}`")
    assert re.search(r" (wins|share the win) with ", said)
    assert asked.response is not None
    await inn["Ada"].click(asked.response, custom_id=f"t:{over}:record")
    (shown,) = [
        seen.message for seen in inn.ephemeral_messages() if "The record of Wizard" in message_text(seen.message)
    ]
    (paper,) = inn.file_bytes(shown)
    assert record.replay(record.parse_record(paper.decode()), GAMES).state == (await load_snapshot(inn, over)).state
    assert "1 finished" in private_reply(await inn["Bela"].user.slash("motley matches"))
    refused = await inn.forge_click("Ada", await find_table(inn, live), f"t:{live}:record")
    assert "once the match is over" in reply_text(refused)


async def test_a_record_is_for_those_who_played_and_for_their_server(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, THREE, rounds=1)
    await play_out(inn, match)
    other = await open_lobby(inn, "Emil")
    elsewhere, here = inn.newest_in_inbox("Emil"), await find_lobby(inn, other)
    for message, said in ((elsewhere, "no such match here"), (here, "The record of Wizard")):
        await inn.forge_click("Emil", message, f"t:{match}:record")
        assert any(
            said in message_text(seen)
            for seen in (*inn.inbox_messages("Emil"), *(each.message for each in inn.ephemeral_messages()))
        )


async def test_check_names_what_is_missing(inn: SimulatedServer) -> None:
    assert "every permission" in private_reply(await inn["Ada"].slash(inn.table, "motley check"))
    inn.grant_permissions(inn.table, create_public_threads=False)
    assert "Create Public Threads" in private_reply(await inn["Ada"].slash(inn.table, "motley check"))
    inn.grant_permissions(inn.table, attach_files=False, embed_links=False)
    said = private_reply(await inn["Ada"].slash(inn.table, "motley check"))
    assert "**Embed Links** and **Attach Files**" in said
    assert "server channel" in reply_text(await inn["Ada"].user.slash("motley check"))


async def test_the_rules_come_in_parts(inn: SimulatedServer) -> None:
    match = await open_lobby(inn)
    answer = await inn.press_button("Greta", await find_lobby(inn, match), "Rules")
    assert answer.response is not None
    assert answer.response.ephemeral
    (menu,) = [c for c in walk_components(answer.response.components) if c["type"] == SELECT]
    assert len(menu["options"]) > 3
    for option in menu["options"]:
        result = await inn["Greta"].select(answer.response, [option["value"]], custom_id=menu["custom_id"])
        assert option["label"] in reply_text(result)
    result = await inn["Greta"].select(answer.response, ["0"], custom_id=menu["custom_id"])
    assert "In a minute" in reply_text(result)
    titles = [option["label"] for option in menu["options"]]
    for _ in RULES["wizard"].pages[1:]:
        turned = reply_text(await inn["Greta"].click(answer.response, label="Next"))
        assert any(title in turned for title in titles)
    assert titles[-1] in turned
    await inn["Greta"].click(answer.response, label="Back")
    assert "(W11)" in reply_text(await inn["Greta"].click(answer.response, label="Back"))
    assert len({seen.message["id"] for seen in inn.ephemeral_messages()}) == 1  # all of that in one message
    assert "Wizard" in private_reply(await inn["Greta"].slash(inn.table, "wizard rules"))
    assert "Wizard" in reply_text(await inn["Greta"].user.slash("wizard rules"))
    for value in ("999", "-1", "x", "٣", "²"):
        assert len(reply_text(await inn.forge_click("Greta", await find_lobby(inn, match), "r:wizard", [value]))) > 10
    assert "Our rulings" in reply_text(await inn.forge_click("Greta", await find_lobby(inn, match), "r:wizard:99"))


async def test_the_score_sheet_is_for_everybody(inn: SimulatedServer) -> None:
    match = await seat_and_start(inn, rounds=2)
    await play_on(inn, match, "bid", 2)
    for name in ("Ada", "Greta"):
        answer = await inn.press_button(name, await find_table(inn, match), "Score sheet")
        assert "**1**: Ada\xa0" in private_reply(answer)


# Large hands


async def test_a_hand_of_many_cards_has_lists_and_can_be_played(inn: SimulatedServer) -> None:
    match = await open_lobby(inn)
    await join_lobby(inn, match, "Bela", "Chidi")
    await start_match(inn, match)
    await play_to_round(inn, match, 15)
    name = await due_name(inn, match)
    assert name is not None
    shown = await show_hand(inn, name, match)
    (bids,) = move_selects(shown).values()
    assert bids == [f"bid {n}" for n in range(16)]
    assert len(move_buttons(shown)) == 10
    await inn.choose_options(name, shown, next(iter(move_selects(shown))), "bid 15")
    assert (await load_snapshot(inn, match)).state.bids[THREE.index(name)] == 15
    await play_on(inn, match, "play", 15)
    name = await due_name(inn, match)
    assert name is not None
    shown = await show_hand(inn, name, match)
    ((custom_id, cards),) = move_selects(shown).items()
    held = (await load_snapshot(inn, match)).view(THREE.index(name)).hand
    assert len(held) == 15
    assert len(cards) == len({*held})
    await inn.choose_options(name, shown, custom_id, cards[-1])
    assert (await load_snapshot(inn, match)).movers[-1] == THREE.index(name)
    for _ in range(6):
        await make_move(inn, match)


async def test_the_last_round_of_a_full_game_to_its_end(inn: SimulatedServer) -> None:
    match = await open_lobby(inn)
    await join_lobby(inn, match, "Bela", "Chidi", "Dora")
    await start_match(inn, match)
    await play_to_round(inn, match, 15, cards=2)
    assert "Round 15 of 15" in client_text(await find_table(inn, match))
    await play_out(inn, match, random_chooser(9))
    final = await find_table(inn, match)
    assert button_labels(final) == ["Scoring", "Play again", "My costliest moves", "⋯"]
    assert "The score sheet of 15 rounds" in client_text(final)


async def play_to_round(w: SimulatedServer, match: str, round_: int, cards: int = 20) -> None:
    """Play on to that round, until nobody has more cards than that, as quickly as the engine goes and unseen."""
    matches, keeper = w.bot.matches, w.bot.reconciler
    pick = random_chooser(round_)
    matches.on_changed = lambda match: None
    while (now := await load_snapshot(w, match)).state.round < round_ or max(now.view(None).hand_sizes) > cards:
        (seat,) = now.due_seats()
        await matches.play_move(
            match, now.info.seats[seat].user, None, pick([now.game.format_move(m) for m in now.moves(seat)])
        )
    matches.on_changed = keeper.wake
    await w["Ada"].slash(w.thread, "wizard status")
