"""The commands of `python -m motley` that the running bot carries out: block, unblock, say.

They only write to the database. The bot reads it every two minutes, and after a click.
"""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace, _SubParsersAction
from collections.abc import Callable
from pathlib import Path

import storage
from engines.store.owner_storage import Block, OwnerStorage

Say = Callable[[str], None]
LONGEST_ANNOUNCEMENT = 1500  # characters, so that a message of Discord has room for it
LARGEST_ID = 2**63 - 1
SOON_TEXT = "A running bot notices that within two minutes, or after the next click."


def add_parsers(kinds: _SubParsersAction[ArgumentParser]) -> None:
    """Add the commands to the parser of the command line."""
    block = kinds.add_parser("block", help="shut out a server or a person, even while the bot runs; or list them")
    block.add_argument("kind", choices=("server", "person", "list"), help="whom to block; `list`: show all blocks")
    block.add_argument("id", type=parse_id, nargs="?", help="its Discord ID")
    unblock = kinds.add_parser("unblock", help="let a blocked server or person in again")
    unblock.add_argument("kind", choices=("server", "person"), help="whom to let in")
    unblock.add_argument("id", type=parse_id, help="its Discord ID")
    say = kinds.add_parser("say", help="announce something once at all open tables, even while the bot runs")
    what = say.add_mutually_exclusive_group(required=True)
    what.add_argument("text", type=_parse_text, nargs="?", help="what to announce, in Discord's markdown")
    what.add_argument("--withdraw", action="store_true", help="delete what was announced in the last week")


async def run_command(options: Namespace, location: str | Path, now: float, say: Say) -> bool:
    """Carry out one of the commands at that Unix second, and return whether all is well.

    Raises StorageError and StoreFailure.
    """
    if options.command == "block" and (options.kind == "list") != (options.id is None):
        say("Give `server` or `person` with an ID, or `list` alone.")
        return False
    async with storage.open_owner_storage(location, int(now)) as handle:
        opened = handle.surfaces
        match options.command:
            case "say":
                return await _announce(opened, options, say)
            case "block" if options.kind == "list":
                return await _list_blocks(opened, say)
            case _:
                return await _change_block(opened, options, say)


async def _announce(opened: OwnerStorage, options: Namespace, say: Say) -> bool:
    if options.withdraw:
        count = await opened.withdraw_announcements()
        announcements = "1 announcement is" if count == 1 else f"{count} announcements are"
        say(f"{announcements} withdrawn. {SOON_TEXT}" if count else "There is nothing to withdraw.")
        return bool(count)
    await opened.announce(options.text)
    say(f"It will be announced once at every open table. {SOON_TEXT}")
    return True


async def _change_block(opened: OwnerStorage, options: Namespace, say: Say) -> bool:
    block = Block(options.id, 0) if options.kind == "server" else Block(0, options.id)
    whom = f"The {options.kind} {options.id}"
    if options.command == "block":
        is_new = await opened.put_block(block)
        say(f"{whom} is blocked. {SOON_TEXT}" if is_new else f"{whom} was already blocked.")
        return True
    was_there = await opened.drop_block(block)
    say(f"{whom} is no longer blocked. {SOON_TEXT}" if was_there else f"{whom} was not blocked.")
    return was_there


async def _list_blocks(opened: OwnerStorage, say: Say) -> bool:
    for block in sorted(await opened.blocks()):
        if not block.user:
            say(f"server {block.guild}")
        elif not block.guild:
            say(f"person {block.user}")
        else:
            say(f"person {block.user}, shut out by the managers of server {block.guild}")
    return True


def parse_id(text: str) -> int:
    """Parse a Discord ID of the command line. Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdecimal() and 0 < int(text) <= LARGEST_ID):
        raise ArgumentTypeError(f"{text!r} is no Discord ID, which is a number")
    return int(text)


def _parse_text(text: str) -> str:
    if not text.strip():
        raise ArgumentTypeError("the text is empty")
    if len(text) > LONGEST_ANNOUNCEMENT:
        raise ArgumentTypeError(f"the text has {len(text)} characters, and may have {LONGEST_ANNOUNCEMENT}")
    return text.strip()
