"""The REST API without errors."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import aiohttp
import pytest

from playground.page.client import PlaygroundClient, RequestRejected
from playground.server import Playground
from playground.simulation.interactions import InteractionKind
from playground.world import ids
from playground.world.permissions import Permission, permissions_in
from playground.world.world import COMPONENTS_V2, EPHEMERAL, LOADING
from tests.playground.broken_limits import gallery_item, media_gallery, text_display
from tests.playground.discord_rest import COMMANDS_PATH, GAMES_PATH, MESSAGES_PATH, RestClient
from tests.playground.jester_bot import PIXEL_PNG
from tests.playground.manual_clock import ManualClock

LOUNGE_MESSAGES = f"/channels/{ids.LOUNGE_CHANNEL}/messages"


async def test_messages_are_listed_newest_first_around_before_and_after(rest: RestClient) -> None:
    sent = [await rest.post_message(str(number)) for number in range(5)]

    async def listed(**query: str) -> list[str]:
        answer = await rest.send_request("GET", MESSAGES_PATH, query=query)
        return [message["content"] for message in answer.body]

    assert await listed() == ["4", "3", "2", "1", "0"]
    assert await listed(limit="2") == ["4", "3"]
    assert await listed(before=sent[2], limit="1") == ["1"]
    assert await listed(after=sent[2]) == ["4", "3"]
    assert await listed(around=sent[2], limit="3") == ["3", "2", "1"]


async def test_an_enforced_nonce_sends_once_in_whatever_channel(clock: ManualClock, rest: RestClient) -> None:
    body = {"content": "Your turn", "nonce": 7, "enforce_nonce": True}
    first, alike = [(await rest.send_request("POST", MESSAGES_PATH, body)).body for _ in range(2)]
    assert alike == first
    assert first["nonce"] == 7
    await rest.send_request("PATCH", f"{MESSAGES_PATH}/{first['id']}", {"content": "Your turn is over"})
    repeated = await rest.send_request("POST", LOUNGE_MESSAGES, {**body, "nonce": "7", "content": "New"})
    assert (repeated.status, repeated.body["id"]) == (200, first["id"])
    assert (repeated.body["channel_id"], repeated.body["content"]) == (str(ids.GAMES_CHANNEL), "Your turn is over")
    assert rest.simulation.world.messages[ids.LOUNGE_CHANNEL] == {}
    freely = await rest.send_request("POST", LOUNGE_MESSAGES, {"content": "Your turn", "nonce": "7"})
    assert freely.body["channel_id"] == str(ids.LOUNGE_CHANNEL)
    clock.advance(301)
    assert (await rest.send_request("POST", MESSAGES_PATH, body)).body["id"] != first["id"]


@pytest.mark.parametrize("deleted", ["message", "channel"])
async def test_a_deleted_message_is_not_posted_again(deleted: str, clock: ManualClock, rest: RestClient) -> None:
    body = {"content": "Your turn", "nonce": "turn-1", "enforce_nonce": True}
    first = await rest.send_request("POST", LOUNGE_MESSAGES, body)
    if deleted == "message":
        await rest.send_request("DELETE", f"{LOUNGE_MESSAGES}/{first.body['id']}")
    else:
        rest.simulation.world.remove_channel(rest.simulation.world.channels[ids.LOUNGE_CHANNEL])
    assert (await rest.send_request("POST", MESSAGES_PATH, body)).status_and_code == (404, 10008)
    clock.advance(301)
    assert (await rest.send_request("POST", MESSAGES_PATH, body)).status == 200


def shown_file_ids(part: Any) -> list[str]:
    if isinstance(part, list):
        return [found for inner in part for found in shown_file_ids(inner)]
    if not isinstance(part, dict):
        return []
    own = [part["attachment_id"]] if "attachment_id" in part else []
    return own + [found for inner in part.values() for found in shown_file_ids(inner)]


async def test_pictures_are_stored_shown_and_replaced(rest: RestClient) -> None:
    world = rest.simulation.world
    components = [text_display(), media_gallery(gallery_item("attachment://a.png", description="A"))]
    body = {"flags": COMPONENTS_V2, "components": components}
    body["attachments"] = [{"id": 0, "filename": "a.png", "description": "A"}]
    sent = (await rest.send_request("POST", MESSAGES_PATH, body, files=[("a.png", PIXEL_PNG)])).body
    media = sent["components"][1]["items"][0]["media"]
    assert (media["width"], media["height"]) == (1, 1)
    assert media["url"].endswith(f"/attachments/{ids.GAMES_CHANNEL}/{media['attachment_id']}/a.png")
    assert world.find_file(ids.GAMES_CHANNEL, int(media["attachment_id"])).data == PIXEL_PNG  # type: ignore[union-attr]
    body["components"] = [media_gallery(gallery_item("attachment://b.png"))]
    body["attachments"] = [{"id": 0, "filename": "b.png"}]
    files = [("b.png", PIXEL_PNG)]
    edited = (await rest.send_request("PATCH", f"{MESSAGES_PATH}/{sent['id']}", body, files=files)).body
    assert [file["filename"] for file in world.message(ids.GAMES_CHANNEL, int(sent["id"])).files] == ["b.png"]
    assert shown_file_ids(edited["components"]) != shown_file_ids(sent["components"])
    assert edited["edited_timestamp"]


async def test_a_file_is_among_the_attachments_only_when_nothing_else_shows_it(rest: RestClient) -> None:
    listed = [{"id": number, "filename": name} for number, name in enumerate(("a.png", "b.txt"))]
    v2 = [media_gallery(gallery_item("attachment://a.png")), {"type": 13, "file": {"url": "attachment://b.txt"}}]
    body = {"flags": COMPONENTS_V2, "components": v2, "attachments": listed}
    files = [("a.png", PIXEL_PNG), ("b.txt", b"The record")]
    sent = (await rest.send_request("POST", MESSAGES_PATH, body, files=files)).body
    assert sent["attachments"] == []
    assert len(shown_file_ids(sent["components"])) == 2
    assert (sent["components"][1]["name"], sent["components"][1]["size"]) == ("b.txt", 10)
    edited = await rest.send_request("PATCH", f"{MESSAGES_PATH}/{sent['id']}", {"components": v2})
    assert shown_file_ids(edited.body["components"]) == shown_file_ids(sent["components"])
    some = {"components": v2[:1], "attachments": [{"id": shown_file_ids(sent["components"])[0]}]}
    fewer = await rest.send_request("PATCH", f"{MESSAGES_PATH}/{sent['id']}", some)
    assert shown_file_ids(fewer.body["components"]) == shown_file_ids(sent["components"])[:1]
    plain = {"content": "x", "embeds": [{"image": {"url": "attachment://a.png"}}], "attachments": listed}
    embedded = (await rest.send_request("POST", MESSAGES_PATH, plain, files=files)).body
    assert [file["filename"] for file in embedded["attachments"]] == ["b.txt"]
    media = sent["components"][0]["items"][0]["media"]
    async with aiohttp.ClientSession() as session, session.get(media["url"]) as answer:
        assert await answer.read() == PIXEL_PNG


async def test_an_edit_changes_what_it_names(rest: RestClient) -> None:
    body = {"content": "x", "embeds": [{"title": "T"}]}
    sent = (await rest.send_request("POST", MESSAGES_PATH, body)).body
    edited = (await rest.send_request("PATCH", f"{MESSAGES_PATH}/{sent['id']}", {"content": "y"})).body
    assert (edited["content"], edited["embeds"][0]["title"]) == ("y", "T")
    assert (await rest.send_request("GET", f"{MESSAGES_PATH}/{sent['id']}")).body == edited
    assert (await rest.send_request("DELETE", f"{MESSAGES_PATH}/{sent['id']}")).status == 204


async def test_only_allowed_mentions_ping(rest: RestClient) -> None:
    content = f"<@{ids.ADA}> <@{ids.BELA}>"

    async def pinged(**more: object) -> list[str]:
        answer = await rest.send_request("POST", MESSAGES_PATH, {"content": content, **more})
        return [user["global_name"] for user in answer.body["mentions"]]

    assert await pinged() == ["Ada", "Bela"]
    assert await pinged(allowed_mentions={"parse": []}) == []
    assert await pinged(allowed_mentions={"parse": [], "users": [str(ids.BELA)]}) == ["Bela"]


async def test_a_thread_from_a_message_takes_its_id(rest: RestClient) -> None:
    message = await rest.post_message("The table")
    thread = (await rest.send_request("POST", f"{MESSAGES_PATH}/{message}/threads", {"name": "Match"})).body
    assert (thread["id"], thread["type"], thread["parent_id"]) == (message, 11, str(ids.GAMES_CHANNEL))
    assert (await rest.send_request("PUT", f"/channels/{message}/thread-members/{ids.ADA}")).status == 204
    members = (await rest.send_request("GET", f"/channels/{message}/thread-members")).body
    assert [member["user_id"] for member in members] == [str(ids.BOT), str(ids.ADA)]
    renamed = await rest.send_request("PATCH", f"/channels/{message}", {"name": "Over", "archived": True})
    assert renamed.body["thread_metadata"]["archived"]
    active = await rest.send_request("GET", f"/guilds/{ids.GUILD}/threads/active")
    assert active.body == {"threads": [], "members": [], "has_more": False}


async def test_a_deferred_answer_is_filled_by_the_first_follow_up(rest: RestClient) -> None:
    interaction = rest.start_interaction()
    body = (await rest.respond_first(interaction, 5, {"flags": EPHEMERAL})).body
    assert body["interaction"]["response_message_loading"]
    assert body["interaction"]["response_message_ephemeral"]
    waiting = (await rest.send_by_token("GET", interaction, "/messages/@original")).body
    assert waiting["flags"] == EPHEMERAL | LOADING
    filled = (await rest.send_by_token("POST", interaction, payload={"content": "Done"})).body
    assert (filled["id"], filled["flags"], filled["content"]) == (waiting["id"], EPHEMERAL, "Done")
    second = (await rest.send_by_token("POST", interaction, payload={"content": "More"})).body
    assert second["id"] != filled["id"]
    edited = await rest.send_by_token("PATCH", interaction, f"/messages/{second['id']}", {"content": "Less"})
    assert edited.body["content"] == "Less"
    assert (await rest.send_by_token("DELETE", interaction, f"/messages/{second['id']}")).status == 204
    assert (await rest.send_by_token("DELETE", interaction, "/messages/@original")).status == 204
    original = await rest.send_by_token("GET", interaction, "/messages/@original")
    assert original.status_and_code == (404, 10008)


async def test_a_follow_up_that_fills_a_waiting_answer_brings_no_gallery(rest: RestClient) -> None:
    body = {"flags": COMPONENTS_V2, "components": [media_gallery(gallery_item("attachment://a.png"))]}
    body["attachments"] = [{"id": 0, "filename": "a.png"}]
    deferred = rest.start_interaction()
    await rest.respond_first(deferred, 5, {"flags": EPHEMERAL})
    webhook, files = f"/webhooks/{ids.APPLICATION}/{deferred.token}", [("a.png", PIXEL_PNG)]
    assert (await rest.send_request("POST", webhook, body, files=files)).status_and_code == (400, 50035)
    filled = await rest.send_request("PATCH", f"{webhook}/messages/@original", body, files=files)
    assert filled.body["flags"] == EPHEMERAL | COMPONENTS_V2
    assert (await rest.send_request("POST", webhook, body, files=files)).status == 200


async def test_a_deferred_answer_takes_the_ephemeral_flag_alone(rest: RestClient) -> None:
    for flags in (0, EPHEMERAL):
        interaction = rest.start_interaction()
        body = {"flags": flags | COMPONENTS_V2 | 1 << 12, "content": "x"}
        assert "resource" not in (await rest.respond_first(interaction, 5, body)).body
        waiting = (await rest.send_by_token("GET", interaction, "/messages/@original")).body
        assert (waiting["flags"], waiting["content"]) == (flags | LOADING, "")
        v2 = {"components": [text_display()]}
        plain = await rest.send_by_token("PATCH", interaction, "/messages/@original", v2)
        assert plain.status_and_code == (400, 50035)
    assert (await rest.respond_first(rest.start_interaction(), 5, {"flags": "x"})).status_and_code == (400, 50035)


async def test_history_is_empty_without_its_permission(rest: RestClient) -> None:
    message = await rest.post_message()
    for role in rest.simulation.world.home_guild.roles.values():
        role.permissions &= ~Permission.READ_MESSAGE_HISTORY
    answer = await rest.send_request("GET", MESSAGES_PATH)
    assert (answer.status, answer.body) == (200, [])
    assert (await rest.send_request("GET", f"{MESSAGES_PATH}/{message}")).status_and_code == (403, 50013)
    response = await rest.send_request("POST", "/users/@me/channels", {"recipient_id": str(ids.ADA)})
    await rest.post_message(channel=int(response.body["id"]))
    assert len((await rest.send_request("GET", f"/channels/{response.body['id']}/messages")).body) == 1


async def test_ephemeral_messages_do_not_exist_for_the_bots_own_token(rest: RestClient) -> None:
    body = (await rest.respond_first(rest.start_interaction(), 4, {"content": "Psst", "flags": EPHEMERAL})).body
    hidden = await rest.send_request("GET", f"{MESSAGES_PATH}/{body['resource']['message']['id']}")
    assert hidden.status_and_code == (404, 10008)
    assert (await rest.send_request("GET", MESSAGES_PATH)).body == []


async def test_an_update_changes_the_message_it_came_from(rest: RestClient) -> None:
    world = rest.simulation.world
    message = world.message(ids.GAMES_CHANNEL, int(await rest.post_message("Before")))
    click = InteractionKind.COMPONENT, ids.ADA, world.channels[ids.GAMES_CHANNEL], {"custom_id": "c"}
    clicked = rest.simulation.interactions.start_interaction(*click, source=message)
    body = (await rest.respond_first(clicked, 7, {"content": "After"})).body
    assert body["resource"] == {"type": 7, "message": message.data}
    assert message.data["content"] == "After"
    assert (await rest.send_by_token("GET", clicked, "/messages/@original")).body == message.data


async def test_the_entry_point_command_of_activities_stays(rest: RestClient, page: PlaygroundClient) -> None:
    play = {"name": "play", "description": "Plays"}
    await page.player("Ada").act("activities")
    await page.player("Ada").act("activities")
    (launch,) = (await rest.send_request("GET", COMMANDS_PATH)).body
    assert (launch["type"], launch["name"], launch["handler"]) == (4, "launch", 2)
    assert (await rest.send_request("PUT", COMMANDS_PATH, [play])).status_and_code == (400, 50240)
    assert (await rest.send_request("GET", COMMANDS_PATH)).body == [launch], "a refused update changes nothing"
    launch_command = (await rest.send_request("PUT", COMMANDS_PATH, [play, launch])).body[1]
    assert {**launch_command, "version": launch["version"]} == launch
    assert (await rest.send_request("DELETE", f"{COMMANDS_PATH}/{launch['id']}")).status == 204
    assert [c["name"] for c in (await rest.send_request("PUT", COMMANDS_PATH, [play])).body] == ["play"]


async def test_a_commands_permissions_are_told_as_text(rest: RestClient) -> None:
    for given, expected in ((32, "32"), ("0", "0"), (None, None)):
        body = {"name": "play", "description": "Plays", "default_member_permissions": given}
        assert (await rest.send_request("PUT", COMMANDS_PATH, [body])).body[0]["default_member_permissions"] == expected


async def test_a_server_shows_a_command_to_somebody_or_hides_it(rest: RestClient, page: PlaygroundClient) -> None:
    kinds = {"keep": str(int(Permission.MANAGE_GUILD)), "play": None}
    bodies = [{"name": name, "description": "x", "default_member_permissions": kinds[name]} for name in kinds]
    await rest.send_request("PUT", COMMANDS_PATH, bodies)
    ada, bela = page.player("Ada"), page.player("Bela")

    async def usable() -> list[str]:
        found = []
        for name in kinds:
            with suppress(RequestRejected):
                await bela.act("command", channel_id=bela.channel_id("games"), name=name)
                found.append(name)
        return found

    assert await usable() == ["play"]
    with pytest.raises(RequestRejected, match="may not"):
        await bela.act("permit_command", name="keep", to=bela.id)
    await ada.act("permit_command", name="keep", to=bela.id)
    await ada.act("permit_command", name="play", to=bela.id, allowed=False)
    assert await usable() == ["keep"]
    await bela.act("command", channel_id=bela.channel_id("games"), name="play", unchecked=True)


async def test_commands_keep_their_ids_by_name(rest: RestClient) -> None:
    play = {"name": "play", "description": "Plays"}
    first = (await rest.send_request("PUT", COMMANDS_PATH, [play])).body[0]
    changed = (await rest.send_request("PUT", COMMANDS_PATH, [{**play, "description": "Plays on"}])).body[0]
    assert (changed["id"], changed["description"]) == (first["id"], "Plays on")
    guild = f"/applications/{ids.APPLICATION}/guilds/{ids.GUILD}/commands"
    added = await rest.send_request("POST", guild, {"name": "rules", "description": "Rules"})
    assert (added.status, added.body["guild_id"]) == (201, str(ids.GUILD))
    patched = await rest.send_request("PATCH", f"{guild}/{added.body['id']}", {"description": "The rules"})
    assert patched.body["description"] == "The rules"
    assert (await rest.send_request("GET", f"{guild}/{added.body['id']}")).body == patched.body
    assert (await rest.send_request("DELETE", f"{guild}/{added.body['id']}")).status == 204
    assert [c["name"] for c in (await rest.send_request("GET", COMMANDS_PATH)).body] == ["play"]


async def test_the_guild_answers_lookups_and_lists(rest: RestClient) -> None:
    for path, key, expected in (
        ("/users/@me", "username", "bot"),
        ("/oauth2/applications/@me", "id", str(ids.APPLICATION)),
        ("/applications/@me", "id", str(ids.APPLICATION)),
        ("/gateway/bot", "shards", 1),
        (f"/users/{ids.ADA}", "global_name", "Ada"),
        (f"/guilds/{ids.GUILD}", "owner_id", str(ids.ADA)),
        (f"/channels/{ids.GAMES_CHANNEL}", "name", "games"),
    ):
        answer = await rest.send_request("GET", path)
        assert (answer.status, answer.body[key]) == (200, expected)
    channels = (await rest.send_request("GET", f"/guilds/{ids.GUILD}/channels")).body
    assert [c["name"] for c in channels] == ["games", "lounge", "no-bots", "cellar", "news", "snug"]
    assert len((await rest.send_request("GET", f"/guilds/{ids.GUILD}/roles")).body) == 3
    assert len((await rest.send_request("GET", "/users/@me/guilds")).body) == 1
    member = (await rest.send_request("GET", f"/guilds/{ids.GUILD}/members/{ids.BELA}")).body
    assert member["user"]["global_name"] == "Bela"
    assert (await rest.send_request("POST", f"{GAMES_PATH}/typing")).status == 204
    assert (await rest.send_request("DELETE", f"/users/@me/guilds/{ids.GUILD}")).status == 204
    assert (await rest.send_request("GET", "/users/@me/guilds")).body == []


def test_rights_depend_on_the_person_and_the_place(playground: Playground) -> None:
    world = playground.simulation.world
    for person, channel, permission, may in (
        (ids.BOT, ids.GAMES_CHANNEL, Permission.ATTACH_FILES, True),
        (ids.BOT, ids.NO_BOTS_CHANNEL, Permission.VIEW_CHANNEL, True),
        (ids.BOT, ids.NO_BOTS_CHANNEL, Permission.SEND_MESSAGES, False),
        (ids.BOT, ids.NO_BOTS_CHANNEL, Permission.ATTACH_FILES, False),
        (ids.BOT, ids.CELLAR_CHANNEL, Permission.VIEW_CHANNEL, False),
        (ids.BELA, ids.CELLAR_CHANNEL, Permission.SEND_MESSAGES, True),
        (ids.ADA, ids.CELLAR_CHANNEL, Permission.MANAGE_GUILD, True),
        (ids.BELA, ids.GAMES_CHANNEL, Permission.MANAGE_GUILD, False),
    ):
        assert bool(permissions_in(world, person, world.channels[channel]) & permission) is may, (person, channel)
