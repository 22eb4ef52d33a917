/** The list of messages: each is drawn when it changed, in place, without losing focus or the reader's place. */

import { emojiOf, fileLink, image, render, renderAll, renderEmbed, walk } from "./components.js";
import { byId, fill, h, icon, patch } from "./dom.js";
import { inline, markdown, plain } from "./markdown.js";
import { avatar, narrow, tools } from "./people.js";
import { callsFor, channelName, compareIds, findMessage, FLAG, here, isDm, isEphemeral, isThread, maySee, me, messagesFor, state, unread, userName } from "./state.js";

/** @typedef {import("./state.js").Message} Message */
/** @typedef {import("./state.js").Channel} Channel */
/** @typedef {import("./dom.js").Child} Child */

const MOST_SHOWN = 200;
const GROUPED_MS = 7 * 60 * 1000;
const JOINED_TYPES = new Set([0, 19, 20, 23]);

/** What each drawn row shows, so that only changed ones are drawn again. @type {Map<string, string>} */
const drawn = new Map();
let drawnPlace = "";
/** Where the unread messages began when this place was entered. */
let newSince = "";
/** Whether the reader is at the newest message; only scrolling up ends it, never growing content. */
let stick = true;
let lastTop = 0;
const AT_BOTTOM = 24;
const JUMP_FROM = 320;

/** @param {Message} message */
const authorName = (message) => message.member?.nick ?? message.author?.global_name ?? userName(message.author?.id ?? "") ?? message.author?.username;

/** Draw the channel in front of us. */
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
  newSince = unread(person, channel).unread ? state.seen[person]?.[channel] ?? "" : "";
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
  const failed = state.failedCommands.filter((one) => one.person === state.person && (!one.channel_id || one.channel_id === channel.id));
  return [...rows, ...failed.map(failedCommandRow)];
}

/** @param {Channel} channel @returns {Row} */
function introRow(channel) {
  const word = isDm(channel) ? `This is the direct line between ${userName(state.person)} and ${state.bot.name}. Nobody else sees it.` : isThread(channel) ? "A thread: a match has its table here." : "Type / to see what the bot can do.";
  const draw = () => h("li", { class: "intro", "data-key": "intro" }, h("div", { class: "intro-mark", "aria-hidden": "true" }, isDm(channel) ? avatar(state.bot.id, state.bot.name, true) : isThread(channel) ? icon("thread") : "#"), h("h2", null, channelName(channel)), h("p", null, word));
  return { key: "intro", sign: `${channel.id}${channelName(channel)}`, draw };
}

/** @param {Message} message @param {Message | undefined} before @param {boolean} isNew @returns {Row[]} */
function messageRows(message, before, isNew) {
  const rows = [];
  const day = dayOf(message);
  if (!before || dayOf(before) !== day) rows.push({ key: `day-${day}`, sign: day, draw: () => h("li", { class: "day", "data-key": `day-${day}`, role: "separator" }, h("span", null, day)) });
  if (isNew && message.author?.id !== state.person) rows.push({ key: "new-line", sign: "", draw: () => h("li", { class: "new-line", "data-key": "new-line", role: "separator" }, "New") });
  const grouped = Boolean(before) && isGrouped(message, /** @type {Message} */ (before));
  rows.push({ key: `message-${message.id}`, sign: signOf(message, grouped), draw: () => messageRow(message, grouped) });
  return rows;
}

/** @param {Message} message */
const dayOf = (message) => new Date(message.timestamp).toLocaleDateString(undefined, { day: "numeric", month: "long", year: "numeric" });

/** @param {Message} message @param {Message} before */
function isGrouped(message, before) {
  const plainKind = JOINED_TYPES.has(message.type ?? 0) && JOINED_TYPES.has(before.type ?? 0) && !message.message_reference && !(message.interaction_metadata && !isDm(/** @type {any} */ (here())));
  return plainKind && message.author?.id === before.author?.id && isEphemeral(message) === isEphemeral(before) && dayOf(message) === dayOf(before) && Date.parse(message.timestamp) - Date.parse(before.timestamp) < GROUPED_MS;
}

