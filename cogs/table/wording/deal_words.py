"""Sealed deals in words: the seal in the lobby, the cuts at the start, and the secret at the end. Pure functions."""

from __future__ import annotations

from engines.hosting.deals import PublicDeal
from engines.hosting.records.deal import is_chosen
from engines.kit.seats import letter
from engines.store.match_store import MatchInfo, Seat


def seal_line(info: MatchInfo) -> str:
    """Return the seal in small print; empty if the deal is not sealed."""
    return f"-# Seal of the deal: `{info.seal}`" if info.seal else ""


def cut_note(seat: Seat) -> str:
    """Return what a lobby says of a player's cut: ` · cut 1907`; empty if there is nothing to say."""
    last = " last" if seat.last_cut else ""
    return f" · cut{last} {seat.cut}" if is_chosen(seat.cut) and seat.last_cut != 1 else " · cuts last" if last else ""


def joined_text(info: MatchInfo, user: int) -> str:
    """Return the reply to a player who joined a lobby: the seal, and what their cut is unless they choose another."""
    seat = info.seat_of(user)
    if seat is None or not info.seal:
        return ""
    return (
        f"You are in match `{info.id}`. {cut_text(info.seats[seat])}\n{seal_line(info)}\n"
        "-# I can no longer change the deal under this seal, and nobody knows what a cut will do."
    )


def cut_text(seat: Seat) -> str:
    """Return a player's cut for that player."""
    if is_chosen(seat.cut):
        return f"You have cut with `{seat.cut}`."
    number = f"the number of this click, `{seat.cut}`" if seat.cut else "the word `none`"
    return f"Your cut is {number}. Press **Cut** to choose digits of your own."


def start_text(deal: PublicDeal) -> str:
    """Return the message at the start of a match, which is never edited: the seal, and all cuts in order."""
    cuts = " · ".join(f"{letter(seat)} `{cut}`" for seat, cut in enumerate(deal.cuts.split(" ")))
    return (
        f"**The deal is sealed**, and everyone has cut.\nSeal: `{deal.seal}`\nCuts by seat: {cuts}\n"
        "-# After the match, **Check the deal** opens the secret behind the seal."
    )


def opened_text(deal: PublicDeal | None) -> str:
    """Return the secret of a match that ended without a result; empty if its deal is not sealed, or not open."""
    if deal is None or not deal.secret:
        return ""
    cuts = f"\n-# Cuts: `{deal.cuts}`" if deal.cuts else ""
    return f"-# Seal of the deal: `{deal.seal}`\n-# Secret: `{deal.secret}`{cuts}"
