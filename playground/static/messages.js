/** The list of messages. A changed message is redrawn in place, without losing focus or the scroll position. */

import { byId, h, patch } from "./dom.js";
import { firstSteps, firstStepsSign, seatingRow } from "./first_steps.js";
import { authorName, failedCommand, WRITTEN_TYPES, messageRow, summary } from "./message.js";
import { avatar } from "./people.js";
import { placeMark } from "./places.js";
import {
  channelName,
  compareIds,
  here,
  isDm,
  isEphemeral,
  isThread,
  maySee,
  messagesFor,
  state,
  unread,
  userName,
} from "./state.js";

/** @typedef {import("./state.js").Message} Message */
/** @typedef {import("./state.js").Channel} Channel */

const MOST_SHOWN = 200;
const GROUPED_MS = 7 * 60 * 1000;

/** What each drawn row shows, so that only changed ones are redrawn. @type {Map<string, string>} */
const drawn = new Map();
let drawnPlace = "";
/** The first unread message when this channel was entered. */
let newSince = "";
/** Whether the reader is at the newest message; only scrolling up ends that, never growing content. */
let stick = true;
let lastTop = 0;
const AT_BOTTOM = 24;
const JUMP_FROM = 320;

/** Draw the current channel. */
export function renderMessages() {
  const channel = here();
  const list = byId("message-list");
  const place = `${state.person}|${channel?.id}`;
  if (place !== drawnPlace) startPlace(list, place);
  const held = holdFocus(list);
  const rows = channel ? rowsOf(channel) : [];
  syncRows(list, rows);
  restoreFocus(list, held);
  settleScroll();
}

/** @param {HTMLElement} list @param {string} place */
function startPlace(list, place) {
  const [person, channel] = place.split("|");
  drawnPlace = place;
  newSince = unread(person, channel).unread ? (state.seen[person]?.[channel] ?? "") : "";
  drawn.clear();
  list.replaceChildren();
  stick = true;
  lastTop = 0;
}

/** @typedef {{key: string, sign: string, draw: () => HTMLElement}} Row */

/** @param {Channel} channel @returns {Row[]} */
function rowsOf(channel) {
  const messages = messagesFor(channel.id, state.person).slice(-MOST_SHOWN);
  const rows = [introRow(channel)];
  const firstNew = newSince ? messages.findIndex((message) => compareIds(message.id, newSince) > 0) : -1;
  messages.forEach((message, at) => rows.push(...messageRows(message, messages[at - 1], at === firstNew && at > 0)));
  const failed = state.failedCommands.filter(
    (one) => one.person === state.person && (!one.channel_id || one.channel_id === channel.id),
  );
  const seating = seatingRow(channel);
  return [...rows, ...(seating ? [seating] : []), ...failed.map(failedRow)];
}

/** @param {Channel} channel @returns {Row} */
function introRow(channel) {
  const word = isDm(channel)
    ? `These are the direct messages between ${userName(state.person)} and ${state.bot.name}. Nobody else sees them.`
    : isThread(channel)
      ? "This is a thread with the table of a match."
      : "You can play as anybody here: choose who you are at the top. Type / to see the bot's commands.";
  const draw = () =>
    h(
      "li",
      { class: "intro", "data-key": "intro" },
      h(
        "div",
        { class: "intro-mark", "aria-hidden": "true" },
        isDm(channel) ? avatar(state.bot.id, state.bot.name, true) : placeMark(channel),
      ),
      h("h2", null, channelName(channel)),
      h("p", null, word),
      firstSteps(channel),
    );
  return { key: "intro", sign: `${channel.id}${channelName(channel)}${firstStepsSign(channel)}`, draw };
}

/** @param {Message} message @param {Message | undefined} before @param {boolean} isNew @returns {Row[]} */
function messageRows(message, before, isNew) {
  const rows = [];
  const day = dayOf(message);
  if (!before || dayOf(before) !== day)
    rows.push({
      key: `day-${day}`,
      sign: day,
      draw: () => h("li", { class: "day", "data-key": `day-${day}`, role: "separator" }, h("span", null, day)),
    });
  if (isNew && message.author?.id !== state.person)
    rows.push({
      key: "new-line",
      sign: "",
      draw: () => h("li", { class: "new-line", "data-key": "new-line", role: "separator" }, "New"),
    });
  const grouped = Boolean(before) && isGrouped(message, /** @type {Message} */ (before));
  rows.push({ key: `message-${message.id}`, sign: signOf(message, grouped), draw: () => messageRow(message, grouped) });
  return rows;
}

/** @param {any} failed @returns {Row} */
function failedRow(failed) {
  const key = `failed-${failed.id}`;
  return { key, sign: key, draw: () => failedCommand(failed, key) };
}

/** @param {Message} message */
const dayOf = (message) =>
  new Date(message.timestamp).toLocaleDateString(undefined, { day: "numeric", month: "long", year: "numeric" });

/** @param {Message} message @param {Message} before */
function isGrouped(message, before) {
  const plainKind =
    WRITTEN_TYPES.has(message.type ?? 0) &&
    WRITTEN_TYPES.has(before.type ?? 0) &&
    !message.message_reference &&
    !(message.interaction_metadata && !isDm(/** @type {any} */ (here())));
  return (
    plainKind &&
    message.author?.id === before.author?.id &&
    isEphemeral(message) === isEphemeral(before) &&
    dayOf(message) === dayOf(before) &&
    Date.parse(message.timestamp) - Date.parse(before.timestamp) < GROUPED_MS
  );
}

