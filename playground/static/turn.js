/** Whose turn it is, according to the messages, and where that person plays. */

import { walk } from "./components.js";
import { plain } from "./markdown.js";
import { channelsOf, isDm, isEphemeral, isThread, mentions, state } from "./state.js";

/** @typedef {import("./state.js").Message} Message */
/** @typedef {import("./state.js").Channel} Channel */
/** @typedef {{person: string, channel: string, message: string}} Place */

const NEWEST = 30; // newest messages of a channel to check

/**
 * Whether the bot waits for this person. The table's “Waiting for” decides, if it has one; otherwise a ping does, which
 * the bot deletes after the turn.
 * @param {string} personId
 */
export function isDue(personId) {
  return places(personId).some(({ words, messages }) =>
    words.length ? words.some((said) => names(said, personId)) : messages.some((one) => pings(one, personId)),
  );
}

/** @param {Message} message @param {string} personId */
const pings = (message, personId) => message.components?.length > 0 && mentions(message, personId);

/** The bot's public messages in each open channel, and the names they wait for. @param {string} personId */
function places(personId) {
  const open = channelsOf(personId).filter((channel) => !isDm(channel) && !channel.thread_metadata?.archived);
  return open.map((channel) => {
    const messages = ofBot(channel);
    return { channel, messages, words: messages.map(waitingWords).filter(Boolean) };
  });
}

/** @param {Channel} channel @returns {Message[]} */
function ofBot(channel) {
  const messages = (state.messages.get(channel.id) ?? []).slice(-NEWEST);
  return messages.filter((message) => message.author?.id === state.bot.id && !isEphemeral(message));
}

/** The words after “Waiting for”, up to the end of the sentence. @param {Message} message */
function waitingWords(message) {
  const words = [...walk(message.components)].map((one) => (one.type === 10 ? plain(one.content ?? "") : ""));
  return /waiting for (.+?)(?: to | before |[.:;!?]|$)/i.exec(words.join(" · "))?.[1] ?? "";
}

/**
 * Whether a text names a person, perhaps by the beginning of a long name.
 * @param {string} words @param {string} personId
 */
function names(words, personId) {
  const name = state.people.find((person) => person.id === personId)?.name ?? "";
  return words.split(/, | and /).some((one) => {
    const short = one.endsWith("…") ? one.slice(0, -1) : "";
    return short ? [short, short.slice(2)].some((begun) => begun && name.startsWith(begun)) : ends(one, name);
  });
}

/** Whether a text ends with a name, alone or after something else. @param {string} text @param {string} name */
const ends = (text, name) => name !== "" && (text === name || text.endsWith(` ${name}`));

/**
 * The newest private message to this person, if it has controls and waits for nobody else.
 * @param {string} personId @returns {Place | undefined}
 */
function askingHand(personId) {
  const channel = channelsOf(personId).find(isDm);
  const message = channel && ofBot(channel).findLast((one) => one.components?.length > 0);
  if (!channel || !message || waitingWords(message) || !asks(message)) return undefined;
  return { person: personId, channel: channel.id, message: message.id };
}

/** @param {Message} message */
const asks = (message) =>
  [...walk(message.components)].some((one) => one.custom_id && !one.disabled);

/**
 * Where a due person plays: in the hand, once it can be played; at the table, if the bot cannot send a hand.
 * @param {string} personId @returns {Place | undefined}
 */
function playsAt(personId) {
  const person = state.people.find((one) => one.id === personId);
  if (!person?.dms_closed && channelsOf(personId).some(isDm)) return askingHand(personId);
  const table = places(personId).findLast(
    ({ channel, words }) => isThread(channel) && words.some((said) => names(said, personId)),
  );
  const message = table?.messages.findLast((one) => names(waitingWords(one), personId));
  return table && message && { person: personId, channel: table.channel.id, message: message.id };
}

/** Who was due when the page last followed the turn. */
let followed = "";

/** Forget where the page went, so that it follows the turn again now. */
export function followAnew() {
  followed = "";
}

/**
 * Where to go because other people are due now; nowhere while the current person is due and at the hand.
 * @returns {Place | undefined}
 */
export function nextPlace() {
  const due = state.people.map((person) => person.id).filter(isDue);
  const now = due.join();
  if (now === followed) return undefined;
  if (!due.length) {
    followed = now;
    return undefined;
  }
  const wanted = due.includes(state.person) ? [state.person] : due;
  const place = wanted.map(playsAt).find(Boolean);
  if (place) followed = now;
  return place;
}
