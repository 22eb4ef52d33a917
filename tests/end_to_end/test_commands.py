"""Slash commands do all that the buttons do, in servers and, where that makes sense, in direct messages."""

from __future__ import annotations

import re
from typing import Any

import pytest
from discord import app_commands

from engines.hosting.records import record
from engines.kit.errors import BadNotation
from engines.store.match_store import Status
from engines.wizard import deck
from motley.version import version
from tests.contract.laws.notations import SEAT_BY_NUMBER
from tests.end_to_end.players import THREE, random_chooser
from tests.end_to_end.simulated_server import (
    SELECT,
    SimulatedServer,
    full_reply_text,
    reply_text,
    response_of,
    walk_components,
)
from tests.game_uis import RULES
from tests.games import GAMES
from tests.messages import (
    BUTTON,
    RESULT_BUTTONS,
    button_labels,
    client_text,
    is_about_match,
    message_text,
    move_buttons,
    move_selects,
)


def private_reply(answer: Any) -> str:
    """What a command answered, which nobody else may see."""
    for each in (answer.response, *answer.followups):
        assert each is None or each.ephemeral
    return reply_text(answer)


def reply_buttons(answer: Any) -> dict[str, str]:
    return {c["label"]: c["custom_id"] for c in walk_components(response_of(answer).components) if c["type"] == BUTTON}


async def test_a_whole_match_by_commands(server: SimulatedServer) -> None:
    match, moves = await server.seat_and_start(rounds=3), 0
    pick: Any = random_chooser(6)
    while await server.status(match) is Status.RUNNING:
        now, name = await server.load_snapshot(match), await server.due_name_now(match)
        (seat,) = now.due_seats()
        kind = now.decisions()[seat].kind
        if kind == "bid":
            command, given = "bid", {"tricks": pick([0, 1])}
        else:
            command, option, beginning = ("play", "card", "play ") if kind == "play" else ("move", "move", "")
            offered = await server[name].autocomplete(server.thread, f"wizard {command}", option, "", match=match)
            values, legal = [each["value"] for each in offered], [now.game.format_move(m) for m in now.moves(seat)]
            assert set(values) == {move.removeprefix(beginning) for move in legal}
            given = {option: pick(values)}
        answer = await server[name].slash(server.thread, f"wizard {command}", **given, match=match)
        assert private_reply(answer).startswith("Done: ")
        moves += 1
        assert await server.move_count(match) == moves


async def test_autocomplete_offers_what_is_typed_in_ones_own_match_at_ones_turn(server: SimulatedServer) -> None:
    async def offer(name: str, typed: str = "", **match: str) -> list[dict[str, Any]]:
        return await server[name].autocomplete(server.thread, "wizard play", "card", typed, **match)

    match = await server.seat_and_start(rounds=3)
    assert [await offer(each) for each in (*THREE, "Greta")] == [[]] * 4  # it is time to bid
    await server.play_on(match, "play", 3)
    name = await server.due_name_now(match)
    every = await offer(name)
    assert all(len(each["name"]) <= 100 for each in every)
    word = every[0]["value"]
    assert (await offer(name, word.lower()))[0]["value"] == word
    assert await offer(name, "no such card") == []
    assert [await offer(other) for other in {*THREE, "Greta"} - {name}] == [[]] * 3
    assert await offer(name, match="nonsense") == []
    assert await offer("Ada", match=await server.open_lobby()) == []


async def test_a_move_is_made_in_words(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=3)
    await server.play_on(match, "play", 3)
    name = await server.due_name_now(match)
    now = await server.load_snapshot(match)
    card = deck.card_name(now.view(THREE.index(name)).hand[0])
    for connecting_word in ("", "of"):  # several cards are called that
        answer = private_reply(
            await server.forge_command(name, server.thread, "wizard move", move=connecting_word, match=match)
        )
        assert "no such move" in answer or answer.startswith("That could be “Play ")
    answer = private_reply(await server[name].slash(server.thread, "wizard move", move="dance", match=match))
    assert answer.startswith("You have no such move now.")
    assert await server.move_count(match) == now.info.moves
    (offer, *_) = await server[name].autocomplete(server.thread, "wizard move", "move", card.lower(), match=match)
    assert offer["value"] == f"play {card}"
    before = server.newest_in_inbox(name)
    connecting_word = private_reply(
        await server[name].slash(server.thread, "wizard move", move=offer["name"], match=match)
    )
    assert connecting_word == f"Done: play {offer['name'].removeprefix('Play ')}."
    assert (await server.load_snapshot(match)).movers[-1] == THREE.index(name)
    assert message_text(server.newest_in_inbox(name)) != message_text(before), (
        "the hand in their direct messages shows it"
    )


