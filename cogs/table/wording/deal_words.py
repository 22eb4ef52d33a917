"""Sealed deals in words: the seal in the lobby, the cuts at the start, and the secret at the end. Pure functions."""

from __future__ import annotations

from engines.hosting.matches.records import PublicDeal
from engines.kit.seats import letter
from engines.store.match_store import MatchInfo


def seal_line(info: MatchInfo) -> str:
    """Return the seal in small print; empty if the deal is not sealed."""
    return f"-# Seal of the deal: `{info.seal}`" if info.seal else ""


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
