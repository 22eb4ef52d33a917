"""What the REST API does when all goes well."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest

from playground.page.client import Visitor
from playground.server import Playground
from playground.simulation.interactions import Kind
from playground.world import ids
from playground.world.permissions import Permission, permissions_in
from playground.world.world import COMPONENTS_V2, EPHEMERAL, LOADING
from tests.playground.broken_limits import gallery, picture, text
from tests.playground.discord_rest import COMMANDS, GAMES, Rest
from tests.playground.jester_bot import PIXEL
from tests.playground.manual_clock import ManualClock


async def test_messages_are_listed_newest_first_around_before_and_after(playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        sent = [await rest.post(str(number)) for number in range(5)]

        async def listed(**query: str) -> list[str]:
            answer = await rest.ask("GET", f"{GAMES}/messages", query=query)
            return [message["content"] for message in answer.body]

        assert await listed() == ["4", "3", "2", "1", "0"]
        assert await listed(limit="2") == ["4", "3"]
        assert await listed(before=sent[2], limit="1") == ["1"]
        assert await listed(after=sent[2]) == ["4", "3"]
        assert await listed(around=sent[2], limit="3") == ["3", "2", "1"]


async def test_an_enforced_nonce_sends_once(playground: Playground, clock: ManualClock) -> None:
    async with Rest.to(playground) as rest:
        body = {"content": "Your turn", "nonce": "turn-1", "enforce_nonce": True}
        first = await rest.ask("POST", f"{GAMES}/messages", body)
        again = await rest.ask("POST", f"{GAMES}/messages", body)
        assert first.body == again.body
        assert first.body["nonce"] == "turn-1"
        clock.advance(301)
        later = await rest.ask("POST", f"{GAMES}/messages", body)
        assert later.body["id"] != first.body["id"]


async def test_a_nonce_is_its_authors_whatever_the_channel_and_answers_with_the_first_message_as_it_is(
    playground: Playground,
) -> None:
    async with Rest.to(playground) as rest:
        body = {"content": "Your turn", "nonce": 7, "enforce_nonce": True}
        first = await rest.ask("POST", f"{GAMES}/messages", body)
        await rest.ask("PATCH", f"{GAMES}/messages/{first.body['id']}", {"content": "Your turn is over"})
        again = await rest.ask("POST", f"/channels/{ids.LOUNGE}/messages", {**body, "nonce": "7", "content": "New"})
        assert (again.status, again.body["id"], again.body["channel_id"]) == (200, first.body["id"], str(ids.GAMES))
        assert again.body["content"] == "Your turn is over"
        assert playground.house.world.messages[ids.LOUNGE] == {}
        freely = await rest.ask("POST", f"/channels/{ids.LOUNGE}/messages", {"content": "Your turn", "nonce": "7"})
        assert freely.body["channel_id"] == str(ids.LOUNGE)


@pytest.mark.parametrize("gone", ["message", "channel"])
async def test_what_was_deleted_is_not_posted_again_under_its_nonce(
    gone: str, playground: Playground, clock: ManualClock
) -> None:
    async with Rest.to(playground) as rest:
        body = {"content": "Your turn", "nonce": "turn-1", "enforce_nonce": True}
        lounge, games = f"/channels/{ids.LOUNGE}/messages", f"{GAMES}/messages"
        first = await rest.ask("POST", lounge, body)
        if gone == "message":
            await rest.ask("DELETE", f"{lounge}/{first.body['id']}")
        else:
            playground.house.world.remove_channel(playground.house.world.channels[ids.LOUNGE])
        assert (await rest.ask("POST", games, body)).error == (404, 10008)
        clock.advance(301)
        assert (await rest.ask("POST", games, body)).status == 200


def shown(part: Any) -> list[str]:
    """The ids of the files that components or embeds show."""
    if isinstance(part, list):
        return [found for inner in part for found in shown(inner)]
    if not isinstance(part, dict):
        return []
    own = [part["attachment_id"]] if "attachment_id" in part else []
    return own + [found for inner in part.values() for found in shown(inner)]


async def test_pictures_are_stored_shown_and_replaced(playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        world = playground.house.world
        body = {"flags": COMPONENTS_V2, "components": [text(), gallery(picture("attachment://a.png", description="A"))]}
        body["attachments"] = [{"id": 0, "filename": "a.png", "description": "A"}]
        sent = (await rest.ask("POST", f"{GAMES}/messages", body, files=[("a.png", PIXEL)])).body
        media = sent["components"][1]["items"][0]["media"]
        assert (media["width"], media["height"]) == (1, 1)
        assert media["url"].endswith(f"/attachments/{ids.GAMES}/{media['attachment_id']}/a.png")
        assert world.file(ids.GAMES, int(media["attachment_id"])).data == PIXEL  # type: ignore[union-attr]
        body["components"] = [gallery(picture("attachment://b.png"))]
        body["attachments"] = [{"id": 0, "filename": "b.png"}]
        edited = await rest.ask("PATCH", f"{GAMES}/messages/{sent['id']}", body, files=[("b.png", PIXEL)])
        assert [file["filename"] for file in world.message(ids.GAMES, int(sent["id"])).files] == ["b.png"]
        assert shown(edited.body["components"]) != shown(sent["components"])
        assert edited.body["edited_timestamp"]


async def test_a_file_is_among_the_attachments_only_when_nothing_else_shows_it(playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        listed = [{"id": number, "filename": name} for number, name in enumerate(("a.png", "b.txt"))]
        v2 = [gallery(picture("attachment://a.png")), {"type": 13, "file": {"url": "attachment://b.txt"}}]
        body = {"flags": COMPONENTS_V2, "components": v2, "attachments": listed}
        files = [("a.png", PIXEL), ("b.txt", b"The record")]
        sent = (await rest.ask("POST", f"{GAMES}/messages", body, files=files)).body
        assert sent["attachments"] == []
        assert len(shown(sent["components"])) == 2
        assert (sent["components"][1]["name"], sent["components"][1]["size"]) == ("b.txt", 10)
        kept = await rest.ask("PATCH", f"{GAMES}/messages/{sent['id']}", {"components": v2})
        assert shown(kept.body["components"]) == shown(sent["components"])
        some = {"components": v2[:1], "attachments": [{"id": shown(sent["components"])[0]}]}
        fewer = await rest.ask("PATCH", f"{GAMES}/messages/{sent['id']}", some)
        assert shown(fewer.body["components"]) == shown(sent["components"])[:1]
        plain = {"content": "x", "embeds": [{"image": {"url": "attachment://a.png"}}], "attachments": listed}
        embedded = (await rest.ask("POST", f"{GAMES}/messages", plain, files=files)).body
        assert [file["filename"] for file in embedded["attachments"]] == ["b.txt"]
        media = sent["components"][0]["items"][0]["media"]
        async with aiohttp.ClientSession() as session, session.get(media["url"]) as answer:
            assert await answer.read() == PIXEL


async def test_an_edit_changes_what_it_names(playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        body = {"content": "x", "embeds": [{"title": "T"}]}
        sent = (await rest.ask("POST", f"{GAMES}/messages", body)).body
        edited = (await rest.ask("PATCH", f"{GAMES}/messages/{sent['id']}", {"content": "y"})).body
        assert (edited["content"], edited["embeds"][0]["title"]) == ("y", "T")
        assert (await rest.ask("GET", f"{GAMES}/messages/{sent['id']}")).body == edited
        assert (await rest.ask("DELETE", f"{GAMES}/messages/{sent['id']}")).status == 204


async def test_only_allowed_mentions_ping(playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        content = f"<@{ids.ADA}> <@{ids.BELA}>"

        async def pinged(**more: object) -> list[str]:
            answer = await rest.ask("POST", f"{GAMES}/messages", {"content": content, **more})
            return [user["global_name"] for user in answer.body["mentions"]]

        assert await pinged() == ["Ada", "Bela"]
        assert await pinged(allowed_mentions={"parse": []}) == []
        assert await pinged(allowed_mentions={"parse": [], "users": [str(ids.BELA)]}) == ["Bela"]


async def test_a_thread_from_a_message_takes_its_id(playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        message = await rest.post("The table")
        thread = (await rest.ask("POST", f"{GAMES}/messages/{message}/threads", {"name": "Match"})).body
        assert (thread["id"], thread["type"], thread["parent_id"]) == (message, 11, str(ids.GAMES))
        assert (await rest.ask("PUT", f"/channels/{message}/thread-members/{ids.ADA}")).status == 204
        members = (await rest.ask("GET", f"/channels/{message}/thread-members")).body
        assert [member["user_id"] for member in members] == [str(ids.BOT), str(ids.ADA)]
        renamed = await rest.ask("PATCH", f"/channels/{message}", {"name": "Over", "archived": True})
        assert renamed.body["thread_metadata"]["archived"]
        active = await rest.ask("GET", f"/guilds/{ids.GUILD}/threads/active")
        assert active.body == {"threads": [], "members": []}


async def test_a_deferred_answer_is_filled_by_the_first_follow_up(playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        interaction = rest.interaction()
        told = (await rest.respond(interaction, 5, {"flags": EPHEMERAL})).body
        assert told["interaction"]["response_message_loading"]
        assert told["interaction"]["response_message_ephemeral"]
        waiting = (await rest.by_token("GET", interaction, "/messages/@original")).body
        assert waiting["flags"] == EPHEMERAL | LOADING
        filled = (await rest.by_token("POST", interaction, payload={"content": "Done"})).body
        assert (filled["id"], filled["flags"], filled["content"]) == (waiting["id"], EPHEMERAL, "Done")
        second = (await rest.by_token("POST", interaction, payload={"content": "More"})).body
        assert second["id"] != filled["id"]
        edited = await rest.by_token("PATCH", interaction, f"/messages/{second['id']}", {"content": "Less"})
        assert edited.body["content"] == "Less"
        assert (await rest.by_token("DELETE", interaction, f"/messages/{second['id']}")).status == 204
        assert (await rest.by_token("DELETE", interaction, "/messages/@original")).status == 204
        gone = await rest.by_token("GET", interaction, "/messages/@original")
        assert gone.error == (404, 10008)


async def test_a_follow_up_that_fills_a_waiting_answer_brings_no_gallery(playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        body = {"flags": COMPONENTS_V2, "components": [gallery(picture("attachment://a.png"))]}
        body["attachments"] = [{"id": 0, "filename": "a.png"}]
        deferred = rest.interaction()
        await rest.respond(deferred, 5, {"flags": EPHEMERAL})
        webhook, files = f"/webhooks/{ids.APPLICATION}/{deferred.token}", [("a.png", PIXEL)]
        assert (await rest.ask("POST", webhook, body, files=files)).error == (400, 50035)
        filled = await rest.ask("PATCH", f"{webhook}/messages/@original", body, files=files)
        assert filled.body["flags"] == EPHEMERAL | COMPONENTS_V2
        assert (await rest.ask("POST", webhook, body, files=files)).status == 200


async def test_a_deferred_answer_takes_the_ephemeral_flag_alone(playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        for flags in (0, EPHEMERAL):
            interaction = rest.interaction()
            body = {"flags": flags | COMPONENTS_V2 | 1 << 12, "content": "x"}
            waiting = (await rest.respond(interaction, 5, body)).body["resource"]["message"]
            assert (waiting["flags"], waiting["content"]) == (flags | LOADING, "")
            plain = await rest.by_token("PATCH", interaction, "/messages/@original", {"components": [text()]})
            assert plain.error == (400, 50035)
        assert (await rest.respond(rest.interaction(), 5, {"flags": "x"})).error == (400, 50035)


async def test_history_is_empty_without_its_permission(playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        message = await rest.post()
        for role in playground.house.world.home.roles.values():
            role.permissions &= ~Permission.READ_MESSAGE_HISTORY
        answer = await rest.ask("GET", f"{GAMES}/messages")
        assert (answer.status, answer.body) == (200, [])
        assert (await rest.ask("GET", f"{GAMES}/messages/{message}")).error == (403, 50013)
        opened = await rest.ask("POST", "/users/@me/channels", {"recipient_id": str(ids.ADA)})
        await rest.post(channel=int(opened.body["id"]))
        assert len((await rest.ask("GET", f"/channels/{opened.body['id']}/messages")).body) == 1


async def test_ephemeral_messages_do_not_exist_for_the_bots_own_token(playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        interaction = rest.interaction()
        told = (await rest.respond(interaction, 4, {"content": "Psst", "flags": EPHEMERAL})).body
        message = told["resource"]["message"]["id"]
        assert (await rest.ask("GET", f"{GAMES}/messages/{message}")).error == (404, 10008)
        assert (await rest.ask("GET", f"{GAMES}/messages")).body == []


async def test_an_update_changes_the_message_it_came_from(playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        house = playground.house
        message = house.world.message(ids.GAMES, int(await rest.post("Before")))
        channel = house.world.channels[ids.GAMES]
        clicked = house.interactions.begin(Kind.COMPONENT, ids.ADA, channel, {"custom_id": "c"}, source=message)
        told = (await rest.respond(clicked, 7, {"content": "After"})).body
        assert told["resource"] == {"type": 7, "message": message.data}
        assert message.data["content"] == "After"
        assert (await rest.by_token("GET", clicked, "/messages/@original")).body == message.data


async def test_the_entry_point_command_of_activities_stays_as_it_is_sent_back_or_is_removed_alone(
    playground: Playground,
) -> None:
    play = {"name": "play", "description": "Plays"}
    async with Rest.to(playground) as rest, Visitor.to(playground.base) as visitor:
        await visitor.player("Ada").act("activities")
        await visitor.player("Ada").act("activities")
        (launch,) = (await rest.ask("GET", COMMANDS)).body
        assert (launch["type"], launch["name"], launch["handler"]) == (4, "launch", 2)
        assert (await rest.ask("PUT", COMMANDS, [play])).error == (400, 50240)
        assert (await rest.ask("GET", COMMANDS)).body == [launch], "a refused update changes nothing"
        kept = (await rest.ask("PUT", COMMANDS, [play, launch])).body[1]
        assert {**kept, "version": launch["version"]} == launch
        assert (await rest.ask("DELETE", f"{COMMANDS}/{launch['id']}")).status == 204
        assert [c["name"] for c in (await rest.ask("PUT", COMMANDS, [play])).body] == ["play"]


async def test_commands_keep_their_ids_by_name(playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        play = {"name": "play", "description": "Plays"}
        first = (await rest.ask("PUT", COMMANDS, [play])).body[0]
        changed = (await rest.ask("PUT", COMMANDS, [{**play, "description": "Plays on"}])).body[0]
        assert (changed["id"], changed["description"]) == (first["id"], "Plays on")
        guild = f"/applications/{ids.APPLICATION}/guilds/{ids.GUILD}/commands"
        added = await rest.ask("POST", guild, {"name": "rules", "description": "Rules"})
        assert (added.status, added.body["guild_id"]) == (201, str(ids.GUILD))
        patched = await rest.ask("PATCH", f"{guild}/{added.body['id']}", {"description": "The rules"})
        assert patched.body["description"] == "The rules"
        assert (await rest.ask("GET", f"{guild}/{added.body['id']}")).body == patched.body
        assert (await rest.ask("DELETE", f"{guild}/{added.body['id']}")).status == 204
        assert [c["name"] for c in (await rest.ask("GET", COMMANDS)).body] == ["play"]


@pytest.mark.parametrize(
    ("path", "key", "expected"),
    [
        ("/users/@me", "username", "motley"),
        ("/oauth2/applications/@me", "id", str(ids.APPLICATION)),
        ("/applications/@me", "id", str(ids.APPLICATION)),
        ("/gateway/bot", "shards", 1),
        (f"/users/{ids.ADA}", "global_name", "Ada"),
        (f"/guilds/{ids.GUILD}", "owner_id", str(ids.ADA)),
        (f"/channels/{ids.GAMES}", "name", "games"),
    ],
)
async def test_lookups(path: str, key: str, expected: object, playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        answer = await rest.ask("GET", path)
    assert (answer.status, answer.body[key]) == (200, expected)


async def test_lists_of_the_guild(playground: Playground) -> None:
    async with Rest.to(playground) as rest:
        channels = (await rest.ask("GET", f"/guilds/{ids.GUILD}/channels")).body
        assert [c["name"] for c in channels] == ["games", "lounge", "no-bots", "cellar", "news", "snug"]
        assert len((await rest.ask("GET", f"/guilds/{ids.GUILD}/roles")).body) == 3
        assert len((await rest.ask("GET", "/users/@me/guilds")).body) == 1
        member = (await rest.ask("GET", f"/guilds/{ids.GUILD}/members/{ids.BELA}")).body
        assert member["user"]["global_name"] == "Bela"
        assert (await rest.ask("POST", f"{GAMES}/typing")).status == 204
        assert (await rest.ask("DELETE", f"/users/@me/guilds/{ids.GUILD}")).status == 204
        assert (await rest.ask("GET", "/users/@me/guilds")).body == []


def test_who_may_do_what_where(playground: Playground) -> None:
    world = playground.house.world

    def may(person: int, channel: int, permission: Permission) -> bool:
        return bool(permissions_in(world, person, world.channels[channel]) & permission)

    assert may(ids.BOT, ids.GAMES, Permission.ATTACH_FILES)
    assert may(ids.BOT, ids.NO_BOTS, Permission.VIEW_CHANNEL)
    assert not may(ids.BOT, ids.NO_BOTS, Permission.SEND_MESSAGES)
    assert not may(ids.BOT, ids.NO_BOTS, Permission.ATTACH_FILES)
    assert not may(ids.BOT, ids.CELLAR, Permission.VIEW_CHANNEL)
    assert may(ids.BELA, ids.CELLAR, Permission.SEND_MESSAGES)
    assert may(ids.ADA, ids.CELLAR, Permission.MANAGE_GUILD)
    assert not may(ids.BELA, ids.GAMES, Permission.MANAGE_GUILD)