async def test_a_hand_names_its_match_to_those_alone_who_play_in_several(server: SimulatedServer) -> None:
    first = await server.seat_and_start(rounds=1)
    assert not any(f"`{first}`" in server.hand_text(name, first) for name in THREE)
    second, third = [await server.seat_and_start(names, rounds=1) for names in (("Ada", "Dora", "Emil"), THREE)]
    assert f"`{second}`" in server.hand_text("Ada", second)
    assert f"`{second}`" not in server.hand_text("Dora", second)
    await server.make_move(first)
    assert [await server.move_count(match) for match in (first, second, third)] == [1, 0, 0]
    assert f"`{first}`" in server.hand_text("Ada", first)
    await server.play_out(second)
    await server.play_out(third)
    await server.make_move(first)
    assert f"`{first}`" not in server.hand_text("Ada", first)


async def test_somebody_who_has_no_hand_before_them_gets_a_button_for_it(server: SimulatedServer) -> None:
    server.close_dms("Bela")
    match = await server.seat_and_start(rounds=1)
    while (name := await server.due_name(match)) != "Bela":
        assert name is not None
        answer = await server[name].slash(server.thread, "wizard bid", tricks=0, match=match)
        assert reply_buttons(answer) == {}
    answer = await server["Bela"].slash(server.thread, "wizard bid", tricks=1, match=match)
    assert reply_buttons(answer) == {"Show my hand": f"t:{match}:hand"}
    shown_hand = await server.press_answer("Bela", answer, f"t:{match}:hand")
    assert "Your hand" in full_reply_text(shown_hand)
    await server.play_on(match, "play")
    while (name := await server.due_name(match)) != "Bela":
        await server.make_move(match)
    (offer, *_) = await server["Bela"].autocomplete(server.thread, "wizard play", "card", "", match=match)
    answer = await server["Bela"].slash(server.thread, "wizard play", card=offer["value"], match=match)
    assert reply_buttons(answer) == {}, "the hand that was asked for is kept up to date"


async def test_commands_work_in_direct_messages(server: SimulatedServer) -> None:
    match = await server.seat_and_start(rounds=1)
    await server.play_on(match, "bid")
    name = await server.due_name_now(match)
    user = server[name].user
    assert "Your hand" in full_reply_text(await user.slash("wizard hand"))
    assert "Waiting for" in reply_text(await user.slash("wizard status"))
    assert reply_text(await user.slash("wizard bid", tricks=1)) == "Done: bid 1."
    assert (await server.load_snapshot(match)).state.bids[(await server.load_snapshot(match)).movers[-1]] == 1
    await server.play_on(match, "play")
    name = await server.due_name_now(match)
    (offered,) = await server[name].user.autocomplete("wizard play", "card", "")
    await server[name].user.slash("wizard play", card=offered["value"])
    assert (await server.load_snapshot(match)).movers[-1] == THREE.index(name)


async def test_at_several_tables_one_is_asked_which_and_in_a_thread_that_match_is_meant(
    server: SimulatedServer,
) -> None:
    ada, (first, one) = server["Ada"], (await server.seat_and_start(THREE, rounds=1), server.thread)
    await server.seat_and_start(("Dora", "Emil", "Fumi"), rounds=1)
    second, two = await server.seat_and_start(("Ada", "Dora", "Emil"), rounds=1), server.thread
    answer = private_reply(await ada.user.slash("wizard hand"))
    for expected_text in ("several matches", f"`{first}`", f"`{second}`", "option `match`"):
        assert expected_text in answer
    for match, thread in ((first, one), (second, two)):
        assert f"`{match}`" in reply_text(await ada.user.slash("wizard hand", match=match))
        assert f"`{match}`" in reply_text(await ada.slash(thread, "wizard hand"))
    expected_text = private_reply(await server["Bela"].slash(server.table, "wizard hand", match=second))
    assert "not sitting at this table" in expected_text
    assert first not in expected_text
    offered = await ada.user.autocomplete("wizard hand", "match", "")
    assert {each["value"] for each in offered} == {first, second}
    assert "Bela" in next(each["name"] for each in offered if each["value"] == first)
    assert "The Inn" in offered[0]["name"]


