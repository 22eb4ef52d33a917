"""The owner's requests if several processes share the store: each acts in the servers that it looks after."""

from __future__ import annotations

from cogs.table.scheduling.owner_requests import ANNOUNCEMENT_PREFIX, CHECK_SECONDS
from cogs.table.state.block_list import PERSON_TEXT
from engines.store.owner_storage import Block
from tests.games import GAMES
from tests.plain.bot_group import BotGroup, start_bot_group
from tests.plain.plain_bot import PEOPLE

SEED = "0c" * 16
GAME = GAMES["wizard"]


async def settle(group: BotGroup) -> None:
    for plain_bot in group.plain_bots:
        await plain_bot.pass_time(CHECK_SECONDS + 1)


def posts(group: BotGroup, prefix: str = ANNOUNCEMENT_PREFIX) -> list[str]:
    channels = group.plain_bots[0].wire.channels.values()
    texts = [str(message.get("content", "")) for channel in channels for message in channel.values()]
    return [text for text in texts if text.startswith(prefix)]


async def test_one_process_posts_an_announcement_and_another_deletes_it() -> None:
    async with start_bot_group(SEED) as group:
        first = group.plain_bots[0]
        await first.seat_match(GAME, PEOPLE[:3], {})
        group.shown.clock = first.bot.clock.now
        await group.shown.announce("A word.")
        await settle(group)
        assert posts(group) == [f"{ANNOUNCEMENT_PREFIX}A word."]
        for number in range(group.partition_count):
            group.give_partition(number, group.bots[1])
        await settle(group)
        assert len(posts(group)) == 1, "the other one knows that it is there"
        await group.shown.withdraw_announcements()
        start = len(first.wire.requests_by_bot)
        await settle(group)
        assert posts(group) == []
        deleted = [by for by, request in first.wire.requests_by_bot[start:] if request.startswith("DELETE")]
        assert deleted == ["1"], "that was for the holder to do"
        assert await group.shown.announcements() == []


async def test_every_process_refuses_blocked_people_and_one_takes_their_seats() -> None:
    async with start_bot_group(SEED) as group:
        first, second = group.plain_bots
        match = await first.seat_match(GAME, PEOPLE[:3], {})
        await group.shown.put_block(Block(0, 1))
        await settle(group)
        assert PERSON_TEXT in str((await second.run_command(PEOPLE[0], "motley help")).answer)
        assert posts(group, "The computer takes over") == ["The computer takes over the seat of Ada."]
        assert (await second.matches.cache.get_fresh_snapshot(match)).info.seats[0].is_away
