"""`make live` on the playground: every claim about Discord holds there too, and nothing is left behind."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest

from live import alone, helped, stage
from live.__main__ import NO_CHANNEL_TEXT, USAGE_TEXT, main, run_claims
from live.report import Observation, format_report
from live.stage import NotTried
from playground.page.client import Player, PlaygroundClient, RequestRejected, SeenMessage
from playground.server import Playground
from playground.world import ids
from playground.world.world import World
from tests.playground.jester_bot import use_api

CLAIMS = len(alone.CLAIMS) + len(helped.CLAIMS)
THREAD = "A test by Motley"


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has to look away for seconds, nor is looked after once a second."""
    monkeypatch.setattr(stage, "POLL_SECONDS", 0.02)
    monkeypatch.setattr(helped, "LOOK_AWAY_SECONDS", 0.0)


async def run_live(playground: Playground, visitor: PlaygroundClient, patience: float, *, helping: bool) -> str:
    use_api(playground.api_url, playground.gateway_url)
    ada = visitor.player("Ada")
    help_ = asyncio.create_task(help_along(ada) if helping else asyncio.sleep(3600), name="help")
    running = asyncio.create_task(run_claims(playground.simulation.token, ids.GAMES_CHANNEL, patience), name="try")
    await asyncio.wait({help_, running}, return_when=asyncio.FIRST_COMPLETED)
    if help_.done():
        running.cancel()
        help_.result()
    help_.cancel()
    return await running


async def test_the_stand_in_behaves_as_we_claim_and_nothing_is_left() -> None:
    async with Playground(rate_limited=False) as playground, PlaygroundClient.connect(playground.base_url) as visitor:
        report = await run_live(playground, visitor, 20.0, helping=True)
        ada = visitor.player("Ada")
        assert f"- {CLAIMS} as we claim, 0 not as we claim, 0 not tried" in report, report
        assert report.count("| ") >= 2 * CLAIMS
        assert "Everything that was posted there has been deleted." in report
        assert ada.visible_messages("games") == []
        assert ada.visible_messages("dm") == []
        assert THREAD not in [channel.get("name") for channel in visitor.channels.values()]
        assert not [log for log in await visitor.fetch_request_log() if log["path"].endswith("/commands")]


async def test_the_report_says_if_discord_acts_otherwise_and_nobody_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(World, "message_with_nonce", lambda *_: None)  # a nonce means nothing there
    async with Playground(rate_limited=False) as playground, PlaygroundClient.connect(playground.base_url) as visitor:
        report = await run_live(playground, visitor, 0.1, helping=False)
        ada = visitor.player("Ada")
        otherwise = report.partition("## Not as we claim")[2].partition("\n## ")[0]
        assert otherwise.count("nonce") == 3
        assert f"- {CLAIMS - 13} as we claim, 3 not as we claim, {len(helped.CLAIMS) + 1} not tried" in report, report
        assert f"the thread “{THREAD}”, which I cannot delete" in report
        assert ada.visible_messages("games") == []


async def test_a_channel_that_does_not_exist_is_named() -> None:
    async with Playground(rate_limited=False) as playground:
        use_api(playground.api_url, playground.gateway_url)
        with pytest.raises(NotTried, match=NO_CHANNEL_TEXT.format(channel=7)):
            await run_claims(playground.simulation.token, 7, 1.0)


@pytest.mark.parametrize(("token", "arguments"), [("", ["123"]), ("a-token", [])])
def test_without_a_token_or_a_channel_it_says_what_it_needs(
    token: str,
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", token)
    assert main(arguments) == 2
    output = capsys.readouterr().err
    assert output.endswith(f"{USAGE_TEXT}\n")
    assert ("DISCORD_TOKEN is empty" in output) == (token == "")
    assert list(tmp_path.iterdir()) == []


def test_unexpected_observations_come_first_and_no_text_breaks_the_table() -> None:
    text = format_report(
        [Observation("One", True, "yes"), Observation("Two", None, "no"), Observation("Three", False, "a|b\nc")],
        ["x"],
        ["y"],
    )
    assert text.index("Three") < text.index("One") < text.index("Two")
    assert "| Three | a\\|b c |" in text
    assert text.endswith("## What is left there\n\n- y\n")


async def help_along(ada: Player) -> None:
    answered = set[str]()
    while True:
        for message in ada.visible_messages("games"):
            if message.id in answered:
                continue
            with contextlib.suppress(RequestRejected):
                if await help_with(ada, message):
                    answered.add(message.id)
        await asyncio.sleep(0.02)


async def help_with(ada: Player, message: SeenMessage) -> bool:
    """Do what the message asks for; return whether it asked for anything."""
    if "Please lock" in message.text:
        await ada.act("lock", channel_id=ada.channel_id(THREAD), locked=True)
    elif "Please delete" in message.text:
        await ada.act("delete_channel", channel_id=ada.channel_id(THREAD))
    elif message.buttons:
        labels = [button.label for button in message.buttons]
        outcome = await ada.click(message, "Press" if labels == ["Press"] else answer_question(ada, message.text))
        return outcome.responded
    else:
        return False
    return True


def answer_question(ada: Player, question: str) -> str:
    """Answer as Ada, who notices mentions, and direct messages that were not sent silently."""
    if "added a mention" in question:
        return "No"
    if "direct message" in question:
        (*_, newest) = ada.visible_messages("dm")
        return "No" if newest.data["flags"] & 1 << 12 else "Yes"
    return "Yes"