async def test_two_matches_in_one_channel_do_not_mix(server: SimulatedServer) -> None:
    server.grant_permissions(server.table, create_public_threads=False)
    first = await server.seat_and_start(THREE, rounds=1)
    second = await server.seat_and_start(("Ada", "Dora", "Emil"), rounds=1)
    assert (server.table.threads, (await server.load_snapshot(first)).info.place.thread) == ([], 0)
    assert any("Round 1 of 1" in client_text(message) for message in server.public_messages(server.table))
    answer = private_reply(await server["Ada"].slash(server.table, "wizard hand"))
    assert f"`{first}`" in answer
    assert f"`{second}`" in answer
    await server["Bela"].slash(server.table, "wizard hand")
    shown_hand = server.private_messages("Bela")[0]
    assert is_about_match(shown_hand, first)
    assert not is_about_match(shown_hand, second)
    assert f"`{second}`" in message_text(await server.show_hand("Ada", second))
    before = (await server.load_snapshot(second)).info
    await server.play_out(first)
    assert (await server.load_snapshot(second)).info == before
    await server.play_out(second)
    assert await server.status(second) is Status.OVER


async def test_a_watcher_sees_status_and_score_sheet_of_a_match_of_this_server_alone(server: SimulatedServer) -> None:
    channel, people = server.add_guild("The Other Inn", "Emil", "Fumi", "Ada")
    match = await server.seat_and_start(rounds=2)
    assert "no such match here" in private_reply(await people["Emil"].slash(channel, "wizard status", match=match))
    assert f"`{match}`" in private_reply(await people["Ada"].slash(channel, "wizard status", match=match))
    reply = private_reply(await server["Greta"].slash(server.thread, "wizard status"))
    assert f"`{match}`" in reply
    assert "Waiting for" in reply
    assert "Your hand" not in reply
    await server.play_on(match, "bid", 2)
    for name in ("Ada", "Greta"):
        await server.press_button(name, await server.find_table(match), "Score sheet")
        sheet = await server.press_button(name, server.newest_private(name), "Show as text")
        assert "**1**: Ada\xa0" in private_reply(sheet)


async def test_a_lobby_works_by_commands_and_people_without_a_seat_are_told_how_to_begin(
    server: SimulatedServer,
) -> None:
    for command in ("wizard hand", "wizard status", "motley leave", "motley stop", "motley options"):
        assert "/wizard new" in private_reply(await server["Greta"].slash(server.table, command))
    await server.fill_lobby("Bela", "Chidi", rounds=1)
    assert "left the table" in private_reply(await server["Chidi"].slash(server.table, "motley leave"))
    assert "You are in" in private_reply(await server["Bela"].slash(server.table, "wizard hand"))
    for command, options in (("wizard status", {}), ("motley stop", {}), ("wizard bid", {"tricks": 0})):
        assert "not started" in private_reply(await server["Bela"].slash(server.table, command, **options))


@pytest.mark.parametrize("phase", ["bid", "play"])
async def test_moves_that_are_none_get_a_sentence_and_change_nothing(server: SimulatedServer, phase: str) -> None:
    match = await server.seat_and_start(rounds=1)
    await server.play_on(match, phase)
    name = await server.due_name_now(match)
    before = (await server.load_snapshot(match)).info
    tries: list[tuple[str, dict[str, Any]]] = [("wizard bid", {"tricks": 2 if phase == "bid" else 0})]
    tries += [("wizard play", {"card": text}) for text in ("", " ", "11X", "wizzard", "bid 0", "🂡" * 30, "play", "-1")]
    tries += [("wizard move", {"move": text}) for text in ("", "roses", "h" * 200, "H\nS", "@everyone")]
    tries += [("wizard hand", {"match": text}) for text in ("nonsense", "x" * 300, "@everyone", "' --")]
    for command, options in tries:
        reply = private_reply(await server.forge_command(name, server.thread, command, **options))
        assert len(reply) > 10, (command, options)
        assert "went wrong" not in reply, (command, options)
        assert (await server.load_snapshot(match)).info == before, (command, options)
    if phase == "bid":
        other = next(each for each in THREE if each != name)
        assert "not your turn" in private_reply(await server[other].slash(server.thread, "wizard bid", tricks=0))
        assert "not sitting" in private_reply(await server["Greta"].slash(server.thread, "wizard bid", tricks=0))


