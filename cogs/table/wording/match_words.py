"""A match in a few words: its practice mark, the time left, and its sealed deal. Pure functions."""

from __future__ import annotations

from engines.hosting.match import MatchSnapshot
from engines.hosting.matches.records import PublicDeal
from engines.hosting.records.deal import is_start_click
from engines.kit.seats import letter
from engines.store.match_store import MatchInfo


def practice_mark(info: MatchInfo) -> str:
    """Return the mark that follows the title of the game; empty if the match counts."""
    return " (practice)" if info.practice else ""


def countdown(snapshot: MatchSnapshot, seat: int | None = None) -> str:
    """Return the time left for a seat's decision, or for the next one due, as Discord's countdown: `⏳ in 3 hours`.

    Empty if there is no deadline.
    """
    at = snapshot.deadline(seat)
    return "" if at is None else f"⏳ <t:{at}:R>"


def seal_line(info: MatchInfo) -> str:
    """Return the seal in small print; empty if the deal is not sealed."""
    return f"-# Seal of the deal: `{info.seal}`" if info.seal else ""


def start_text(deal: PublicDeal) -> str:
    """Return the message at the start of a match, which is never edited: the seal, and all cuts in order."""
    parts = deal.cuts.split(" ")
    cuts = " · ".join(f"{letter(seat)} `{cut}`" for seat, cut in enumerate(parts))
    cuts += (
        "\nThe long cut that begins with 0 is the number of the click on Start."
        if any(map(is_start_click, parts))
        else ""
    )
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
