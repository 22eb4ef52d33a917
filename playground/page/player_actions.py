"""What people do on the page: each act turned into what Discord would tell the bot."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final

from playground.limits.selects import OFFERED
from playground.simulation.interactions import Callback, Interaction, Kind
from playground.simulation.simulation import House
from playground.world import ids, payloads
from playground.world.command_options import check_options, resolved_for
from playground.world.errors import Refusal
from playground.world.messages import walk
from playground.world.permissions import Permission, permissions_in
from playground.world.registered_commands import CHAT_INPUT, usable
from playground.world.world import Channel, Guild, Json, Member, Message, Overwrite, ThreadState, User

_BUTTON: Final = 2
_STRING_SELECT: Final = 3
_SELECTS: Final = (3, 5, 6, 7, 8)


class ActRefused(Exception):
    """The page is told in a sentence why this cannot be done."""


class Stage:
    """Lets people act in a house."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._world = house.world
        self._acts: dict[str, Callable[[User, Json], Interaction | Json]] = {
            "click": self._click,
            "select": self._select,
            "modal": self._submit,
            "command": self._command,
            "autocomplete": self._autocomplete,
            "say": self._say,
            "dms": self._dms,
            "leave_guild": self._leave,
            "join_guild": self._join,
            "open_dm": self._open_dm,
            "delete_message": self._delete_message,
            "delete_channel": self._delete_channel,
            "archive": self._archive,
            "lock": self._lock,
            "allow_bot": self._allow_bot,
            "remove_bot": self._remove_bot,
            "add_bot": self._add_bot,
            "activities": self._switch_activities_on,
        }

    def act(self, asked: Json) -> Interaction | Json:
        """Do it: gives the interaction the bot now has to answer, or what there is to say at once."""
        person = self._person(asked.get("person"))
        do = self._acts.get(str(asked.get("do")))
        if do is None:
            raise ActRefused(f"Nobody can {asked.get('do')!r}.")
        try:
            return do(person, asked)
        except Refusal as refusal:
            raise ActRefused(f"{refusal.body['message']}.") from refusal
        except (KeyError, TypeError, ValueError) as error:
            raise ActRefused(f"That request is not well formed: {error!r}.") from error

    def _click(self, person: User, asked: Json) -> Interaction:
        channel, message = self._seen_message(person, asked)
        component = self._component(message, asked, (_BUTTON,))
        data = {"custom_id": asked["custom_id"], "component_type": _BUTTON, "id": component.get("id", 1)}
        return self._house.interactions.begin(Kind.COMPONENT, person.id, channel, data, source=message)

    def _select(self, person: User, asked: Json) -> Interaction:
        channel, message = self._seen_message(person, asked)
        component = self._component(message, asked, _SELECTS)
        values = [str(value) for value in asked["values"]]
        if not asked.get("unchecked"):
            _check_selection(component, values)
            self._check_offered(person, channel, component, values)
        kind = component.get("type", _STRING_SELECT)
        data: Json = {"custom_id": asked["custom_id"], "component_type": kind, "values": values}
        data["id"] = component.get("id", 1)
        if kind != _STRING_SELECT:
            data["resolved"] = resolved_for(self._world, self._world.guild_of(channel), person, values)
        return self._house.interactions.begin(Kind.COMPONENT, person.id, channel, data, source=message)

    def _check_offered(self, person: User, where: Channel, component: Json, values: list[str]) -> None:
        """A select that fills itself offers the people, roles, or channels that this person sees."""
        kinds = OFFERED.get(component["type"])
        if kinds is None:
            return
        guild = self._world.guild_of(where)
        there: dict[str, Collection[int]] = {"user": self._world.users, "role": guild.roles if guild else ()}
        there["channel"] = self._channels(person, guild, component) if guild else ()
        offered = {str(number) for kind in kinds for number in there[kind]}
        if not offered.issuperset(values):
            raise ActRefused("That is not among the options.")

    def _channels(self, person: User, guild: Guild, component: Json) -> list[int]:
        """The channels and threads of a guild that a select of channels offers."""
        types = component.get("channel_types") or []
        return [
            each.id
            for each in self._world.channels.values()
            if each.guild_id == guild.id and permissions_in(self._world, person.id, each) & Permission.VIEW_CHANNEL
            if not types or each.type in types
        ]

    def _submit(self, person: User, asked: Json) -> Interaction:
        opener = self._house.interactions.find(int(asked["interaction_id"]))
        if opener is None or opener.modal is None or opener.person_id != person.id:
            raise ActRefused("There is no such form open for you.")
        channel = self._world.channel(opener.channel_id)
        data = {"custom_id": asked["custom_id"], "components": asked["components"]}
        source = opener.source
        return self._house.interactions.begin(Kind.MODAL_SUBMIT, person.id, channel, data, source=source, opener=opener)

    def _command(self, person: User, asked: Json) -> Interaction:
        return self._invoke(person, asked, Kind.COMMAND)

    def _autocomplete(self, person: User, asked: Json) -> Interaction:
        return self._invoke(person, asked, Kind.AUTOCOMPLETE)

    def _invoke(self, person: User, asked: Json, kind: Kind) -> Interaction:
        channel = self._seen_channel(person, asked)
        command = self._house.commands.find(str(asked["name"]), channel.guild_id)
        if command is None:
            raise ActRefused(f"There is no command /{asked['name']}.")
        guild = self._world.guild_of(channel)
        if guild is not None and not guild.bot_there:
            raise ActRefused(f"The bot is not in this server: there is no command /{asked['name']}.")
        self._check_allowed(person, channel, command)
        options: list[Json] = asked.get("options") or []
        resolved: Json = {}
        if kind is Kind.COMMAND and not asked.get("unchecked"):
            problem = check_options(command.get("options") or [], options)
            if problem:
                raise ActRefused(problem)
        for option in _leaves(options):
            if option.get("type") in (6, 7, 8, 9):
                _merge(resolved, resolved_for(self._world, guild, person, [str(option["value"])]))
        data: Json = {"id": command["id"], "name": command["name"], "type": CHAT_INPUT, "options": options}
        if resolved:
            data["resolved"] = resolved
        if "guild_id" in command:
            data["guild_id"] = command["guild_id"]
        return self._house.interactions.begin(kind, person.id, channel, data)

    def _check_allowed(self, person: User, channel: Channel, command: Json) -> None:
        if not usable(command, direct=channel.is_dm):
            raise ActRefused(f"/{command['name']} cannot be used here.")
        if channel.is_dm:
            return
        granted = permissions_in(self._world, person.id, channel)
        needed = int(command["default_member_permissions"] or 0) | Permission.USE_APPLICATION_COMMANDS
        if command["default_member_permissions"] == "0":
            needed |= Permission.ADMINISTRATOR
        if granted & needed != needed:
            raise ActRefused(f"{person.name} may not use /{command['name']} here.")

    def _say(self, person: User, asked: Json) -> Json:
        channel = self._seen_channel(person, asked)
        content = str(asked["content"])
        if not 1 <= len(content) <= 2000:
            raise ActRefused("A message has 1 to 2000 characters.")
        if channel.thread is not None:
            self._enter_thread(person, channel)
        message = self._house.scribe.post(channel, person.id, {"content": content})
        return {"message": message.page_object()}

    def _enter_thread(self, person: User, channel: Channel) -> None:
        assert channel.thread is not None
        if channel.thread.locked and not self._may(person, channel, Permission.MANAGE_THREADS):
            raise ActRefused("This thread is locked.")
        channel.thread.archived = False
        channel.thread.members.setdefault(person.id, self._house.clock.now())
        self._world.change_channel(channel)

    def _dms(self, person: User, asked: Json) -> Json:
        person.dms_closed = bool(asked["closed"])
        self._world.people_changed()
        return {}

    def _leave(self, person: User, asked: Json) -> Json:
        guild = self._guild(asked)
        if guild.members.pop(person.id, None) is None:
            raise ActRefused(f"{person.name} is not in the guild.")
        gone = {"guild_id": str(guild.id), "user": payloads.user(person)}
        self._house.gateway.dispatch("GUILD_MEMBER_REMOVE", gone, needs=1 << 1, guild=guild.id)
        self._world.people_changed()
        return {}

    def _join(self, person: User, asked: Json) -> Json:
        guild = self._guild(asked)
        if person.id in guild.members:
            raise ActRefused(f"{person.name} is in the guild already.")
        member = Member(person.id, self._house.clock.now())
        if person.id == guild.owner_id:
            member.role_ids.append(guild.admin_role_id)
        guild.members[person.id] = member
        come = payloads.member(self._world, member) | {"guild_id": str(guild.id)}
        self._house.gateway.dispatch("GUILD_MEMBER_ADD", come, needs=1 << 1, guild=guild.id)
        self._world.people_changed()
        return {}

    def _open_dm(self, person: User, asked: Json) -> Json:
        channel = self._world.channels.get(person.id + ids.DM_OFFSET)
        return {"channel": None if channel is None else payloads.page_channel(self._world, channel)}

    def _delete_message(self, person: User, asked: Json) -> Json:
        channel, message = self._seen_message(person, asked)
        own = message.author_id == person.id
        if message.visible_to is None and not own:
            self._need(person, channel, Permission.MANAGE_MESSAGES)
        self._world.remove_message(message)
        return {}

    def _delete_channel(self, person: User, asked: Json) -> Json:
        channel = self._seen_channel(person, asked)
        self._need(person, channel, Permission.MANAGE_CHANNELS)
        self._world.remove_channel(channel)
        return {}

    def _archive(self, person: User, asked: Json) -> Json:
        channel, state = self._moderated(person, asked)
        state.archived = bool(asked.get("archived", True))
        state.archived_at = self._house.clock.now()
        self._world.change_channel(channel)
        return {}

    def _lock(self, person: User, asked: Json) -> Json:
        channel, state = self._moderated(person, asked)
        state.locked = bool(asked.get("locked", True))
        self._world.change_channel(channel)
        return {}

    def _moderated(self, person: User, asked: Json) -> tuple[Channel, ThreadState]:
        channel = self._seen_channel(person, asked)
        self._need(person, channel, Permission.MANAGE_THREADS)
        if channel.thread is None:
            raise ActRefused("Only a thread can be archived or locked.")
        return channel, channel.thread

    def _allow_bot(self, person: User, asked: Json) -> Json:
        """Allow the bot something in a channel and its threads, or forbid it."""
        channel = self._seen_channel(person, asked)
        self._need(person, channel, Permission.MANAGE_CHANNELS)
        if channel.parent_id is not None:
            channel = self._world.channel(channel.parent_id)
        bits = sum({Permission[str(name).upper()] for name in asked["permissions"]})
        bot = self._world.guilds[channel.guild_id].bot_role_id
        was = next((o for o in channel.overwrites if o.target_id == bot), Overwrite(bot, 0, 0, 0))
        denied = was.deny & ~bits if asked["allowed"] else was.deny | bits
        now = Overwrite(bot, 0, was.allow & ~bits, denied)
        channel.overwrites = (*(o for o in channel.overwrites if o != was), now)
        self._world.change_channel(channel)
        return {}

    def _remove_bot(self, person: User, asked: Json) -> Json:
        self._house.put_bot_out(self._owned(person, asked))
        return {}

    def _add_bot(self, person: User, asked: Json) -> Json:
        self._house.let_bot_in(self._owned(person, asked))
        return {}

    def _switch_activities_on(self, person: User, asked: Json) -> Json:
        """As in the developer portal. The owner of the first guild is the application's, too."""
        if person.id != self._world.home.owner_id:
            raise ActRefused(f"{person.name} does not own the application.")
        self._house.commands.switch_activities_on()
        return {}

    def _person(self, value: Any) -> User:
        known = {str(person.id): person for person in self._world.people()}
        if str(value) not in known:
            raise ActRefused("There is no such person.")
        return known[str(value)]

    def _seen_channel(self, person: User, asked: Json) -> Channel:
        channel = self._world.channel(int(asked["channel_id"]))
        if not permissions_in(self._world, person.id, channel) & Permission.VIEW_CHANNEL:
            raise ActRefused(f"{person.name} does not see this channel.")
        return channel

    def _seen_message(self, person: User, asked: Json) -> tuple[Channel, Message]:
        channel = self._seen_channel(person, asked)
        message = self._world.message(channel.id, int(asked["message_id"]))
        if message.visible_to not in (None, person.id):
            raise ActRefused("Unknown Message.")
        return channel, message

    def _component(self, message: Message, asked: Json, kinds: tuple[int, ...]) -> Json:
        if asked.get("unchecked"):
            return {}
        for component in walk(message.data["components"]):
            if component.get("custom_id") == asked["custom_id"] and component["type"] in kinds:
                if component.get("disabled"):
                    raise ActRefused("This control is disabled.")
                return component
        raise ActRefused("There is no such control on this message any more.")

    def _need(self, person: User, channel: Channel, permission: Permission) -> None:
        if not self._may(person, channel, permission):
            raise ActRefused(f"{person.name} may not do that.")

    def _may(self, person: User, channel: Channel, permission: Permission) -> bool:
        return bool(permissions_in(self._world, person.id, channel) & permission)

    def _guild(self, asked: Json) -> Guild:
        """The guild that is meant: the first one, where none is named."""
        return self._world.guild(int(asked.get("guild_id") or ids.GUILD))

    def _owned(self, person: User, asked: Json) -> Guild:
        guild = self._guild(asked)
        if person.id != guild.owner_id:
            raise ActRefused(f"{person.name} does not own the guild.")
        return guild