async def test_arguments_out_of_range_get_a_sentence(server: SimulatedServer) -> None:
    for rounds in (0, -1, 21, 10**15, "many"):
        assert "rounds" in private_reply(await server.forge_command("Ada", server.table, "wizard new", rounds=rounds))
    assert await server.bot.matches.lookup.find() == []


async def test_help_tells_how_to_begin_and_about_that_this_is_unofficial(server: SimulatedServer) -> None:
    greta = server["Greta"]
    for answer in (await greta.slash(server.table, "motley help"), await greta.user.slash("motley help")):
        reply = reply_text(answer)
        assert "**Wizard** · start here" in reply
        for line in ("3–6 players · 45–95 min · easy", "2 players · 30 min · easy"):
            assert line in reply
    for answer in (await greta.slash(server.table, "motley about"), await greta.user.slash("motley about")):
        assert f"Motley {version()}" in reply_text(answer)
        assert "unofficial" in reply_text(answer)


async def test_stop_is_the_vote_and_no_command_asks_for_a_seat_number(server: SimulatedServer) -> None:
    commands = [each for each in server.bot.tree.walk_commands() if isinstance(each, app_commands.Command)]
    described = {command.qualified_name: command.description for command in commands}
    assert described["motley stop"] == "Vote to end a match without a result"
    assert "motley end" not in described
    for game in GAMES.values():
        for word in ("end", "stop"):
            with pytest.raises(BadNotation):
                game.parse_move(word)
    texts = [text for each in commands for text in (each.description, *(one.description for one in each.parameters))]
    assert len(texts) > 100
    assert not [text for text in texts if SEAT_BY_NUMBER.search(str(text))]


async def test_matches_lists_ones_own_and_shows_the_hands(server: SimulatedServer) -> None:
    assert "not in a match" in private_reply(await server["Ada"].slash(server.table, "motley matches"))
    tables = (THREE, ("Ada", "Dora", "Emil"), ("Dora", "Emil", "Fumi"))
    first, second, third = [await server.seat_and_start(names, rounds=1) for names in tables]
    for answer in (
        await server["Ada"].slash(server.table, "motley matches"),
        await server["Ada"].user.slash("motley matches"),
    ):
        reply = reply_text(answer)
        assert all(text in reply for text in (f"`{first}`", f"`{second}`", "The Inn"))
        assert third not in reply
    shown_page = await server.press_answer("Ada", answer, f"t:{second}:hand")
    assert "Your hand" in full_reply_text(shown_page)
    assert f"`{second}`" in reply_text(shown_page)


async def test_matches_says_you_to_the_player_it_waits_for(server: SimulatedServer) -> None:
    match = await server.seat_and_start(THREE, rounds=1)
    due = {THREE[seat] for seat in (await server.load_snapshot(match)).due_seats()}
    assert len(due) == 1
    for name in THREE:
        reply = reply_text(await server[name].slash(server.table, "motley matches"))
        assert ("Waiting for you." in reply) == (name in due), reply


async def test_matches_of_somebody_who_sits_at_very_many_tables_are_turned_by_pages(server: SimulatedServer) -> None:
    opened_matches = [await server.open_lobby(host) for host in ("Ada", "Bela", "Chidi", "Dora") for _ in range(3)]
    for match in opened_matches[3:]:
        await server.join_lobby(match, "Ada")
    first = await server["Ada"].slash(server.table, "motley matches")
    assert "12 running" in private_reply(first)
    assert "Page 1 of 2" in private_reply(first)
    assert [match for match in opened_matches if f"`{match}`" in reply_text(first)] == opened_matches[4:]
    second = await server.press_answer("Ada", first, "l:1")
    (shown_page,) = [m for m in server.private_messages("Ada") if "Page" in message_text(m)]
    assert "Page 2 of 2" in message_text(shown_page)
    assert [match for match in opened_matches if f"`{match}`" in reply_text(second)] == opened_matches[:4]
    for page in ("l:7", "l:0"):
        await server.forge_click("Ada", shown_page, page)