/** Everything a row is drawn from, as one text. @param {Message} message @param {boolean} grouped */
function signOf(message, grouped) {
  const waiting = [...state.pending.values()].filter((one) => one.message_id === message.id && one.person === state.person).map((one) => one.custom_id);
  return JSON.stringify([message, grouped, waiting, state.failed.has(`${state.person}|${message.id}`), state.people.length, state.channels.size]);
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

// ---------------------------------------------------------------- one message

/** @param {Message} message @param {boolean} grouped @returns {HTMLElement} */
function messageRow(message, grouped) {
  const classes = ["message", grouped && "grouped", isEphemeral(message) && "ephemeral", callsFor(message, state.person) && !isDm(/** @type {Channel} */ (here())) && "calls-me"];
  const props = { class: classes.filter(Boolean).join(" "), "data-key": `message-${message.id}`, "data-testid": `message-${message.id}`, "data-message-id": message.id, "data-author-id": message.author?.id, tabindex: "-1" };
  if (!JOINED_TYPES.has(message.type ?? 0)) return h("li", props, systemLine(message));
  const body = h("div", { class: "message-body" }, !grouped && header(message), content(message), notes(message));
  const margin = grouped ? h("time", { class: "margin-time", datetime: message.timestamp, "aria-hidden": "true" }, clock(message.timestamp)) : avatar(message.author?.id, authorName(message), message.author?.bot);
  return h("li", props, !grouped && [commandLine(message), replyLine(message)], h("div", { class: "message-row" }, h("div", { class: "message-margin" }, margin), body), mayDelete(message) && h("button", { type: "button", class: "delete", "data-action": "delete-message", "data-message": message.id, "data-testid": `delete-${message.id}` }, "Delete"));
}

/** @param {Message} message */
function mayDelete(message) {
  return !isEphemeral(message) && (message.author?.id === state.person || (me()?.admin && !isDm(/** @type {Channel} */ (here()))));
}

/** @param {Message} message */
function header(message) {
  const bot = message.author?.bot ?? message.author?.id === state.bot.id;
  return h("div", { class: "message-header" }, h("span", { class: "author" }, authorName(message)), bot && h("span", { class: "tag" }, "APP"), h("time", { class: "time", datetime: message.timestamp, title: new Date(message.timestamp).toLocaleString() }, when(message.timestamp)));
}

/** @param {string} iso */
const clock = (iso) => new Date(iso).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });

/** @param {string} iso */
function when(iso) {
  const today = new Date(iso).toDateString() === new Date().toDateString();
  return today ? clock(iso) : `${new Date(iso).toLocaleDateString()} ${clock(iso)}`;
}

/** @param {Message} message */
function commandLine(message) {
  const meta = message.interaction_metadata;
  if (!meta || meta.type !== 2) return null;
  const name = message.interaction?.name ?? meta.name;
  const who = meta.user?.id ?? message.interaction?.user?.id;
  return h("div", { class: "above" }, h("span", { class: "who" }, userName(who)), " used ", h("span", { class: "mention" }, name ? `/${name}` : "a command"));
}

/** @param {Message} message */
function replyLine(message) {
  const id = message.message_reference?.message_id;
  if (!id || message.type !== 19) return null;
  const other = message.referenced_message ?? findMessage(message.message_reference.channel_id ?? message.channel_id, id);
  const text = other ? [h("span", { class: "who" }, authorName(other)), " ", summary(other)] : "Original message was deleted";
  return h("button", { type: "button", class: "above reply", "data-action": "go", "data-channel": message.channel_id, "data-message": id }, text);
}

