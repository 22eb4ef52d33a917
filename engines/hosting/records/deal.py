"""A sealed deal: it proves that the bot neither chose nor swapped the seed of a match.

When a lobby opens, a secret of 256 bits is drawn, and its seal is shown. Then the players cut. The seed follows from
the secret and the cuts. Everything is text, so that a few lines in any language can check it (docs/deals.md):

- the secret: 64 hex digits
- the seal: the SHA-256 of the secret, the match's id and the game's key, with one space between them, as 64 hex digits
- a cut: the digits that a player chose, at most eight; or else the id of the click by which they joined or opened the
  table; for the host instead the id of the click that started the match, after a 0, unless somebody cuts last; for a
  computer the word `computer`; for a player whom an older version of the bot seated, the word `none`
- the cuts: those of all seats in their order, with one space between them
- the seed: the keyed BLAKE2b of the cuts, with the bytes of the secret as key, as 32 hex digits
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b, sha256

from engines.store.match_store import Seat

MAX_CUT_LENGTH = 8
COMPUTER_CUT, UNKNOWN_CUT = "computer", "none"
HEX_PATTERN = r"[0-9a-f]{64}"  # of a secret and of a seal
CUTS_PATTERN = r"([0-9]{1,20}|computer|none)( ([0-9]{1,20}|computer|none))*"


class BadDeal(ValueError):
    """Something about a deal does not hold. The message says what, in a sentence without a full stop."""


@dataclass(frozen=True, slots=True)
class Deal:
    """A sealed deal that is open: everything that proves it."""

    match: str
    seal: str
    secret: str = field(repr=False)
    cuts: str


def new_secret() -> str:
    """Return a new secret from the operating system."""
    return secrets.token_hex(32)


def seal_of(secret: str, match: str, game: str) -> str:
    """Return the seal of a secret, for a match of a game."""
    return sha256(f"{secret} {match} {game}".encode()).hexdigest()


def cuts_of(seats: Sequence[Seat], host: int = 0, start: int = 0) -> str:
    """Return the cuts of these seats, in order, if the match of that host starts by that click.

    If the host has chosen no digits, that click is their cut, unless it also opened the table: such a click was known
    before the secret was drawn. But nothing changes after somebody who cuts last.
    """
    cuts = [_cut_of(seat) for seat in seats]
    for number, seat in enumerate(seats):
        if start and seat.cut != str(start) and cuts_at_start(seats, seat, host):
            cuts[number] = f"0{start}"
    return " ".join(cuts)


def cuts_at_start(seats: Sequence[Seat], seat: Seat, host: int) -> bool:
    """Whether the click that starts the match is the cut of this seat, which is one of `seats`."""
    return seat.user == host and not is_chosen(seat.cut) and not any(each.last_cut for each in seats)


def seed_of(secret: str, cuts: str) -> str:
    """Return the seed that follows from a secret and the cuts."""
    return blake2b(cuts.encode(), key=bytes.fromhex(secret), digest_size=16).hexdigest()


def parse_cut(typed: str) -> str:
    """Return the digits of a player's cut. Raises BadDeal with a sentence for that player."""
    digits = typed.strip()
    if not re.fullmatch(rf"[0-9]{{1,{MAX_CUT_LENGTH}}}", digits):
        raise BadDeal("A cut is one to eight digits, such as 1907. Nothing has changed.")
    return digits


def is_chosen(cut: str) -> bool:
    """Whether a player chose these digits. The ids of clicks are longer."""
    return 0 < len(cut) <= MAX_CUT_LENGTH and cut.isdecimal()


def is_start_click(cut: str) -> bool:
    """Whether a cut is the id of the click that started the match."""
    return len(cut) > MAX_CUT_LENGTH and cut.startswith("0")


def check_deal(deal: Deal, game: str, seed: str, seats: int) -> None:
    """Check that a deal holds for a game, a seed and a number of seats. Raises BadDeal."""
    if seal_of(deal.secret, deal.match, game) != deal.seal:
        raise BadDeal("the secret does not fit the seal of this match and game")
    if len(deal.cuts.split(" ")) != seats:
        raise BadDeal(f"there are not as many cuts as the {seats} seats")
    if seed_of(deal.secret, deal.cuts) != seed:
        raise BadDeal("the seed does not follow from the secret and the cuts")


def _cut_of(seat: Seat) -> str:
    return COMPUTER_CUT if not seat.user else seat.cut or UNKNOWN_CUT