async def test_matches_that_are_over_are_listed_with_their_result_and_record(server: SimulatedServer) -> None:
    over = await server.seat_and_start(THREE, rounds=1)
    await server.play_out(over)
    assert "over" in private_reply(await server["Ada"].slash(server.thread, "wizard bid", tricks=0, match=over))
    assert "points" in private_reply(await server["Ada"].slash(server.thread, "wizard hand", match=over))
    live = await server.seat_and_start(("Ada", "Dora", "Emil"), rounds=1)
    answer = await server["Ada"].slash(server.table, "motley matches")
    reply = private_reply(answer)
    assert "1 running · 1 finished" in reply
    assert reply.index(f"`{live}`") < reply.index(f"`{over}`")
    assert re.search(r" (wins|share the win) with ", reply)
    await server.press_answer("Ada", answer, f"t:{over}:record")
    (shown_page,) = [m for m in server.private_messages("Ada") if "The record of Wizard" in message_text(m)]
    (paper,) = server.file_bytes(shown_page)
    assert record.replay(record.parse_record(paper.decode()), GAMES).state == (await server.load_snapshot(over)).state
    assert "1 finished" in private_reply(await server["Bela"].user.slash("motley matches"))
    refused = await server.forge_click("Ada", await server.find_table(live), f"t:{live}:record")
    assert "once the match is over" in reply_text(refused)
    lobby = await server.find_lobby(await server.open_lobby("Fumi"))  # it is for their server, and for those who played
    for message, reply in ((server.newest_in_inbox("Fumi"), "no such match here"), (lobby, "The record of Wizard")):
        await server.forge_click("Fumi", message, f"t:{over}:record")
        assert any(reply in message_text(m) for m in (*server.inbox_messages("Fumi"), *server.private_messages("Fumi")))


async def test_check_names_what_is_missing(server: SimulatedServer) -> None:
    for lacking, expected_text in (
        ((), "every permission"),
        (("create_public_threads",), "Create Public Threads"),
        (("attach_files", "embed_links"), "**Embed Links** and **Attach Files**"),
    ):
        server.grant_permissions(server.table, **dict.fromkeys(lacking, False))
        assert expected_text in private_reply(await server["Ada"].slash(server.table, "motley check"))
    assert "server channel" in reply_text(await server["Ada"].user.slash("motley check"))


async def test_the_rules_come_in_parts(server: SimulatedServer) -> None:
    lobby = await server.find_lobby(await server.open_lobby())
    answer = await server["Greta"].slash(server.table, "wizard rules")
    assert answer.ephemeral
    (menu,) = [c for c in walk_components(response_of(answer).components) if c["type"] == SELECT]
    titles = [option["label"] for option in menu["options"]]
    assert len(titles) > 3
    for value, expected_text in (
        *((option["value"], option["label"]) for option in menu["options"]),
        ("0", "The rules in one minute"),
    ):
        result = await server["Greta"].select(response_of(answer), [value], custom_id=menu["custom_id"])
        assert expected_text in reply_text(result)
    for _ in RULES["wizard"].pages[1:]:
        turned = reply_text(await server.press_answer("Greta", answer, "Next"))
        assert any(title in turned for title in titles)
    assert titles[-1] in turned
    await server.press_answer("Greta", answer, "Back")
    last_line = RULES["wizard"].pages[-3][1].split("\n")[-1]
    assert last_line in reply_text(await server.press_answer("Greta", answer, "Back"))
    assert (
        len({seen_message.message["id"] for seen_message in server.ephemeral_messages()}) == 1
    )  # all of that in one message
    assert "Wizard" in reply_text(await server["Greta"].user.slash("wizard rules"))
    for value in ("999", "-1", "x", "٣", "²"):
        assert len(reply_text(await server.forge_click("Greta", lobby, "r:wizard", [value]))) > 10
    assert "Our rulings" in reply_text(await server.forge_click("Greta", lobby, "r:wizard:99"))