/** Everything that a row is drawn from, as one text. @param {Message} message @param {boolean} grouped */
function signOf(message, grouped) {
  const waiting = [...state.pending.values()]
    .filter((one) => one.message_id === message.id && one.person === state.person)
    .map((one) => one.custom_id);
  return JSON.stringify([
    message,
    grouped,
    waiting,
    state.failed.has(`${state.person}|${message.id}`),
    state.people.length,
    state.channels.size,
  ]);
}

/** @param {HTMLElement} list @param {Row[]} rows */
function syncRows(list, rows) {
  const wanted = new Set(rows.map((row) => row.key));
  for (const child of [...list.children]) if (!wanted.has(child.getAttribute("data-key") ?? "")) dropRow(child);
  const present = new Map([...list.children].map((child) => [child.getAttribute("data-key"), child]));
  let cursor = list.firstElementChild;
  for (const row of rows) {
    const old = present.get(row.key);
    if (old && drawn.get(row.key) !== row.sign) patch(old, row.draw());
    const element = old ?? row.draw();
    if (element === cursor) cursor = cursor.nextElementSibling;
    else list.insertBefore(element, cursor);
    drawn.set(row.key, row.sign);
  }
}

/** @param {Element} row */
function dropRow(row) {
  drawn.delete(row.getAttribute("data-key") ?? "");
  row.remove();
}

/** Announce a new message in the current channel to screen readers. @param {Message} message */
export function announce(message) {
  if (message.channel_id !== here()?.id || !maySee(message, state.person) || message.author?.id === state.person)
    return;
  byId("announcer").textContent = `${authorName(message)}: ${summary(message)}`;
}

// ---------------------------------------------------------------- focus and scrolling

const FOCUSABLE = "button:not(:disabled), a[href], [tabindex='0']";

/** @typedef {{message: string, customId: string | null, at: number}} Held */

/** @param {HTMLElement} list @returns {Held | null} */
function holdFocus(list) {
  const active = document.activeElement;
  const row = active && list.contains(active) ? active.closest("[data-message-id]") : null;
  if (!row || !active) return null;
  return {
    message: row.getAttribute("data-message-id") ?? "",
    customId: active.getAttribute("data-custom-id"),
    at: [...row.querySelectorAll(FOCUSABLE)].indexOf(active),
  };
}

/**
 * If a redraw removed the focused control, focus the nearest one.
 * @param {HTMLElement} list @param {Held | null} held
 */
function restoreFocus(list, held) {
  if (!held || list.contains(document.activeElement)) return;
  const row = list.querySelector(`[data-message-id="${held.message}"]`);
  if (!(row instanceof HTMLElement)) {
    byId("scroller").focus({ preventScroll: true });
    return;
  }
  const all = /** @type {HTMLElement[]} */ ([...row.querySelectorAll(FOCUSABLE)]);
  const target =
    all.find((one) => held.customId && one.getAttribute("data-custom-id") === held.customId) ??
    all[Math.min(held.at, all.length - 1)] ??
    row;
  target.focus({ preventScroll: true });
}

function settleScroll() {
  const scroller = byId("scroller");
  noticeScroll(scroller);
  if (stick && !isEmpty()) scroller.scrollTop = scroller.scrollHeight;
  lastTop = scroller.scrollTop;
  showJump();
}

/** The reader may have scrolled before the browser reports it. @param {HTMLElement} scroller */
function noticeScroll(scroller) {
  if (distance() < AT_BOTTOM || isEmpty()) stick = true;
  else if (scroller.scrollTop < lastTop) stick = false;
}

/** An empty channel shows only its introduction, which one reads from the top. */
const isEmpty = () => byId("message-list").lastElementChild?.matches(".intro") ?? true;

const distance = () => byId("scroller").scrollHeight - byId("scroller").scrollTop - byId("scroller").clientHeight;

function showJump() {
  byId("jump").hidden = stick || distance() < JUMP_FROM;
}

export function jumpToPresent() {
  stick = true;
  lastTop = byId("scroller").scrollTop = 0;
  settleScroll();
}

/** @param {string} messageId */
export function showMessage(messageId) {
  const row = byId("message-list").querySelector(`[data-message-id="${CSS.escape(messageId)}"]`);
  if (!(row instanceof HTMLElement)) return;
  stick = false;
  row.scrollIntoView({ block: "center" });
  row.focus({ preventScroll: true });
  row.classList.add("flash");
  setTimeout(() => row.classList.remove("flash"), 1600);
}

/** Stay at the newest message while the reader is there, even if something grows. */
export function watchScroll() {
  const scroller = byId("scroller");
  scroller.addEventListener(
    "scroll",
    () => {
      noticeScroll(scroller);
      lastTop = scroller.scrollTop;
      showJump();
    },
    { passive: true },
  );
  const observer = new ResizeObserver(settleScroll);
  observer.observe(byId("message-list"));
  observer.observe(scroller);
}

/** Clear the drawn list, for example after a new snapshot. */
export function forgetDrawn() {
  for (const key of drawn.keys()) drawn.set(key, "");
}