def outcome(interaction: Interaction) -> Json:
    """What has become of an interaction, as the page gets it."""
    made: Json = {
        "person": str(interaction.person_id),
        "id": str(interaction.id),
        "status": interaction.status,
    }
    if interaction.original is not None:
        made["message_id"] = str(interaction.original.id)
    if interaction.custom_id is not None:
        made["custom_id"] = interaction.custom_id
    return made


def opens_modal(interaction: Interaction) -> bool:
    """Whether the bot has just answered with a form."""
    return interaction.callback is Callback.MODAL and interaction.status == "answered"


def _check_selection(component: Json, values: list[str]) -> None:
    low, high = component.get("min_values", 1), component.get("max_values", 1)
    if not low <= len(values) <= high or len(set(values)) != len(values):
        raise ActRefused(f"Choose {low} to {high} different values.")
    if component["type"] == _STRING_SELECT:
        offered = {option["value"] for option in component["options"]}
        if not offered.issuperset(values):
            raise ActRefused("That is not among the options.")


def _leaves(options: list[Json]) -> list[Json]:
    return [leaf for one in options for leaf in (_leaves(one["options"]) if one.get("options") else [one])]


def _merge(into: Json, more: Json) -> None:
    for kind, objects in more.items():
        into.setdefault(kind, {}).update(objects)