async def test_a_hand_of_many_cards_has_lists_and_can_be_played(server: SimulatedServer) -> None:
    match = await server.fill_lobby("Bela", "Chidi")
    await server.start_match(match)
    await play_to_round(server, match, 15)
    name = await server.due_name_now(match)
    shown_hand = await server.show_hand(name, match)
    ((custom_id, bids),) = move_selects(shown_hand).items()
    assert bids == [f"bid {n}" for n in range(16)]
    assert len(move_buttons(shown_hand)) == 10
    await server.choose_options(name, shown_hand, custom_id, "bid 15")
    assert (await server.load_snapshot(match)).state.bids[THREE.index(name)] == 15
    await server.play_on(match, "play", 15)
    name = await server.due_name_now(match)
    shown_hand = await server.show_hand(name, match)
    ((custom_id, cards),) = move_selects(shown_hand).items()
    cards_held = (await server.load_snapshot(match)).view(THREE.index(name)).hand
    assert len(cards_held) == 15
    assert len(cards) == len({*cards_held})
    await server.choose_options(name, shown_hand, custom_id, cards[-1])
    assert (await server.load_snapshot(match)).movers[-1] == THREE.index(name)
    for _ in range(6):
        await server.make_move(match)


async def test_the_last_round_of_a_full_game_to_its_end(server: SimulatedServer) -> None:
    match = await server.fill_lobby("Bela", "Chidi", "Dora")
    await server.start_match(match)
    await play_to_round(server, match, 15, cards=2)
    assert "Round 15 of 15" in client_text(await server.find_table(match))
    await server.play_out(match, random_chooser(9))
    final = await server.find_table(match)
    assert button_labels(final) == RESULT_BUTTONS
    assert "The score sheet of 15 rounds" in client_text(final)


async def play_to_round(w: SimulatedServer, match: str, round_: int, cards: int = 20) -> None:
    """Play on to that round, until nobody has more cards than that, as quickly as the engine goes and unseen."""
    matches, pick = w.bot.matches, random_chooser(round_)
    listeners = [*matches.editor.on_changed]
    matches.editor.on_changed.clear()
    while (now := await w.load_snapshot(match)).state.round < round_ or max(now.view(None).hand_sizes) > cards:
        (seat,) = now.due_seats()
        notation = pick([now.game.format_move(move) for move in now.moves(seat)])
        await matches.moves.play_move(match, now.info.seats[seat].user, None, notation)
    matches.editor.on_changed[:] = listeners
    await w["Ada"].slash(w.thread, "wizard status")


async def test_every_command_says_where_it_can_be_used_and_no_subcommand_does(server: SimulatedServer) -> None:
    (request,) = [each for each in server.env.http_requests if each.method == "PUT" and each.path.endswith("/commands")]
    commands: dict[str, dict[str, Any]] = {command["name"]: command for command in request.json or []}
    assert set(commands) == {*GAMES, "motley", "admin"}
    for name, command in commands.items():  # 0: servers, 1: direct messages
        assert (command["integration_types"], command["contexts"]) == ([0], [0] if name == "admin" else [0, 1]), name
    subcommands = [each for each in server.bot.tree.walk_commands() if each.parent is not None]
    assert len(subcommands) > 50
    for each in subcommands:  # Discord ignores it there
        for field in ("allowed_contexts", "allowed_installs", "guild_only", "default_permissions"):
            assert not getattr(each, field, None), each.qualified_name


async def test_commands_that_need_a_server_are_refused_in_direct_messages(server: SimulatedServer) -> None:
    ada = server["Ada"].user
    for command in (*(f"{key} new" for key in GAMES), "motley check"):
        assert command in ada.offered_commands()  # Discord knows contexts of whole groups only
        assert "server" in reply_text(await ada.slash(command)), command
    assert not [each for each in ada.offered_commands() if each.startswith("admin")]
    for command in ("matches", "show", "reset"):
        reply = reply_text(await server.forge_command("Ada", ada.dm_channel, f"admin {command}", match="x"))
        assert len(reply) > 10
        assert "went wrong" not in reply
    assert await server.bot.matches.lookup.find() == []
