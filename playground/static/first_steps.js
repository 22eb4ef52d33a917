/** First steps for a newcomer in an empty channel, and two buttons that only a playground can have. */

import { leaves, openers } from "./commands.js";
import { walk } from "./components.js";
import { act } from "./connection.js";
import { h } from "./dom.js";
import { plain } from "./markdown.js";
import { isDm, isEphemeral, isOut, isThread, state } from "./state.js";

/** @typedef {import("./state.js").Message} Message */
/** @typedef {import("./state.js").Channel} Channel */
/** @typedef {import("./state.js").Person} Person */
/** @typedef {{message: Message, join: string, missing: number}} Lobby */

const JOIN = "Join";
const START = " Start here!";
const LEARN = "learn";
const GAME = "game";
const PATIENCE_MS = 3000;

/** The first steps: the games, and what to do next. @param {Channel} channel */
export function firstSteps(channel) {
  const games = isDm(channel) || isThread(channel) ? [] : openers(channel);
  if (!games.length) return null;
  const learn = teacher(channel);
  games.sort((one, other) => Number(isForNewcomers(other)) - Number(isForNewcomers(one)));
  return h(
    "ol",
    { class: "first-steps", "data-testid": "first-steps" },
    h("li", null, h("p", null, learn ? "Learn a game, or open a table for it:" : "Open a table for a game:"), h("div", { class: "openers" }, games.map((leaf) => opener(leaf, learn)))),
    h("li", null, h("p", null, "Seat the others: press the button under the table, or be each of them and press Join.",
      " To play alone, press Add computer.")),
    h("li", null, h("p", null, "Press Start, and play everybody's hand. “Follow the turn” shows you who is next.")),
  );
}

/** What the first steps depend on. @param {Channel} channel */
export const firstStepsSign = (channel) => openers(channel).map((leaf) => leaf.root.description + leaf.description).join();

/** Whether the bot recommends that game to newcomers. @param {import("./commands.js").Leaf} leaf */
const isForNewcomers = (leaf) => leaf.description.endsWith(START);

/**
 * The bot's command that teaches a game, if it has one: `learn` with the option `game`.
 * @param {Channel} channel
 */
const teacher = (channel) =>
  leaves(channel).find((leaf) => leaf.path.at(-1) === LEARN && leaf.options.some((option) => option.name === GAME));

/**
 * A button for a game, with its sign and the bot's description, and a button that teaches it.
 * @param {import("./commands.js").Leaf} leaf @param {import("./commands.js").Leaf | undefined} learn
 */
function opener(leaf, learn) {
  const [name] = /^.+(?=, for )/.exec(leaf.root.description) ?? [leaf.root.description];
  const button = h(
    "button",
    {
      type: "button",
      class: "button primary opener",
      "data-action": "run-command",
      "data-command": leaf.name,
      "data-testid": `open-${leaf.root.name}`,
      title: `/${leaf.name}`,
    },
    h("span", { class: "label" }, name),
  );
  const said = leaf.description.replace(START, "");
  const sign = h("img", { class: "sign", src: `/signs/${leaf.root.name}`, alt: "", width: 64, height: 64 });
  const teach = learn && h(
    "button",
    {
      type: "button",
      class: "button secondary opener",
      "data-action": "run-command",
      "data-command": `${learn.name} ${GAME}:${leaf.root.name}`,
      "data-testid": `learn-${leaf.root.name}`,
      title: `/${learn.name} ${GAME}:${leaf.root.name}`,
      "aria-label": `Learn it: ${name}`,
    },
    h("span", { class: "label" }, "Learn it"),
  );
  const text = h("p", null, said, isForNewcomers(leaf) && h("strong", null, START));
  return h("div", { class: "opener-row" }, sign, h("div", { class: "opener-buttons" }, button, teach), text);
}

/** The newest lobby in a channel that people may join. @param {Channel} channel @returns {Lobby | undefined} */
function lobbyIn(channel) {
  const found = (state.messages.get(channel.id) ?? []).slice(-30).map(lobbyOf);
  return found.findLast(Boolean) ?? undefined;
}

/** The words of a message, and what is said of its pictures. @param {Message} message */
function wordsOf(message) {
  const parts = [...walk(message.components)].flatMap((one) => [one.content, ...(one.items ?? []).map((each) => each.description)]);
  return parts.map((text) => plain(text ?? "")).join(" ");
}

/**
 * A message with a Join button that says how many more must join: “2 more needed”.
 * @param {Message} message @returns {Lobby | null}
 */
function lobbyOf(message) {
  if (message.author?.id !== state.bot.id || isEphemeral(message)) return null;
  const parts = [...walk(message.components)];
  const join = parts.find((one) => one.label === JOIN && !one.disabled)?.custom_id;
  const missing = /(\d+) more needed/.exec(wordsOf(message));
  return join ? { message, join, missing: Number(missing?.[1] ?? 0) } : null;
}

/**
 * People who could take the empty seats, those who see the bot's messages first.
 * @param {Lobby} lobby @returns {Person[]}
 */
function guests(lobby) {
  const words = wordsOf(lobby.message);
  const guild = state.channels.get(lobby.message.channel_id)?.guild_id;
  const free = state.people.filter((person) => !isOut(person, guild) && !words.includes(person.name));
  const asked = [...free.filter((person) => !person.dms_closed), ...free.filter((person) => person.dms_closed)];
  return asked.slice(0, lobby.missing);
}

/** Under the newest lobby: a button that seats the missing players, then what comes next. @param {Channel} channel */
export function seatingRow(channel) {
  const lobby = lobbyIn(channel);
  if (!lobby) return null;
  const coming = guests(lobby).map((person) => person.name);
  const sign = JSON.stringify([lobby.message.id, coming, lobby.missing, state.follow]);
  return { key: "seating", sign, draw: () => drawn(coming, lobby.missing > 0) };
}

/** @param {string[]} coming @param {boolean} missing */
function drawn(coming, missing) {
  const button = (/** @type {string} */ action, /** @type {string} */ label) =>
    h("button", { type: "button", class: "button secondary", "data-action": action, "data-testid": action }, label);
  return h(
    "li",
    { class: "seating", "data-key": "seating", "data-testid": "seating" },
    h("span", null, missing ? "Playground:" : "Playground: now the player who opened the table presses Start."),
    missing && coming.length > 0 && button("seat-needed", `Seat ${listed(coming)}`),
    !missing && !state.follow && button("toggle-follow", "Follow the turn"),
  );
}

/** @param {string[]} words */
const listed = (words) => [words.slice(0, -1).join(", "), words.at(-1)].filter(Boolean).join(" and ");

/** Let the missing players press Join, one after the other. @param {Channel} channel */
export async function seatNeeded(channel) {
  const lobby = lobbyIn(channel);
  for (const person of lobby ? guests(lobby) : []) {
    const now = lobbyIn(channel);
    if (!now || now.message.id !== lobby?.message.id) return;
    const ids = { channel_id: channel.id, message_id: now.message.id, custom_id: now.join };
    await act({ do: "click", ...ids, wait: true }, person.id);
    await grown(channel, now.missing);
  }
}

/** Wait until a lobby needs fewer players, or has ended. @param {Channel} channel @param {number} missing */
async function grown(channel, missing) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await new Promise((done) => setTimeout(done, 50)))
    if (lobbyIn(channel)?.missing !== missing) return;
}
