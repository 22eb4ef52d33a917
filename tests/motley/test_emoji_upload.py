"""`python -m motley emoji` on the playground: what it uploads, replaces, deletes and says."""

from __future__ import annotations

from collections.abc import AsyncIterator

import discord
import pytest
import pytest_asyncio
from discord.gateway import DiscordWebSocket
from discord.http import Route

from cogs.pictures.emoji import EmojiDrawing, crest, emoji_png, playing_card, suit_tile
from cogs.pictures.emoji_names import emoji_name
from cogs.table.transport.discord_internals import use_api
from motley import emoji_upload
from motley.__main__ import main
from motley.emoji_upload import LIMIT_TEXT, LOGIN_TEXT, game_emoji, sync_emoji
from playground.server import Playground
from playground.simulation.faults import CountedFault
from playground.world import application_emoji

ACE, HEARTS = EmojiDrawing(playing_card, ("A", "S")), EmojiDrawing(suit_tile, ("H",))
SMALL = {"ace": ACE, "hearts": HEARTS}
CHANGED = {"ace": ACE, "hearts": EmojiDrawing(suit_tile, ("D",)), "moon": EmojiDrawing(crest, (4,))}


@pytest_asyncio.fixture
async def playground(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Playground]:
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)
    async with Playground(rate_limited=False) as running:
        use_api(running.api_url)
        yield running


class Owner:
    """Runs the command, and keeps what it said."""

    def __init__(self, playground: Playground) -> None:
        self._playground = playground
        self.lines: list[str] = []

    async def sync(
        self, drawings: dict[str, EmojiDrawing] = SMALL, *, token: str = "", is_dry_run: bool = False
    ) -> bool:
        self.lines.clear()
        token = token or self._playground.simulation.token
        return await sync_emoji(token, self.lines.append, is_dry_run=is_dry_run, drawings=drawings)

    def names(self) -> set[str]:
        return {each.name for each in self._playground.simulation.emoji.by_id.values()}


@pytest.fixture
def owner(playground: Playground) -> Owner:
    return Owner(playground)


async def test_a_first_upload_brings_all_and_a_second_nothing(playground: Playground, owner: Owner) -> None:
    assert await owner.sync()
    assert owner.lines[-1] == "Uploaded 2 new emoji. The bot shows them after its next start."
    stored = {each.name: each.image for each in playground.simulation.emoji.by_id.values()}
    assert stored == {emoji_name(key, SMALL): emoji_png(drawing) for key, drawing in SMALL.items()}
    before = dict(playground.simulation.emoji.by_id)
    assert await owner.sync()
    assert owner.lines == ["All 2 emoji are up to date."]
    assert playground.simulation.emoji.by_id == before


async def test_only_what_changed_is_replaced_and_other_emoji_stay(playground: Playground, owner: Owner) -> None:
    await owner.sync()
    for name in ("party_blob", "motley_house"):
        playground.simulation.emoji.add(name, b"", "image/png")
    removed = playground.simulation.emoji.add("motley_king_of_cups_00ff00", b"", "image/png")
    others = {each.id for each in playground.simulation.emoji.by_id.values() if "ace" in each.name}
    assert await owner.sync(CHANGED)
    assert owner.lines[-1] == (
        "Uploaded 1 new emoji, replaced 1 whose drawing changed and deleted 1 that are not used any more. "
        "The bot shows them after its next start."
    )
    assert owner.names() == {"party_blob", "motley_house", *(emoji_name(key, CHANGED) for key in CHANGED)}
    assert others < set(playground.simulation.emoji.by_id)
    assert removed.id not in playground.simulation.emoji.by_id


async def test_a_dry_run_says_what_would_be_done(playground: Playground, owner: Owner) -> None:
    await owner.sync()
    before = dict(playground.simulation.emoji.by_id)
    playground.simulation.emoji.add("motley_king_of_cups_00ff00", b"", "image/png")
    assert await owner.sync(CHANGED, is_dry_run=True)
    assert owner.lines == [
        "This would be done:\nupload moon\nreplace hearts, whose drawing changed\n"
        "delete motley_king_of_cups_00ff00, which is not used any more"
    ]
    assert before.items() <= playground.simulation.emoji.by_id.items()
    assert len(playground.simulation.emoji.by_id) == len(before) + 1
    assert await owner.sync(is_dry_run=True)
    assert owner.lines[0].endswith("not used any more")


async def test_it_goes_on_where_it_stopped(
    playground: Playground, owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application_emoji, "MAX_EMOJI", 1)
    assert not await owner.sync()
    assert owner.lines[-1] == LIMIT_TEXT
    assert owner.names() == {emoji_name("ace", SMALL)}
    monkeypatch.setattr(application_emoji, "MAX_EMOJI", 2000)
    assert await owner.sync()
    assert owner.lines[-1].startswith("Uploaded 1 new emoji.")


async def test_errors_are_said_in_sentences(
    playground: Playground, owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not await owner.sync(token="x.y.z")
    assert owner.lines == [LOGIN_TEXT]

    upload = discord.Client.create_application_emoji
    uploaded: list[str] = []

    async def upload_one(client: discord.Client, *, name: str, image: bytes) -> discord.Emoji:
        if uploaded:
            raise discord.RateLimited(1800)
        uploaded.append(name)
        return await upload(client, name=name, image=image)

    with monkeypatch.context() as patched:
        patched.setattr(discord.Client, "create_application_emoji", upload_one)
        assert not await owner.sync()
    assert owner.lines[-1] == f"Discord allows more uploads in 30 minutes. Done so far: 1 change. {emoji_upload.AGAIN}"
    assert owner.names() == set(uploaded)
    playground.simulation.faults.start_counted(CountedFault.BLOCKED, 1)
    assert not await owner.sync()
    assert owner.lines[-1].startswith("Discord blocks all requests of this application")
    use_api("http://127.0.0.1:9/api/v10")
    assert not await owner.sync()
    assert owner.lines[-1].startswith("Discord cannot be reached, or refuses (")


def test_the_command_needs_the_token_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: object
) -> None:
    monkeypatch.chdir(str(tmp_path))
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    assert main(["emoji"]) == 2
    assert "DISCORD_TOKEN" in capsys.readouterr().err


def test_every_game_brings_its_emoji() -> None:
    assert {"king_of_hearts", "joker", "ring_crest", "wizard", "jester", "menhir", "red_die"} <= set(game_emoji())
