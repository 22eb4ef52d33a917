/** The state of the page: what the server sent, and what the viewer has chosen. */

/**
 * @typedef {{id: string, name: string, username: string, admin: string[], dms_closed: boolean, out?: string[]}} Person
 * @typedef {{id: string, name: string, roles: any[]}} Guild
 * @typedef {Record<string, any> & {id: string, type: number}} Channel
 * @typedef {Record<string, any> & {id: string, channel_id: string}} Message
 * @typedef {{id?: string, person: string, key: string, channel_id?: string, message_id?: string, custom_id?: string, name?: string, since: number}} Pending
 */

export const FLAG = { EPHEMERAL: 64, LOADING: 128, COMPONENTS_V2: 32768 };
export const TYPE = { DM: 1, VOICE: 2, NEWS: 5, THREADS: [10, 11, 12] };

export const state = {
  connected: false,
  everConnected: false,
  /** @type {Person[]} */ people: [],
  /** @type {Guild[]} */ guilds: [],
  /** @type {{id: string, name: string, status: string, unheard?: string[]}} */ bot: {
    id: "",
    name: "Bot",
    status: "offline",
  },
  /** @type {Map<string, Channel>} */ channels: new Map(),
  /** @type {Map<string, Message[]>} */ messages: new Map(),
  /** @type {any[]} */ commands: [],
  /** Ids of the application's emoji. @type {string[]} */ emoji: [],
  /** @type {Record<string, any>} */ faults: {},
  /** @type {any[]} */ log: [],
  /** @type {Map<string, Pending>} */ pending: new Map(),
  /** Interactions that are over; their frames may arrive before the answer to the POST. @type {Set<string>} */ finished:
    new Set(),
  /** Failed interactions: person + message → true, so that only the person who clicked sees it. @type {Set<string>} */ failed: new Set(),
  /** Commands without an answer, shown in their channel. @type {any[]} */ failedCommands: [],
  /** One open form per person. @type {Map<string, any>} */ modals: new Map(),
  person: "",
  follow: false,
  theme: "dark",
  drawer: "",
  /** Last channel of each person. @type {Record<string, string>} */ places: {},
  /** Last server of each person. @type {Record<string, string>} */ servers: {},
  /** person → server → last channel there. @type {Record<string, Record<string, string>>} */ rooms: {},
  /** person → channel → id of the last message seen. @type {Record<string, Record<string, string>>} */ seen: {},
  /** Ephemeral messages that were dismissed. @type {string[]} */ dismissed: [],
};

const KEPT = ["person", "follow", "theme", "drawer", "places", "servers", "rooms", "seen", "dismissed"];
const STORE = "playground";

export function loadChoices() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(STORE) ?? localStorage.getItem(STORE) ?? "{}");
    for (const key of KEPT) if (key in kept) /** @type {any} */ (state)[key] = kept[key];
  } catch {
    sessionStorage.removeItem(STORE);
  }
}

export function saveChoices() {
  const kept = JSON.stringify(Object.fromEntries(KEPT.map((key) => [key, /** @type {any} */ (state)[key]])));
  sessionStorage.setItem(STORE, kept);
  localStorage.setItem(STORE, kept);
}

