"""People's actions on the page, turned into what Discord sends to the bot."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final

from playground.limits.selects import SELECT_CONTENTS
from playground.simulation.interactions import CallbackKind, Interaction, InteractionKind
from playground.simulation.simulation import Simulation
from playground.world import ids, payloads
from playground.world.command_options import check_options, resolve_values
from playground.world.errors import ApiRefusal
from playground.world.form_answers import check_answers
from playground.world.messages import walk_components
from playground.world.permissions import Permission, guild_permissions, permissions_in
from playground.world.registered_commands import CHAT_INPUT, is_usable
from playground.world.world import Channel, Guild, Json, Member, Message, Overwrite, ThreadState, User

_BUTTON: Final = 2
_STRING_SELECT: Final = 3
_SELECTS: Final = (3, 5, 6, 7, 8)


class ActRefused(Exception):
    """The action is not possible; the message tells the page why."""


class PersonActions:
    """Performs people's actions in a simulation."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._world = simulation.world
        self._acts: dict[str, Callable[[User, Json], Interaction | Json]] = {
            "click": self._click_button,
            "select": self._select_values,
            "modal": self._submit_modal,
            "command": self._run_command,
            "autocomplete": self._autocomplete,
            "say": self._send_message,
            "dms": self._set_dms_closed,
            "leave_guild": self._leave_guild,
            "join_guild": self._join_guild,
            "open_dm": self._open_dm,
            "delete_message": self._delete_message,
            "delete_channel": self._delete_channel,
            "archive": self._archive_thread,
            "lock": self._lock_thread,
            "allow_bot": self._allow_bot,
            "remove_bot": self._remove_bot,
            "add_bot": self._add_bot,
            "permit_command": self._permit_command,
            "activities": self._switch_activities_on,
        }

    def perform(self, request: Json) -> Interaction | Json:
        """Perform an action: return the interaction that the bot must answer, or an immediate answer."""
        person = self._find_person(request.get("person"))
        do = self._acts.get(str(request.get("do")))
        if do is None:
            raise ActRefused(f"There is no action {request.get('do')!r}.")
        try:
            return do(person, request)
        except ApiRefusal as refusal:
            raise ActRefused(f"{refusal.body['message']}.") from refusal
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ActRefused(f"That request is not well formed: {error!r}.") from error

    def _click_button(self, person: User, request: Json) -> Interaction:
        channel, message = self._visible_message(person, request)
        component = self._find_component(message, request, (_BUTTON,))
        data = {"custom_id": request["custom_id"], "component_type": _BUTTON, "id": component.get("id", 1)}
        return self._simulation.interactions.start_interaction(
            InteractionKind.COMPONENT, person.id, channel, data, source=message
        )

    def _select_values(self, person: User, request: Json) -> Interaction:
        channel, message = self._visible_message(person, request)
        component = self._find_component(message, request, _SELECTS)
        values = [str(value) for value in request["values"]]
        if not request.get("unchecked"):
            _check_selection(component, values)
            self._check_offered(person, channel, component, values)
        kind = component.get("type", _STRING_SELECT)
        data: Json = {"custom_id": request["custom_id"], "component_type": kind, "values": values}
        data["id"] = component.get("id", 1)
        if kind != _STRING_SELECT:
            data["resolved"] = resolve_values(self._world, self._world.guild_of(channel), person, values)
        return self._simulation.interactions.start_interaction(
            InteractionKind.COMPONENT, person.id, channel, data, source=message
        )

    def _check_offered(self, person: User, channel: Channel, component: Json, values: list[str]) -> None:
        """Check values against the people, roles or channels that a select offers to this person."""
        kinds = SELECT_CONTENTS.get(component["type"])
        if kinds is None:
            return
        guild = self._world.guild_of(channel)
        selectable: dict[str, Collection[int]] = {"user": self._world.users, "role": guild.roles if guild else ()}
        selectable["channel"] = self._selectable_channels(person, guild, component) if guild else ()
        offered = {str(number) for kind in kinds for number in selectable[kind]}
        if not offered.issuperset(values):
            raise ActRefused("That is not among the options.")

    def _selectable_channels(self, person: User, guild: Guild, component: Json) -> list[int]:
        """Return the channels and threads of a guild that a channel select offers."""
        types = component.get("channel_types") or []
        return [
            each.id
            for each in self._world.channels.values()
            if each.guild_id == guild.id and permissions_in(self._world, person.id, each) & Permission.VIEW_CHANNEL
            if not types or each.type in types
        ]

    def _submit_modal(self, person: User, request: Json) -> Interaction:
        opener = self._simulation.interactions.find_interaction(int(request["interaction_id"]))
        if opener is None or opener.modal is None or opener.person_id != person.id:
            raise ActRefused("You have no such form open.")
        problem = check_answers(opener.modal, request["custom_id"], request["components"])
        if problem and not request.get("unchecked"):
            raise ActRefused(problem)
        channel = self._world.channel(opener.channel_id)
        data = {"custom_id": request["custom_id"], "components": request["components"]}
        source = opener.source
        return self._simulation.interactions.start_interaction(
            InteractionKind.MODAL_SUBMIT, person.id, channel, data, source=source, opener=opener
        )

    def _run_command(self, person: User, request: Json) -> Interaction:
        return self._invoke_command(person, request, InteractionKind.COMMAND)

    def _autocomplete(self, person: User, request: Json) -> Interaction:
        return self._invoke_command(person, request, InteractionKind.AUTOCOMPLETE)

    def _invoke_command(self, person: User, request: Json, kind: InteractionKind) -> Interaction:
        channel = self._visible_channel(person, request)
        command = self._simulation.commands.find_command(str(request["name"]), channel.guild_id)
        if command is None:
            raise ActRefused(f"There is no command /{request['name']}.")
        guild = self._world.guild_of(channel)
        if guild is not None and not guild.has_bot:
            raise ActRefused(f"The bot is not on this server: there is no command /{request['name']}.")
        if not request.get("unchecked"):
            self._check_command_allowed(person, channel, command)
        options: list[Json] = request.get("options") or []
        resolved: Json = {}
        if kind is InteractionKind.COMMAND and not request.get("unchecked"):
            problem = check_options(command.get("options") or [], options)
            if problem:
                raise ActRefused(problem)
        for option in _leaf_options(options):
            if option.get("type") in (6, 7, 8, 9):
                _merge_resolved(resolved, resolve_values(self._world, guild, person, [str(option["value"])]))
        data: Json = {"id": command["id"], "name": command["name"], "type": CHAT_INPUT, "options": options}
        if resolved:
            data["resolved"] = resolved
        if "guild_id" in command:
            data["guild_id"] = command["guild_id"]
        return self._simulation.interactions.start_interaction(kind, person.id, channel, data)

    def _check_command_allowed(self, person: User, channel: Channel, command: Json) -> None:
        if not is_usable(command, in_dm=channel.is_dm):
            raise ActRefused(f"/{command['name']} cannot be used here.")
        if channel.is_dm:
            return
        granted = permissions_in(self._world, person.id, channel)
        permit = self._simulation.commands.find_permit(channel.guild_id, command, person.id)
        needed = int(command["default_member_permissions"] or 0)
        if command["default_member_permissions"] == "0" or permit is False:
            needed |= Permission.ADMINISTRATOR
        needed = Permission.USE_APPLICATION_COMMANDS | (0 if permit else needed)
        if granted & needed != needed:
            raise ActRefused(f"{person.name} may not use /{command['name']} here.")

    def _send_message(self, person: User, request: Json) -> Json:
        channel = self._visible_channel(person, request)
        content = str(request["content"])
        if not 1 <= len(content) <= 2000:
            raise ActRefused("A message has 1 to 2000 characters.")
        if channel.thread is not None:
            self._enter_thread(person, channel)
        message = self._simulation.message_builder.post_message(channel, person.id, {"content": content})
        return {"message": message.page_object()}

    def _enter_thread(self, person: User, channel: Channel) -> None:
        assert channel.thread is not None
        if channel.thread.locked and not self._has_permission(person, channel, Permission.MANAGE_THREADS):
            raise ActRefused("This thread is locked.")
        channel.thread.archived = False
        channel.thread.members.setdefault(person.id, self._simulation.clock.now())
        self._world.notify_channel_changed(channel)

    def _set_dms_closed(self, person: User, request: Json) -> Json:
        person.dms_closed = bool(request["closed"])
        self._world.notify_people_changed()
        return {}

    def _leave_guild(self, person: User, request: Json) -> Json:
        guild = self._find_guild(request)
        if guild.members.pop(person.id, None) is None:
            raise ActRefused(f"{person.name} is not in the server.")
        member = {"guild_id": str(guild.id), "user": payloads.user_object(person)}
        self._simulation.gateway.dispatch("GUILD_MEMBER_REMOVE", member, intents=1 << 1, guild=guild.id)
        self._world.notify_people_changed()
        return {}

    def _join_guild(self, person: User, request: Json) -> Json:
        guild = self._find_guild(request)
        if person.id in guild.members:
            raise ActRefused(f"{person.name} is in the server already.")
        member = Member(person.id, self._simulation.clock.now())
        if person.id == guild.owner_id:
            member.role_ids.append(guild.admin_role_id)
        guild.members[person.id] = member
        come = payloads.member_object(self._world, member) | {"guild_id": str(guild.id)}
        self._simulation.gateway.dispatch("GUILD_MEMBER_ADD", come, intents=1 << 1, guild=guild.id)
        self._world.notify_people_changed()
        return {}

    def _open_dm(self, person: User, request: Json) -> Json:
        channel = self._world.channels.get(person.id + ids.DM_OFFSET)
        return {"channel": None if channel is None else payloads.page_channel(self._world, channel)}

    def _delete_message(self, person: User, request: Json) -> Json:
        channel, message = self._visible_message(person, request)
        own = message.author_id == person.id
        if message.visible_to is None and not own:
            self._require_permission(person, channel, Permission.MANAGE_MESSAGES)
        self._world.remove_message(message)
        return {}

    def _delete_channel(self, person: User, request: Json) -> Json:
        channel = self._visible_channel(person, request)
        self._require_permission(person, channel, Permission.MANAGE_CHANNELS)
        self._world.remove_channel(channel)
        return {}

    def _archive_thread(self, person: User, request: Json) -> Json:
        channel, state = self._moderated_thread(person, request)
        state.archived = bool(request.get("archived", True))
        state.archived_at = self._simulation.clock.now()
        self._world.notify_channel_changed(channel)
        return {}

    def _lock_thread(self, person: User, request: Json) -> Json:
        channel, state = self._moderated_thread(person, request)
        state.locked = bool(request.get("locked", True))
        self._world.notify_channel_changed(channel)
        return {}

    def _moderated_thread(self, person: User, request: Json) -> tuple[Channel, ThreadState]:
        channel = self._visible_channel(person, request)
        self._require_permission(person, channel, Permission.MANAGE_THREADS)
        if channel.thread is None:
            raise ActRefused("Only a thread can be archived or locked.")
        return channel, channel.thread

    def _allow_bot(self, person: User, request: Json) -> Json:
        """Allow the bot something in a channel and its threads, or forbid it."""
        channel = self._visible_channel(person, request)
        self._require_permission(person, channel, Permission.MANAGE_CHANNELS)
        if channel.parent_id is not None:
            channel = self._world.channel(channel.parent_id)
        bits = sum({Permission[str(name).upper()] for name in request["permissions"]})
        bot = self._world.guilds[channel.guild_id].bot_role_id
        was = next((o for o in channel.overwrites if o.target_id == bot), Overwrite(bot, 0, 0, 0))
        denied = was.deny & ~bits if request["allowed"] else was.deny | bits
        now = Overwrite(bot, 0, was.allow & ~bits, denied)
        channel.overwrites = (*(o for o in channel.overwrites if o != was), now)
        self._world.notify_channel_changed(channel)
        return {}

    def _remove_bot(self, person: User, request: Json) -> Json:
        self._simulation.remove_bot(self._owned_guild(person, request))
        return {}

    def _add_bot(self, person: User, request: Json) -> Json:
        self._simulation.add_bot(self._owned_guild(person, request))
        return {}

    def _permit_command(self, person: User, request: Json) -> Json:
        """Show a command to one person in a guild, or hide it, as *Server Settings → Integrations* can."""
        guild = self._find_guild(request)
        if not guild_permissions(guild, person.id) & Permission.MANAGE_GUILD:
            raise ActRefused(f"{person.name} may not do that.")
        command = self._simulation.commands.find_command(str(request["name"]), guild.id)
        if command is None:
            raise ActRefused(f"There is no command /{request['name']}.")
        shown_to, allowed = self._find_person(request.get("to")), bool(request.get("allowed", True))
        self._simulation.commands.permit_command(guild.id, command, shown_to.id, allowed=allowed)
        return {}

    def _switch_activities_on(self, person: User, action: Json) -> Json:
        """Switch Activities on, as in the developer portal.

        The owner of the first guild also owns the application.
        """
        if person.id != self._world.home_guild.owner_id:
            raise ActRefused(f"{person.name} does not own the application.")
        self._simulation.commands.switch_activities_on()
        return {}

    def _find_person(self, value: Any) -> User:
        known = {str(person.id): person for person in self._world.people()}
        if str(value) not in known:
            raise ActRefused("There is no such person.")
        return known[str(value)]

    def _visible_channel(self, person: User, request: Json) -> Channel:
        channel = self._world.channel(int(request["channel_id"]))
        if not permissions_in(self._world, person.id, channel) & Permission.VIEW_CHANNEL:
            raise ActRefused(f"{person.name} does not see this channel.")
        return channel

    def _visible_message(self, person: User, request: Json) -> tuple[Channel, Message]:
        channel = self._visible_channel(person, request)
        message = self._world.message(channel.id, int(request["message_id"]))
        if message.visible_to not in (None, person.id):
            raise ActRefused("Unknown Message.")
        return channel, message

    def _find_component(self, message: Message, request: Json, kinds: tuple[int, ...]) -> Json:
        if request.get("unchecked"):
            return {}
        for component in walk_components(message.data["components"]):
            if component.get("custom_id") == request["custom_id"] and component["type"] in kinds:
                if component.get("disabled"):
                    raise ActRefused("This control is disabled.")
                return component
        raise ActRefused("This message no longer has that control.")

    def _require_permission(self, person: User, channel: Channel, permission: Permission) -> None:
        if not self._has_permission(person, channel, permission):
            raise ActRefused(f"{person.name} may not do that.")

    def _has_permission(self, person: User, channel: Channel, permission: Permission) -> bool:
        return bool(permissions_in(self._world, person.id, channel) & permission)

    def _find_guild(self, request: Json) -> Guild:
        """Return the named guild, or else the first one."""
        return self._world.guild(int(request.get("guild_id") or ids.GUILD))

    def _owned_guild(self, person: User, request: Json) -> Guild:
        guild = self._find_guild(request)
        if person.id != guild.owner_id:
            raise ActRefused(f"{person.name} does not own the server.")
        return guild


