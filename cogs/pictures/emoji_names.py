"""Names of the application's emoji on Discord. Each ends with the digest of the drawing that the emoji shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from cogs.pictures.emoji import EmojiDrawings, emoji_digest, shared_emoji

PREFIX = "motley_"
MAX_KEY = 18  # characters of a key; Discord allows 32 in a name, and seven each go to the prefix and the digest
_OUR_NAME = re.compile(rf"{PREFIX}([a-z0-9_]+)_[0-9a-f]{{6}}")
_KEY = re.compile(rf"[a-z0-9_]{{1,{MAX_KEY}}}")


class EmojiId(NamedTuple):
    """An emoji on Discord."""

    name: str
    id: int


EmojiIds = Mapping[str, EmojiId]
"""The application's current emoji on Discord, by key."""
NO_EMOJI: EmojiIds = {}


@dataclass(frozen=True, slots=True)
class SyncPlan:
    """What brings the application's emoji up to date: keys to upload, and emoji to delete."""

    new: tuple[str, ...]  # keys of which the application has no emoji
    changed: tuple[str, ...]  # keys whose emoji shows an older drawing
    current: tuple[str, ...]
    outdated: tuple[EmojiId, ...]  # the emoji that `changed` replaces
    unknown: tuple[EmojiId, ...]  # ours, of a key that is gone, or a second one of the same drawing


def all_emoji(games: Iterable[EmojiDrawings]) -> EmojiDrawings:
    """Return the shared emoji and those of the games. Raises ValueError for a bad key, or one that occurs twice."""
    found = dict(shared_emoji())
    for drawings in games:
        for key, drawing in drawings.items():
            if key in found:
                raise ValueError(f"Two emoji have the key {key}.")
            found[key] = drawing
    if bad := [key for key in found if not _KEY.fullmatch(key)]:
        raise ValueError(f"An emoji's key has 1 to {MAX_KEY} letters, digits and underscores, unlike {bad[0]}.")
    return found


def emoji_name(key: str, drawings: EmojiDrawings) -> str:
    """Return the name of an emoji's current drawing: `motley_king_of_hearts_3f2a9c`."""
    return f"{PREFIX}{key}_{emoji_digest(drawings[key])}"


def current_emoji(drawings: EmojiDrawings, found: Iterable[EmojiId]) -> EmojiIds:
    """Return those of the found emoji that show a current drawing, by key."""
    own_emoji = ((_key_of(each), each) for each in found)
    return {key: each for key, each in own_emoji if key and key in drawings and each.name == emoji_name(key, drawings)}


def plan_sync(drawings: EmojiDrawings, found: Iterable[EmojiId]) -> SyncPlan:
    """Plan what to upload and to delete. Emoji with other names than ours are left alone."""
    own_emoji = [each for each in found if _key_of(each) is not None]
    current = current_emoji(drawings, own_emoji)
    stale = [each for each in own_emoji if each not in current.values()]
    outdated = {each: str(_key_of(each)) for each in stale if _key_of(each) in drawings.keys() - current.keys()}
    missing = [key for key in drawings if key not in current]
    return SyncPlan(
        new=tuple(key for key in missing if key not in outdated.values()),
        changed=tuple(key for key in missing if key in outdated.values()),
        current=tuple(current),
        outdated=tuple(outdated),
        unknown=tuple(each for each in stale if each not in outdated),
    )


def _key_of(emoji: EmojiId) -> str | None:
    """Return the key in an emoji's name; None if the name is not one of ours."""
    match = _OUR_NAME.fullmatch(emoji.name)
    return match and match[1]
