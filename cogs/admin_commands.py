"""`/admin`: commands for server managers. They reach only that server's matches and show nothing hidden."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import discord
from discord import app_commands
from discord.ext import commands

from cogs.features.registry import ACTION_TEXTS
from cogs.screens.truncation import utf16_length
from cogs.screens.words import join_with_and
from cogs.table.actions import match_history
from cogs.table.actions.door import managed_server
from cogs.table.actions.rights import Access, Phase, Who, access_of, extras_of
from cogs.table.actions.table_actions import TableActions
from cogs.table.commands.core_controls import MANAGER, RESETTER
from cogs.table.commands.game_commands import Choices, filter_choices, match_label, safe_autocomplete, with_reply
from cogs.table.commands.match_lookup import find_by_name, plain_name
from cogs.table.pages import custom_ids
from cogs.table.pages.page import GREY, LONGEST_TEXT, RED, Page, Press, Text, press_rows, text_blocks
from cogs.table.scheduling.computer_turns import SUBSTITUTE_LEVEL, substitute_level
from cogs.table.scheduling.owner_requests import OwnerRequests
from cogs.table.transport.interaction_response import InteractionReply
from cogs.table.wording.match_words import practice_mark
from cogs.table.wording.player_names import clean_name, markdown_name
from engines.hosting.match import MatchSnapshot, RequestRefused
from engines.kit.seats import letter, parse_seat
from engines.store.match_store import LIVE, Action, MatchInfo, Seat, Status
from engines.store.owner_storage import Block

RESETTABLE_STATUSES = LIVE | {Status.ASIDE}
MATCHES_SHOWN = 20
SEAT_GIVERS = Access(Who.MATCH_MANAGER, Phase.RUNNING)
OUTSIDE_TEXT = "Use this command in the server whose matches you want to manage."


@app_commands.default_permissions(manage_guild=True)
@app_commands.allowed_contexts(guilds=True, dms=False)
class AdminCog(commands.GroupCog, group_name="admin", group_description="Manage this server's matches"):
    """Admin commands. They check Manage Server in code: servers can override Discord's check, and it skips clicks."""

    def __init__(self, actions: TableActions, owner_requests: OwnerRequests) -> None:
        super().__init__()
        self.actions = actions
        self.owner_requests = owner_requests

    @app_commands.command(description="List this server's open and running matches")
    @with_reply
    async def matches(self, reply: InteractionReply) -> None:
        """`matches`: list the matches, one per line."""
        guild = managed_server(reply.interaction, OUTSIDE_TEXT)
        found = await self.actions.matches.lookup.find(statuses=RESETTABLE_STATUSES, guild=guild)
        lines = [self._match_line(info) for info in found[:MATCHES_SHOWN]]
        more = f"-# And {len(found) - MATCHES_SHOWN} more." if len(found) > MATCHES_SHOWN else ""
        await reply.send_page(Page(text_blocks((f"## Matches here: {len(found)}", "\n".join(lines), more))))

    @app_commands.command(description="Show the state of one match, without anything hidden", extras=extras_of(MANAGER))
    @app_commands.describe(match="Which match")
    @with_reply
    async def show(self, reply: InteractionReply, match: str) -> None:
        """`show`: show the seats, the status, whose turn it is, any trouble, and the history."""
        snapshot = await self._find_server_match(reply.interaction, match)
        past_actions = await self.actions.matches.lookup.load_history(snapshot.info.id)
        page_context = await self.actions.surface_sync.page_context_of(snapshot)
        facts = _match_facts(snapshot, past_actions, page_context.trouble, page_context.table_url)
        await reply.send_page(
            Page(
                text_blocks(
                    (
                        *facts,
                        match_history.history_text(
                            snapshot.info, past_actions, LONGEST_TEXT - sum(map(utf16_length, facts)), ACTION_TEXTS
                        ),
                    )
                )
            )
        )

    @app_commands.command(
        description="End a match now, without a result",
        extras=extras_of(RESETTER),
    )
    @app_commands.describe(match="Which match")
    @with_reply
    async def reset(self, reply: InteractionReply, match: str) -> None:
        """`reset`: ask for confirmation."""
        snapshot = await self._find_server_match(reply.interaction, match)
        question = f"End this match for good? It will have no result.\n{self._match_line(snapshot.info)}"
        presses = (
            Press("End the match", custom_ids.admin_action_id(snapshot.info.id, "reset"), "danger"),
            Press("Keep the match", custom_ids.admin_action_id(snapshot.info.id, "cancel")),
        )
        await reply.send_page(Page((Text(question), *press_rows(presses)), RED))

    @app_commands.command(
        name="remove-player",
        description="Remove a player from a match, which then pauses",
        extras=extras_of(Access(Who.MATCH_MANAGER, Phase.LOBBY | Phase.RUNNING)),
    )
    @app_commands.describe(match="Which match", player="Who to remove")
    @with_reply
    async def remove_player(self, reply: InteractionReply, match: str, player: discord.User) -> None:
        """`remove-player`: free a player's seat so that somebody else can take it."""
        snapshot = await self._find_server_match(reply.interaction, match)
        by = reply.interaction.user.id
        info = await self.actions.matches.seating.remove_player(snapshot.info.id, player.id, by, click=reply.click_id)
        paused = "" if info.status is Status.LOBBY else " The match is paused until somebody takes their seat."
        name = markdown_name(clean_name(player.display_name))
        await reply.send_text(f"You removed {name} from match `{info.id}`.{paused}")
        await self.actions.announce_change(info, f"An admin has removed {name} from the match.", reply.click_id)

    @app_commands.command(
        name="give-seat",
        description="Let the computer play a seat until its owner is back",
        extras=extras_of(SEAT_GIVERS),
    )
    @app_commands.describe(match="Which match", seat="Which player's seat")
    @with_reply
    async def give_seat(self, reply: InteractionReply, match: str, seat: str) -> None:
        """`give-seat`: let the computer play for a seat. An empty seat works too, so that a match can go on."""
        snapshot = await self._find_server_match(reply.interaction, match)
        if not substitute_level(snapshot.game):
            raise RequestRefused(f"The computer cannot play {snapshot.game.title}.")
        number = _parse_seat_letter(seat)
        by = reply.interaction.user.id
        info = await self.actions.matches.seating.give_seat_to_computer(
            snapshot.info.id, number, SUBSTITUTE_LEVEL, by, click=reply.click_id
        )
        name = markdown_name(info.seats[number].name)
        await reply.send_text(f"The computer now plays for {name} in match `{info.id}`.")
        more = f" {name} can press “I am back” to take over again." if info.seats[number].is_away else ""
        await self.actions.announce_change(
            info, f"An admin has let the computer play for {name}.{more}", reply.click_id
        )

    @app_commands.command(
        name="give-back",
        description="Give a seat back to its owner, so that the computer stops playing it",
        extras=extras_of(SEAT_GIVERS),
    )
    @app_commands.describe(match="Which match", seat="Which player's seat")
    @with_reply
    async def give_back(self, reply: InteractionReply, match: str, seat: str) -> None:
        """`give-back`: return a seat to its owner, as if they had pressed “I am back”."""
        snapshot = await self._find_server_match(reply.interaction, match)
        number = _parse_seat_letter(seat)
        by = reply.interaction.user.id
        info = await self.actions.matches.seating.give_seat_back(snapshot.info.id, number, by, click=reply.click_id)
        name = markdown_name(info.seats[number].name)
        await reply.send_text(f"{name} has got their seat back in match `{info.id}`.")
        await self.actions.announce_change(info, f"An admin has given {name} their seat back.", reply.click_id)

    @app_commands.command(
        name="shut-out", description="Shut somebody out of this server's tables, or see who is shut out"
    )
    @app_commands.describe(player="Who to shut out; leave it out to see who is shut out")
    @with_reply
    async def shut_out(self, reply: InteractionReply, player: discord.User | None = None) -> None:
        """`shut-out`: a person may do nothing at this server's tables until they are let in. Computers play on."""
        guild = managed_server(reply.interaction, OUTSIDE_TEXT)
        if player is None:
            await reply.send_page(Page(text_blocks(_shut_out_texts(self.actions.context.block_list.blocks, guild))))
            return
        if player.bot or player.id == reply.interaction.user.id:
            raise RequestRefused("You cannot shut yourself or a bot out.")
        name = markdown_name(clean_name(player.display_name))
        if not await self.owner_requests.put_block(Block(guild, player.id)):
            raise RequestRefused(f"{name} is already shut out.")
        await reply.send_text(
            f"You shut {name} out of this server's tables. In their matches here, the computer plays on. "
            "`/admin let-in` lets them in again."
        )

    @app_commands.command(name="let-in", description="Let somebody who was shut out back in at this server's tables")
    @app_commands.describe(player="Who to let in")
    @with_reply
    async def let_in(self, reply: InteractionReply, player: discord.User) -> None:
        """`let-in`: a person may play here again, and return to seats where the computer plays for them."""
        guild = managed_server(reply.interaction, OUTSIDE_TEXT)
        name = markdown_name(clean_name(player.display_name))
        if not await self.owner_requests.drop_block(Block(guild, player.id)):
            raise RequestRefused(f"{name} is not shut out of this server's tables.")
        await reply.send_text(f"{name} may play at this server's tables again.")

    @give_seat.autocomplete("seat")
    @safe_autocomplete
    async def _complete_giveable_seat(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self._complete_seats(interaction, current, lambda seat: not seat.level)

    @give_back.autocomplete("seat")
    @safe_autocomplete
    async def _complete_away_seat(self, interaction: discord.Interaction, current: str) -> Choices:
        return await self._complete_seats(interaction, current, lambda seat: seat.is_away)

    async def _complete_seats(
        self, interaction: discord.Interaction, current: str, is_offered: Callable[[Seat], bool]
    ) -> Choices:
        """Offer the matching seats of the chosen match, labelled with their owners' names."""
        info = (await self._find_server_match(interaction, str(interaction.namespace.match or ""))).info
        offers = [(seat.name, letter(number)) for number, seat in enumerate(info.seats) if is_offered(seat)]
        return filter_choices(offers, current)

    @show.autocomplete("match")
    @reset.autocomplete("match")
    @remove_player.autocomplete("match")
    @give_seat.autocomplete("match")
    @give_back.autocomplete("match")
    @safe_autocomplete
    async def _complete_match(self, interaction: discord.Interaction, current: str) -> Choices:
        if not interaction.permissions.manage_guild or interaction.guild_id is None:
            return []
        found = await self.actions.matches.lookup.find(statuses=RESETTABLE_STATUSES, guild=interaction.guild_id)
        return filter_choices([(await match_label(self.actions, info), info.id) for info in found], plain_name(current))

    async def handle_confirmation(self, reply: InteractionReply, control: custom_ids.Control) -> None:
        """Handle a click on either button of the reset question."""
        if control.rest.startswith("cancel:"):
            await _replace_question(reply, f"Match `{control.match}` goes on unchanged.")
            return
        if not control.rest.startswith("reset:"):
            raise RequestRefused("This button is out of date. Use `/admin reset` to end a match.")
        info = await self.actions.matches.seating.reset_match(
            control.match, reply.interaction.user.id, click=reply.click_id
        )
        await _replace_question(reply, f"You have ended match `{info.id}`. It has no result.")
        await self._announce_reset(info, reply.interaction.user, reply.click_id)

    async def _announce_reset(self, info: MatchInfo, admin: discord.abc.User, click: int) -> None:
        """Announce in the channel, and in the match's thread, who reset the match."""
        names = join_with_and([markdown_name(seat.name) for seat in info.seats if not seat.gone])
        name = markdown_name(clean_name(admin.display_name))
        title = self.actions.matches.lookup.game_title(info.game)
        text = f"{name} has ended the match of {title} with {names} (`{info.id}`)."
        await self.actions.reconciler.announce(info.place, text, nonce=f"{click}")
        if info.place.thread:
            await self.actions.reconciler.announce(replace(info.place, thread=0), text, nonce=f"{click} too")

    def _match_line(self, info: MatchInfo) -> str:
        names = join_with_and([markdown_name(seat.name) for seat in info.seats if not seat.gone]) or "nobody"
        title = self.actions.matches.lookup.game_title(info.game)
        return f"- `{info.id}` {title}{practice_mark(info)}, {info.status}: {names}"

    async def _find_server_match(self, interaction: discord.Interaction, match: str) -> MatchSnapshot:
        """Return a match of the user's server. Raises RequestRefused if it is not one, or if it is too late."""
        guild, door = managed_server(interaction, OUTSIDE_TEXT), self.actions.context.door
        snapshot = await find_by_name(self.actions.matches, match)
        if snapshot.info.place.guild != guild:
            raise RequestRefused("There is no such match on this server.")
        await door.admit(door.receive(interaction, snapshot), access_of(interaction.command), interaction.id)
        return snapshot


def _parse_seat_letter(seat: str) -> int:
    """Return the seat index for a letter. Raises RequestRefused if there is no such seat."""
    try:
        return parse_seat(seat.strip().upper())
    except ValueError:
        raise RequestRefused("This table has no such seat. Pick one from the list.") from None


def _shut_out_texts(blocks: Collection[Block], guild: int) -> list[str]:
    """Return who is shut out of a server's tables. Discord shows the mentions as names, and pings nobody."""
    found = sorted(block.user for block in blocks if block.guild == guild and block.user)
    lines = [f"- <@{user}>" for user in found[:MATCHES_SHOWN]]
    more = f"-# And {len(found) - MATCHES_SHOWN} more." if len(found) > MATCHES_SHOWN else ""
    return [f"## Shut out here: {len(found)}", "\n".join(lines), more]


async def _replace_question(reply: InteractionReply, text: str) -> None:
    """Replace a private question with a text. If others can see the question, send a private message instead."""
    message = reply.interaction.message
    if message is not None and message.flags.ephemeral:
        await reply.update_message(Page((Text(text),), GREY))
    else:
        await reply.send_text(text)


def _seat_note(seat: Seat) -> str:
    """Return a note on who plays a seat if that is not its owner, or ""."""
    parts = [seat.gone, "away" if seat.is_away else "", f"played by the computer, {seat.level}" if seat.level else ""]
    text = ", ".join(filter(None, parts))
    return f" ({text})" if text else ""


def _match_facts(snapshot: MatchSnapshot, past_actions: Sequence[Action], trouble: str, url: str) -> list[str]:
    """Return the public facts of a match for an admin.

    The time of the last change comes from the public history: the exact time could reveal a secret choice.
    """
    info = snapshot.info
    seats = [f"- {markdown_name(seat.name)}{_seat_note(seat)}" for seat in info.seats]
    due = [markdown_name(info.seats[seat].name) for seat in snapshot.due_seats()]
    reason = f"\nReason: {markdown_name(info.reason)}" if info.reason else ""
    return [
        f"## {snapshot.game.title}, match `{info.id}`\n{info.status}{reason}",
        "\n".join(seats),
        f"Opened <t:{info.created}:R>, last changed <t:{past_actions[-1].at if past_actions else info.created}:R>.",
        f"Waiting for {join_with_and(due)}." if due else "",
        f"⚠ {trouble}" if trouble else "",
        f"[The table]({url})" if url else "",
    ]