/** Snowflakes, oldest first. @param {string} a @param {string} b */
export function compareIds(a, b) {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** @returns {Person | undefined} */
export function me() {
  return state.people.find((person) => person.id === state.person);
}

/** @param {string} id */
export function userName(id) {
  if (id === state.bot.id) return state.bot.name;
  return state.people.find((person) => person.id === id)?.name ?? "unknown";
}

/** @param {Channel} channel */
export const isDm = (channel) => channel.type === TYPE.DM;

/** @param {Channel} channel */
export const isThread = (channel) => TYPE.THREADS.includes(channel.type);

/** @param {Channel} channel @param {string} personId */
export function mayOpen(channel, personId) {
  if (isDm(channel)) return channel.person === personId;
  return !isOut(state.people.find((person) => person.id === personId), channel.guild_id);
}

/** Whether somebody is not in a server. @param {Person | undefined} person @param {string | undefined} guildId */
export const isOut = (person, guildId) => person?.out?.includes(guildId ?? "") ?? false;

/** The current person's server; for direct messages, the last one before them. @returns {Guild | undefined} */
export function guildHere() {
  const channel = here();
  const id = channel && !isDm(channel) ? channel.guild_id : state.servers[state.person];
  return state.guilds.find((guild) => guild.id === id) ?? state.guilds[0];
}

/** Record that a person goes to a channel. @param {string} personId @param {Channel} channel */
export function visit(personId, channel) {
  state.places[personId] = channel.id;
  if (isDm(channel)) return;
  state.servers[personId] = channel.guild_id;
  (state.rooms[personId] ??= {})[channel.guild_id] = channel.id;
}

/** @param {string} personId @returns {Channel[]} */
export function channelsOf(personId) {
  return [...state.channels.values()].filter((channel) => channel.type !== 4 && mayOpen(channel, personId));
}

/** @param {Channel | undefined} channel */
export function channelName(channel) {
  if (!channel) return "unknown";
  return isDm(channel) ? state.bot.name : (channel.name ?? "unnamed");
}

/** The current person's channel. @returns {Channel | undefined} */
export function here() {
  const channel = state.channels.get(state.places[state.person] ?? "");
  if (channel && mayOpen(channel, state.person)) return channel;
  return firstChannel(state.person);
}

/** @param {string} personId */
function firstChannel(personId) {
  const mine = channelsOf(personId);
  const texts = mine.filter((channel) => channel.type === 0);
  return texts.find((channel) => channel.guild_id === state.servers[personId]) ?? texts[0] ?? mine[0];
}

/** @param {Message} message */
export const isEphemeral = (message) => Boolean((message.flags ?? 0) & FLAG.EPHEMERAL);

/** @param {Message} message @param {string} personId */
export function maySee(message, personId) {
  if (!isEphemeral(message)) return true;
  return message.visible_to === personId && !state.dismissed.includes(message.id);
}

/** @param {string} channelId @param {string} personId */
export function messagesFor(channelId, personId) {
  return (state.messages.get(channelId) ?? []).filter((message) => maySee(message, personId));
}

/** @param {string} channelId @param {string} messageId */
export function findMessage(channelId, messageId) {
  return state.messages.get(channelId)?.find((message) => message.id === messageId);
}

/**
 * Whether a message pings this person: a mention, or anything that the bot writes to them alone.
 * @param {Message} message @param {string} personId
 */
export function callsFor(message, personId) {
  const channel = state.channels.get(message.channel_id);
  if (!channel || message.author?.id === personId || !maySee(message, personId)) return false;
  return isDm(channel) ? channel.person === personId : mentions(message, personId);
}

/** @param {Message} message @param {string} personId */
export function mentions(message, personId) {
  if (Array.isArray(message.mentions)) return message.mentions.some((/** @type {any} */ user) => user.id === personId);
  return (message.content ?? "").includes(`<@${personId}>`);
}

/** @param {string} personId @param {string} channelId @returns {{unread: number, calls: number}} */
export function unread(personId, channelId) {
  const last = state.seen[personId]?.[channelId] ?? "";
  const fresh = messagesFor(channelId, personId).filter(
    (message) => compareIds(message.id, last) > 0 && message.author?.id !== personId,
  );
  return { unread: fresh.length, calls: fresh.filter((message) => callsFor(message, personId)).length };
}

/** @param {string} personId */
export function unreadOf(personId) {
  const sum = { unread: 0, calls: 0 };
  for (const channel of channelsOf(personId)) {
    const one = unread(personId, channel.id);
    sum.unread += one.unread;
    sum.calls += one.calls;
  }
  return sum;
}

/** @param {string} personId @param {string} channelId */
export function markSeen(personId, channelId) {
  const last = state.messages.get(channelId)?.at(-1)?.id;
  if (!last) return;
  const seen = (state.seen[personId] ??= {});
  if (compareIds(last, seen[channelId] ?? "") > 0) seen[channelId] = last;
}

/** On the first visit, everything counts as read. */
export function markAllSeenOnce() {
  for (const person of state.people) {
    if (state.seen[person.id]) continue;
    state.seen[person.id] = {};
    for (const channel of state.channels.values()) markSeen(person.id, channel.id);
  }
}

/** @param {string} personId @param {string | undefined} messageId @param {string | undefined} customId */
export const pendingKey = (personId, messageId, customId) => `${personId}|${messageId ?? ""}|${customId ?? ""}`;

/** @param {string} personId @param {string} messageId @param {string} customId */
export function isPending(personId, messageId, customId) {
  return state.pending.has(pendingKey(personId, messageId, customId));
}

/** @param {Message} message */
function putMessage(message) {
  const list = state.messages.get(message.channel_id) ?? [];
  const at = list.findIndex((one) => one.id === message.id);
  if (at >= 0) list[at] = message;
  else list.push(message);
  if (at < 0) list.sort((a, b) => compareIds(a.id, b.id));
  state.messages.set(message.channel_id, list);
}

/** @param {any} frame */
function takeSnapshot(frame) {
  Object.assign(state, { people: frame.people ?? [], guilds: frame.guilds ?? [], bot: frame.bot ?? state.bot });
  Object.assign(state, { commands: frame.commands ?? [], emoji: frame.emoji ?? [], faults: frame.faults ?? {} });
  state.channels = new Map((frame.channels ?? []).map((/** @type {Channel} */ channel) => [channel.id, channel]));
  state.messages = new Map(Object.entries(frame.messages ?? {}));
  state.pending.clear();
  if (!me()) state.person = state.people[0]?.id ?? "";
  markAllSeenOnce();
}

/** Ours by id; if the frame arrived before the answer to the POST, by person and action. @param {any} frame */
function pendingOf(frame) {
  const all = [...state.pending.values()];
  return (
    all.find((one) => one.id === frame.id) ??
    all.find((one) => !one.id && one.person === frame.person && (one.custom_id ?? null) === (frame.custom_id ?? null))
  );
}

/** @param {any} frame */
function takeInteraction(frame) {
  const known = pendingOf(frame);
  const key = known?.key ?? pendingKey(frame.person, frame.message_id, frame.custom_id);
  if (frame.status === "pending") {
    state.pending.set(key, known ? { ...known, id: frame.id } : { ...frame, key, since: Date.now() });
    return;
  }
  const was = state.pending.get(key);
  state.pending.delete(key);
  state.finished.add(frame.id);
  if (frame.status === "failed") noteFailure(frame, was);
}

/** @param {any} frame @param {Pending | undefined} was */
function noteFailure(frame, was) {
  const form = state.modals.get(frame.person);
  if (form && form.custom_id === frame.custom_id) return;
  const messageId = was?.message_id ?? frame.message_id;
  if (messageId) state.failed.add(`${frame.person}|${messageId}`);
  else
    state.failedCommands.push({
      person: frame.person,
      channel_id: was?.channel_id ?? frame.channel_id,
      name: was?.name,
      id: frame.id,
      at: Date.now(),
    });
}

const LOG_KEPT = 1500;

/** @param {any[]} entries */
export function addLog(entries) {
  const known = new Set(state.log.map((entry) => entry.n));
  state.log.push(...entries.filter((entry) => !known.has(entry.n)));
  state.log.sort((a, b) => a.n - b.n);
  state.log.splice(0, state.log.length - LOG_KEPT);
}

/** @type {Record<string, (frame: any) => void>} */
const FRAMES = {
  snapshot: takeSnapshot,
  message_create: (frame) => putMessage(frame.message),
  message_update: (frame) => putMessage(frame.message),
  message_delete: (frame) => {
    const list = state.messages.get(frame.channel_id) ?? [];
    state.messages.set(
      frame.channel_id,
      list.filter((message) => message.id !== frame.id),
    );
  },
  channel_create: (frame) => state.channels.set(frame.channel.id, frame.channel),
  channel_update: (frame) => state.channels.set(frame.channel.id, frame.channel),
  channel_delete: (frame) => state.channels.delete(frame.id),
  commands: (frame) => (state.commands = frame.commands),
  emoji: (frame) => (state.emoji = frame.emoji),
  bot: (frame) => (state.bot = { ...state.bot, status: frame.status, unheard: frame.unheard }),
  people: (frame) => (state.people = frame.people),
  faults: (frame) => (state.faults = frame.faults),
  interaction: takeInteraction,
  modal: (frame) => state.modals.set(frame.person, { ...frame.modal, interaction_id: frame.interaction_id }),
  request: (frame) => {
    state.log.push(frame.log);
    if (state.log.length > LOG_KEPT) state.log.shift();
  },
};

/** Apply a frame from the server. @param {any} frame */
export function apply(frame) {
  FRAMES[frame.type]?.(frame);
}
