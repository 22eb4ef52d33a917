"""Wizard at a table with house rules: what the dealer is offered, and what is refused."""

from __future__ import annotations

import re

from cogs.table.pages import custom_ids
from tests.end_to_end.players import due_name_now, find_hand, find_table, load_snapshot, make_move, seat_and_start
from tests.end_to_end.simulated_server import SimulatedServer, control_ids, message_text, reply_text

THREE = ("Ada", "Bela", "Chidi")


async def play_until_dealer_bids(w: SimulatedServer, match: str) -> tuple[str, int]:
    """The dealer's name and the number of their decision, when they have to bid."""
    while (view := (await load_snapshot(w, match)).view(None)).phase != "bid" or view.bids.count(None) != 1:
        await make_move(w, match)
    return await due_name_now(w, match), (await load_snapshot(w, match)).decisions()[view.turn].number


async def test_w12_a_hand_offers_no_bid_that_the_hook_forbids_and_a_forged_one_is_refused_with_its_rule(
    server: SimulatedServer,
) -> None:
    match = await seat_and_start(server, THREE, game="wizard", rounds=1, hook="1")
    name, decision = await play_until_dealer_bids(server, match)
    hand, before = find_hand(server, name, match), (await load_snapshot(server, match)).info
    text = message_text(hand)
    assert "Bid: will you take the only trick? You cannot bid 1." in text  # the others have bid 0
    assert "Hook: the bids must not total 1." in text
    offered = [each for each in control_ids(hand) if re.search(r":bid \d+$", each)]
    assert offered == [custom_ids.move_id(match, decision, "bid 0")]
    await server.forge_click(name, hand, custom_ids.move_id(match, decision, "bid 1"))
    message = message_text(find_hand(server, name, match))
    assert "You bid last, and the bids must not total 1. Bid a different number." in message
    assert "(W12)" in message
    answer = await server[name].slash(server.table, "wizard bid", tricks=1)
    assert "the bids must not total 1" in reply_text(answer)
    assert (await load_snapshot(server, match)).info == before
    await make_move(server, match)
    assert (await load_snapshot(server, match)).view(None).bids == (0, 0, 0)


async def test_w15_a_match_of_all_cards_is_played_to_its_result_and_its_record_replays(server: SimulatedServer) -> None:
    match = await seat_and_start(server, THREE, game="wizard", rounds=1, hands="all cards")
    assert "Round 1 of 1, bids total 0 of 20. Clubs are trump ♣, every card is dealt." in str(
        await find_table(server, match)
    )
    await server.play_out(match)
    assert 'options: {"rounds":1,"hands":"all cards","hook":null,' in await server.bot.matches.records.build_record(
        match
    )