/** @param {Message} message @returns {Child} */
function content(message) {
  if ((message.flags ?? 0) & FLAG.LOADING) return h("p", { class: "thinking" }, h("span", { class: "spinner", "aria-hidden": "true" }), `${authorName(message)} is thinking…`);
  const context = { message, person: state.person };
  if ((message.flags ?? 0) & FLAG.COMPONENTS_V2) return h("div", { class: "components v2" }, renderAll(message.components, context));
  return [
    message.content && h("div", { class: `markdown${onlyEmoji(message.content) ? " jumbo" : ""}` }, markdown(message.content), message.edited_timestamp && h("span", { class: "edited", title: new Date(message.edited_timestamp).toLocaleString() }, " (edited)")),
    (message.embeds ?? []).map(renderEmbed),
    (message.attachments ?? []).map(attachment),
    (message.components ?? []).length > 0 && h("div", { class: "components" }, message.components.map((/** @type {any} */ row) => render(row, context))),
    (message.reactions ?? []).length > 0 && h("div", { class: "reactions" }, message.reactions.map((/** @type {any} */ one) => h("span", { class: "reaction" }, emojiOf(one.emoji), ` ${one.count}`))),
  ];
}

/** @param {string} text */
const onlyEmoji = (text) => /^(\p{Extended_Pictographic}\uFE0F?\s*){1,9}$/u.test(text);

/** @param {any} file */
function attachment(file) {
  const isPicture = file.content_type?.startsWith("image/") || /\.(png|jpe?g|gif|webp)$/i.test(file.filename ?? "");
  return isPicture ? image(file, file.description ?? file.filename, "attachment") : fileLink(file);
}

/** @param {Message} message @returns {Child} */
function notes(message) {
  return [
    state.failed.has(`${state.person}|${message.id}`) && h("p", { class: "failed", role: "alert", "data-testid": "interaction-failed" }, "This interaction failed"),
    isEphemeral(message) && h("p", { class: "only-you", "data-testid": "ephemeral-note" }, "Only you can see this · ", h("button", { type: "button", class: "link", "data-action": "dismiss", "data-message": message.id, "data-testid": `dismiss-${message.id}` }, "Dismiss message")),
  ];
}

/** @param {Message} message */
function systemLine(message) {
  const name = h("strong", null, authorName(message));
  const thread = state.channels.get(message.message_reference?.channel_id);
  if (message.type === 18) return h("p", { class: "system" }, icon("thread"), name, " started a thread: ", thread ? h("button", { type: "button", class: "mention", "data-action": "go", "data-channel": thread.id }, message.content) : h("strong", null, message.content));
  if (message.type === 6) return h("p", { class: "system" }, name, " pinned a message.");
  if (message.type === 7) return h("p", { class: "system" }, name, " joined the server.");
  return h("p", { class: "system" }, name, " ", inline(message.content || "changed something."));
}

/** @param {any} failed @returns {Row} */
function failedCommandRow(failed) {
  const key = `failed-${failed.id}`;
  const draw = () => h("li", { class: "message ephemeral", "data-key": key, "data-testid": "command-failed" }, h("div", { class: "message-row" }, h("div", { class: "message-margin" }, avatar(state.bot.id, state.bot.name, true)), h("div", { class: "message-body" }, h("div", { class: "message-header" }, h("span", { class: "author" }, state.bot.name), h("span", { class: "tag" }, "APP")), h("p", { class: "failed", role: "alert" }, failed.name ? `${failed.name}: the application did not respond` : "The application did not respond"), h("p", { class: "only-you" }, "Only you can see this · ", h("button", { type: "button", class: "link", "data-action": "dismiss-failed", "data-id": failed.id }, "Dismiss message")))));
  return { key, sign: key, draw };
}

/** A message in one line of plain words. @param {Message} message */
export function summary(message) {
  const texts = [message.content, ...[...walk(message.components)].filter((one) => one.type === 10).map((one) => one.content)];
  const alts = [...walk(message.components)].flatMap((one) => one.items ?? []).map((item) => item.description);
  const files = (message.attachments ?? []).map((/** @type {any} */ file) => file.description ?? file.filename);
  const words = [...texts, ...alts, ...(texts.some(Boolean) ? [] : files)].filter(Boolean).map(plain).join(" ");
  return words.length > 200 ? `${words.slice(0, 199)}…` : words || "a message";
}