def interaction_status(interaction: Interaction) -> Json:
    """Return the state of an interaction as the page shows it."""
    status: Json = {
        "person": str(interaction.person_id),
        "id": str(interaction.id),
        "status": interaction.status,
    }
    if interaction.original is not None:
        status["message_id"] = str(interaction.original.id)
    if interaction.custom_id is not None:
        status["custom_id"] = interaction.custom_id
    return status


def opens_modal(interaction: Interaction) -> bool:
    """Return whether the bot has just answered with a form."""
    return interaction.callback is CallbackKind.MODAL and interaction.status == "answered"


def _check_selection(component: Json, values: list[str]) -> None:
    low, high = component.get("min_values", 1), component.get("max_values", 1)
    if not low <= len(values) <= high or len(set(values)) != len(values):
        raise ActRefused(f"Choose {low} to {high} different values.")
    if component["type"] == _STRING_SELECT:
        offered = {option["value"] for option in component["options"]}
        if not offered.issuperset(values):
            raise ActRefused("That is not among the options.")


def _leaf_options(options: list[Json]) -> list[Json]:
    return [leaf for one in options for leaf in (_leaf_options(one["options"]) if one.get("options") else [one])]


def _merge_resolved(into: Json, more: Json) -> None:
    for kind, objects in more.items():
        into.setdefault(kind, {}).update(objects)
