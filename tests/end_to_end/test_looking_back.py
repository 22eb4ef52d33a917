"""Who may look back at a match, once it was played to its end: people on its server and its players, nobody else."""

from __future__ import annotations

import pytest

from cogs.table.actions.rights import NOT_OVER
from cogs.table.commands.component_router import ComponentRouter
from cogs.table.state.block_list import SHUT_OUT_TEXT
from engines.store.match_store import Status
from tests.end_to_end.simulated_server import SimulatedServer, reply_text
from tests.end_to_end.test_replays import UNSEEN, finish_match
from tests.features.parsing import parse

OLD_LOOKS = (
    *("t:{match}:replay", "x:{match}:n0ty0", "x:{match}:o0ty0", "x:{match}:t0ty0", "x:{match}:p0ty0"),
    *("z:{match}:1:n0ty0", "z:{match}:1:o0ty0", "j:{match}:open", "j:{match}:pick", "j:{match}:post=0"),
)
LOOKS = (
    *(f"replays:{{match}}:{each}:n0ty0" for each in ("at", "led:1", "own", "together", "practice")),
    *("replays:{match}:open", "clips:{match}:open", "clips:{match}:pick", "clips:{match}:post:0"),
    *OLD_LOOKS,
)
"""A custom id of each control that is about finished matches, as today and as older versions wrote it."""


async def answers(w: SimulatedServer, name: str, message: dict[str, object], match: str) -> dict[str, str]:
    """What somebody is told by each of these controls."""
    answer_texts = {}
    for look in LOOKS:
        values = ["0"] if look.endswith("pick") else None
        answer = await w.forge_click(name, message, look.format(match=match), values)
        answer_texts[look] = reply_text(answer)
    return answer_texts


def test_each_control_about_finished_matches_is_among_them(server: SimulatedServer) -> None:
    router = server.bot.get_cog("ComponentRouter")
    assert isinstance(router, ComponentRouter)
    tried = {
        control.kind + control.rest.partition(":")[0]
        for each in LOOKS
        if (control := parse(each.format(match="abcd2345")))
    }
    known = router._features._controls.items()
    assert tried == {kind + word for (kind, word), control in known if control.about_finished}


async def test_people_of_another_server_see_nothing_of_it(server: SimulatedServer) -> None:
    match = await finish_match(server)
    elsewhere, people = server.add_guild("Elsewhere", "Fumi")
    await people["Fumi"].slash(elsewhere, "wizard new")
    posted = len(server.public_messages(server.thread))
    for look, answer_text in (await answers(server, "Fumi", server.public_messages(elsewhere)[-1], match)).items():
        assert UNSEEN in answer_text, look
    assert UNSEEN in reply_text(await people["Fumi"].slash(elsewhere, "motley replay", match=match))
    assert len(server.public_messages(server.thread)) == posted
    assert len(await server.bot.matches.lookup.find()) == 1, "a practice match was opened"


async def test_somebody_who_is_shut_out_sees_nothing_of_it_in_direct_messages(server: SimulatedServer) -> None:
    match = await finish_match(server)
    server.make_manager("Dora")
    await server["Dora"].slash(server.table, "admin shut-out", player=server["Ada"])
    for look, answer_text in (await answers(server, "Ada", server.newest_in_inbox("Ada"), match)).items():
        assert SHUT_OUT_TEXT in answer_text, look
    for named in ({"match": match}, {}):
        assert reply_text(await server["Ada"].user.slash("motley replay", **named)) == SHUT_OUT_TEXT


@pytest.mark.parametrize("status", [Status.LOBBY, Status.RUNNING, Status.RESET])
async def test_nothing_is_seen_of_a_match_that_was_not_played_to_its_end(
    server: SimulatedServer, status: Status
) -> None:
    match = await (server.open_lobby() if status is Status.LOBBY else server.seat_and_start(rounds=2))
    if status is Status.RESET:
        await server.bot.matches.seating.reset_match(match, by=0)
    message = server.public_messages(server.table)[-1]
    for look, answer_text in (await answers(server, "Ada", message, match)).items():
        assert answer_text == NOT_OVER, look
    named = reply_text(await server["Ada"].slash(server.table, "motley replay", match=match))
    assert "You can watch this match again once it has been played to its end." in named
