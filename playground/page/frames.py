"""The page's frames: a first one with everything, then one for each change."""

from __future__ import annotations

from playground.page.player_actions import interaction_status, opens_modal
from playground.simulation.interactions import Interaction
from playground.simulation.simulation import Simulation
from playground.world import payloads
from playground.world.world import Channel, Json, Message, World


def full_snapshot(simulation: Simulation) -> Json:
    """Return everything, for the page's first frame."""
    world = simulation.world
    return {
        "type": "snapshot",
        "people": people_objects(world),
        "guilds": [
            {
                "id": str(guild.id),
                "name": guild.name,
                "roles": [payloads.role_object(role) for role in guild.roles.values()],
            }
            for guild in world.guilds.values()
        ],
        "bot": simulation.bot_object(),
        "channels": [payloads.page_channel(world, channel) for channel in world.channels.values()],
        "messages": {
            str(channel_id): [message.page_object() for message in messages.values()]
            for channel_id, messages in world.messages.items()
        },
        "commands": simulation.commands.all_commands(),
        "emoji": emoji_ids(simulation),
        "faults": simulation.faults.page_object(),
    }


def emoji_ids(simulation: Simulation) -> list[str]:
    """Return the ids of the application's emoji."""
    return [str(number) for number in simulation.emoji.by_id]


def people_objects(world: World) -> list[Json]:
    """Return the people as the page shows them."""
    return [
        {
            "id": str(person.id),
            "name": person.name,
            "username": person.username,
            "admin": [str(guild.id) for guild in world.guilds.values() if guild.owner_id == person.id],
            "dms_closed": person.dms_closed,
            "out": [str(guild.id) for guild in world.guilds.values() if person.id not in guild.members],
            "avatar": f"/avatars/{person.id}.svg",
        }
        for person in world.people()
    ]


def change_frame(simulation: Simulation, kind: str, subject: Message | Channel | None) -> Json:
    """Return the frame for a change in the world."""
    match subject:
        case None:
            return {"type": "people", "people": people_objects(simulation.world)}
        case Channel() if kind == "channel_delete":
            return {"type": kind, "id": str(subject.id)}
        case Channel():
            return {"type": kind, "channel": payloads.page_channel(simulation.world, subject)}
        case Message() if kind == "message_delete":
            return {"type": kind, "channel_id": str(subject.channel_id), "id": str(subject.id)}
        case Message():
            return {"type": kind, "message": subject.page_object()}


def interaction_frames(interaction: Interaction) -> list[Json]:
    """Return the frames for an interaction's new state."""
    frames: list[Json] = [{"type": "interaction", **interaction_status(interaction)}]
    if opens_modal(interaction):
        frames.append(
            {
                "type": "modal",
                "person": str(interaction.person_id),
                "interaction_id": str(interaction.id),
                "modal": interaction.modal,
            }
        )
    return frames