/** Tell screen readers of a message that arrived in front of them. @param {Message} message */
export function announce(message) {
  if (message.channel_id !== here()?.id || !maySee(message, state.person) || message.author?.id === state.person) return;
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
  return { message: row.getAttribute("data-message-id") ?? "", customId: active.getAttribute("data-custom-id"), at: [...row.querySelectorAll(FOCUSABLE)].indexOf(active) };
}

/** When a redraw took the focused control away, the nearest thing takes its place. @param {HTMLElement} list @param {Held | null} held */
function restoreFocus(list, held) {
  if (!held || list.contains(document.activeElement)) return;
  const row = list.querySelector(`[data-message-id="${held.message}"]`);
  if (!(row instanceof HTMLElement)) {
    byId("scroller").focus({ preventScroll: true });
    return;
  }
  const all = /** @type {HTMLElement[]} */ ([...row.querySelectorAll(FOCUSABLE)]);
  const target = all.find((one) => held.customId && one.getAttribute("data-custom-id") === held.customId) ?? all[Math.min(held.at, all.length - 1)] ?? row;
  target.focus({ preventScroll: true });
}

function settleScroll() {
  const scroller = byId("scroller");
  noticeScroll(scroller);
  if (stick) scroller.scrollTop = scroller.scrollHeight;
  lastTop = scroller.scrollTop;
  showJump();
}

/** The reader may have scrolled before the browser says so. @param {HTMLElement} scroller */
function noticeScroll(scroller) {
  if (distance() < AT_BOTTOM) stick = true;
  else if (scroller.scrollTop < lastTop) stick = false;
}

const distance = () => byId("scroller").scrollHeight - byId("scroller").scrollTop - byId("scroller").clientHeight;

function showJump() {
  byId("jump").hidden = stick || distance() < JUMP_FROM;
}

export function jumpToPresent() {
  stick = true;
  lastTop = 0;
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

/** Stay at the newest message while the reader is there, whatever grows. */
export function watchScroll() {
  const scroller = byId("scroller");
  scroller.addEventListener("scroll", () => {
    noticeScroll(scroller);
    lastTop = scroller.scrollTop;
    showJump();
  }, { passive: true });
  const observer = new ResizeObserver(settleScroll);
  observer.observe(byId("message-list"));
  observer.observe(scroller);
}

/** Empty the drawn list, for instance after a fresh snapshot. */
export function forgetDrawn() {
  for (const key of drawn.keys()) drawn.set(key, "");
}

/** @param {Channel | undefined} channel */
export function renderHeader(channel) {
  const mark = !channel ? "" : isDm(channel) ? icon("mail") : isThread(channel) ? icon("thread") : h("span", { class: "hash", "aria-hidden": "true" }, "#");
  const parent = channel && isThread(channel) ? state.channels.get(channel.parent_id) : undefined;
  fill(byId("channel-header"),
    h("button", { type: "button", class: "icon-button only-narrow", "data-action": "open-sidebar", "data-testid": "open-sidebar", "aria-label": "Channels" }, icon("menu")),
    h("span", { class: "header-mark", "data-key": `mark-${channel?.type}` }, mark),
    h("div", { class: "header-name" }, parent && h("button", { type: "button", class: "link parent", "data-action": "go", "data-channel": parent.id }, parent.name), parent && h("span", { class: "crumb", "aria-hidden": "true" }, "›"), h("h1", { "data-testid": "channel-name" }, channelName(channel))),
    channel?.topic && h("span", { class: "topic" }, channel.topic),
    h("span", { class: "header-person" }, "as ", h("strong", { "data-testid": "current-person" }, userName(state.person))),
    narrow.matches && tools());
}
