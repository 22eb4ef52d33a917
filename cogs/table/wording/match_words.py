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


WATCHING_TEXT = (
    "Here you see the table of this match: whose turn it is, what is public, and the result at the end. "
    "Players see their hands with **Show my hand** and, if they allow it, by direct message. "
    "To watch, just stay and read along: "
    "**More** under the table has the rules and the score sheet."
)
SHORT_SEAL = 8  # digits of a seal that may stand in a text


def short_seal(seal: str) -> str:
    """Return the beginning of a seal: `5c380157…`."""
    return f"`{seal[:SHORT_SEAL]}…`"


def seal_text(info: MatchInfo) -> str:
    """Return the message beside a lobby, which is never edited. It is true whether or not somebody has cut already."""
    return f"-# **The deal of this table is sealed.** Its seal: {short_seal(info.seal)} ||`{info.seal}`||"


def start_text(deal: PublicDeal, *, in_thread: bool = False, fault: str = "") -> str:
    """Return the message at the start of a match, which is never edited: the seal, and all cuts in order.

    In a thread it is the first message, so it begins with what one sees there. `fault` says what is wrong with the
    message beside the lobby.
    """
    parts = deal.cuts.split(" ")
    cuts = " · ".join(f"{letter(seat)} `{cut}`" for seat, cut in enumerate(parts))
    lines = (
        WATCHING_TEXT if in_thread else "",
        f"**The deal is sealed** ({short_seal(deal.seal)}), and everyone has cut.",
        f"-# Seal: ||`{deal.seal}`||",
        f"-# ⚠ {fault}" if fault else "",
        f"-# Cuts by seat: ||{cuts}||",
        "-# The long cut that begins with 0 comes from the click on Start." if any(map(is_start_click, parts)) else "",
        "-# After the match, **Check the deal** under **More** shows the secret behind the seal.",
    )
    return "\n".join(filter(None, lines))


def opened_text(deal: PublicDeal | None) -> str:
    """Return the secret of a match that ended without a result; empty if its deal is not sealed, or not open."""
    if deal is None or not deal.secret:
        return ""
    cuts = f"\n-# Cuts: ||`{deal.cuts}`||" if deal.cuts else ""
    return (
        f"-# The seal {short_seal(deal.seal)} has been opened: ||`{deal.seal}`||\n-# Its secret: "
        f"||`{deal.secret}`||{cuts}"
    )
