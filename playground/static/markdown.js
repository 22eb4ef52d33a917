/** Turns Discord's markdown into DOM nodes. */

import { h } from "./dom.js";
import { placeMark } from "./places.js";
import { channelName, state, userName } from "./state.js";

/** @typedef {import("./dom.js").Child} Child */
/** @typedef {[RegExp, (match: RegExpExecArray) => Child]} Rule */

const BRACKETED_LINK = /^\[((?:[^[\]]|\\.)+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/;
const SNOWFLAKE_LINK = /^https?:\/\/[^/]+\/channels\/(\d+|@me)\/(\d+)(?:\/(\d+))?\/?$/;

/** Rules for marks inside a line; the first match wins. @type {Rule[]} */
const INLINE = [
  [/^\\([^0-9A-Za-z\s])/, (m) => m[1]],
  [/^``(.+?)``(?!`)/s, (m) => h("code", null, m[1].trim())],
  [/^`([^`\n]+)`/, (m) => h("code", null, m[1])],
  [/^\|\|(.+?)\|\|/s, (m) => spoiler(inline(m[1]))],
  [/^\*\*\*(.+?)\*\*\*/s, (m) => h("strong", null, h("em", null, inline(m[1])))],
  [/^\*\*(.+?)\*\*(?!\*)/s, (m) => h("strong", null, inline(m[1]))],
  [/^__(.+?)__(?!_)/s, (m) => h("u", null, inline(m[1]))],
  [/^~~(.+?)~~/s, (m) => h("s", null, inline(m[1]))],
  [/^\*(?!\s)((?:\\.|[^*\\])+?)(?<!\s)\*(?!\*)/s, (m) => h("em", null, inline(m[1]))],
  [/^_(?!\s)((?:\\.|[^_\\])+?)(?<!\s)_(?![A-Za-z0-9_])/s, (m) => h("em", null, inline(m[1]))],
  [/^<@!?(\d+)>/, (m) => h("span", { class: mentionClass(m[1]), "data-user-id": m[1] }, `@${userName(m[1])}`)],
  [/^<@&(\d+)>/, (m) => h("span", { class: "mention" }, `@${roleName(m[1])}`)],
  [/^<#(\d+)>/, (m) => channelMention(m[1])],
  [/^<t:(-?\d{1,13})(?::([tTdDfFR]))?>/, (m) => timestamp(Number(m[1]), m[2] ?? "f")],
  [
    /^<\/([^:>]+):\d+>/,
    (m) =>
      h(
        "button",
        { type: "button", class: "mention", "data-action": "fill-command", "data-command": m[1] },
        `/${m[1]}`,
      ),
  ],
  [/^<a?:(\w+):(\d+)>/, (m) => customEmoji(m[2], m[1], false)],
  [/^<id:(browse|customize|guide|home|linked-roles(?::\d+)?)>/, (m) => h("span", { class: "mention" }, `# ${m[1]}`)],
  [BRACKETED_LINK, (m) => link(m[2], inline(m[1]))],
  [/^<((?:https?|steam):\/\/[^\s>]+)>/, (m) => link(m[1])],
  [/^<((?:mailto|tel|sms):[^\s>]+)>/, (m) => link(m[1], [m[1].slice(m[1].indexOf(":") + 1)])],
  [/^https?:\/\/[^\s<>]*[^\s<>.,;:!?'")\]]/, (m) => link(m[0])],
  [/^@(everyone|here)\b/, (m) => h("span", { class: "mention" }, m[0])],
  [/^\n/, () => h("br", null)],
];

const NEXT_MARK = /[\\`*_~|<[@\n]|https?:\/\//;

/**
 * One of the application's emoji. On a control, its name is not read aloud, because the label says more.
 * @param {string} id @param {string} name @param {boolean} hidden
 */
export function customEmoji(id, name, hidden) {
  if (!state.emoji.includes(id)) return h("span", { class: "emoji-name", "aria-hidden": hidden ? "true" : null }, `:${name}:`);
  const alt = hidden ? "" : `:${name}:`;
  return h("img", { class: "custom-emoji", src: `/emojis/${id}.png`, alt, title: `:${name}:`, draggable: "false" });
}

/** @param {string} text @returns {Child[]} */
export function inline(text) {
  /** @type {Child[]} */ const out = [];
  let rest = text;
  while (rest) {
    const [node, length] = takeMark(rest) ?? takePlain(rest);
    out.push(node);
    rest = rest.slice(length);
  }
  return out;
}

/** @param {string} text @returns {[Child, number] | null} */
function takeMark(text) {
  for (const [pattern, make] of INLINE) {
    const match = pattern.exec(text);
    if (match) return [make(match), match[0].length];
  }
  return null;
}

/**
 * Underscores inside a word are plain text; an address may begin inside a word.
 * @param {string} text @returns {[Child, number]}
 */
function takePlain(text) {
  const word = /^\w+?(?=https?:\/\/)|^\w+/.exec(text)?.[0].length ?? 1;
  const offset = text.slice(word).search(NEXT_MARK);
  const length = offset < 0 ? text.length : word + offset;
  return [text.slice(0, length), length];
}

/** @param {Child[]} children */
export function spoiler(children) {
  return h(
    "span",
    {
      class: "spoiler",
      role: "button",
      tabindex: "0",
      "aria-label": "Spoiler, press to show",
      "data-action": "reveal",
    },
    h("span", { class: "spoiler-text" }, children),
  );
}

/** @param {string} id */
function mentionClass(id) {
  return id === state.person ? "mention mention-me" : "mention";
}

/** @param {string} id */
function roleName(id) {
  return state.guilds.flatMap((guild) => guild.roles).find((role) => role.id === id)?.name ?? "unknown role";
}

/** @param {string} id */
function channelMention(id) {
  const channel = state.channels.get(id);
  return h(
    "button",
    { type: "button", class: "mention", "data-action": "go", "data-channel": id },
    channel && placeMark(channel),
    ` ${channelName(channel)}`,
  );
}

/** The target of a link into this server. @param {string} url @returns {{channel: string, message: string} | null} */
export function placeOf(url) {
  const match = SNOWFLAKE_LINK.exec(url);
  return match ? { channel: match[2], message: match[3] ?? "" } : null;
}

/** @param {string} url @param {Child[]} [text] */
function link(url, text) {
  const place = placeOf(url);
  if (!place) return h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, text ?? url);
  const there = state.channels.get(place.channel);
  const label = text ?? [there && placeMark(there), ` ${channelName(there)}`, place.message ? " › message" : ""];
  return h(
    "button",
    {
      type: "button",
      class: text ? "link" : "mention",
      "data-action": "go",
      "data-channel": place.channel,
      "data-message": place.message,
    },
    label,
  );
}

/** @type {Record<string, Intl.DateTimeFormatOptions>} */
const TIME_STYLES = {
  t: { hour: "2-digit", minute: "2-digit" },
  T: { hour: "2-digit", minute: "2-digit", second: "2-digit" },
  d: { day: "2-digit", month: "2-digit", year: "numeric" },
  D: { day: "numeric", month: "long", year: "numeric" },
  f: { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" },
  F: { weekday: "long", day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" },
};

/** @param {number} seconds @param {string} style */
export function timestamp(seconds, style) {
  const date = new Date(seconds * 1000);
  const full = Number.isNaN(date.getTime()) ? "" : date.toLocaleString(undefined, TIME_STYLES.F);
  const props = { class: "timestamp", title: full, "data-seconds": seconds, "data-relative": style === "R" };
  return h("time", props, style === "R" ? relative(seconds) : date.toLocaleString(undefined, TIME_STYLES[style]));
}

/** @type {[number, string, string, number][]} Seconds, singular, plural, and limit, as in Discord's clients. */
const UNITS = [
  [1, "1 second", "seconds", 45],
  [60, "a minute", "minutes", 45],
  [3600, "an hour", "hours", 22],
  [86400, "a day", "days", 26],
  [2629746, "a month", "months", 11],
  [31556952, "a year", "years", Infinity],
];

/** @param {number} seconds unix time */
export function relative(seconds) {
  const delta = Math.round(seconds - Date.now() / 1000);
  if (delta === 0) return "now";
  const away = Math.abs(delta);
  const [size, one, many] = UNITS.find(([length, , , most]) => Math.round(away / length) < most) ?? UNITS[0];
  const number = Math.round(away / size);
  const said = number > 1 ? `${number} ${many}` : one;
  return delta > 0 ? `in ${said}` : `${said} ago`;
}

/** Update every "in 5 minutes" on the page. */
export function tickTimes() {
  for (const element of document.querySelectorAll("time[data-relative]")) {
    const text = relative(Number(element.getAttribute("data-seconds")));
    if (element.textContent !== text) element.textContent = text;
  }
}

const FENCE = /^```(?:([\w+-]+)\n)?\n?([\s\S]*?)\n?```/;
const HEADING = /^(#{1,3}) +(.+)$/;
const SUBTEXT = /^-# +(.+)$/;
const ITEM = /^( *)([-*+]|\d+[.)]) +(.*)$/;

/** Parse a whole text block by block. @param {string} text @returns {Child[]} */
export function markdown(text) {
  /** @type {Child[]} */ const out = [];
  let rest = text;
  while (rest) {
    const at = rest.search(/```[\s\S]*?```/);
    const before = at < 0 ? rest : rest.slice(0, at);
    out.push(...blocks(before.replace(/\n$/, "").split("\n"), before !== ""));
    if (at < 0) break;
    const match = /** @type {RegExpExecArray} */ (FENCE.exec(rest.slice(at)));
    out.push(h("pre", { tabindex: "0" }, h("code", null, match[2])));
    rest = rest.slice(at + match[0].length).replace(/^\n/, "");
  }
  return out;
}

/** @param {string[]} lines @param {boolean} any @returns {Child[]} */
function blocks(lines, any) {
  /** @type {Child[]} */ const out = [];
  let at = any ? 0 : lines.length;
  while (at < lines.length) {
    const [node, used] = quote(lines, at) ?? list(lines, at) ?? headed(lines[at]) ?? paragraph(lines, at);
    out.push(node);
    at += used;
  }
  return out;
}

/** @param {string[]} lines @param {number} at @returns {[Child, number] | null} */
function quote(lines, at) {
  if (lines[at].startsWith(">>> ")) {
    const inner = [lines[at].slice(4), ...lines.slice(at + 1)];
    return [h("blockquote", null, blocks(inner, true)), inner.length];
  }
  const used = countWhile(lines, at, (line) => line.startsWith("> ") || line === ">");
  return used
    ? [
        h(
          "blockquote",
          null,
          blocks(
            lines.slice(at, at + used).map((line) => line.slice(2)),
            true,
          ),
        ),
        used,
      ]
    : null;
}

/** @param {string[]} lines @param {number} at @returns {[Child, number] | null} */
function list(lines, at) {
  const first = ITEM.exec(lines[at]);
  if (!first) return null;
  const same = (/** @type {string} */ line) =>
    Boolean(ITEM.exec(line)) && (/^ *\d/.test(line) === /\d/.test(first[2]) || /^ {2}/.test(line));
  const used = countWhile(lines, at, same);
  const items = lines.slice(at, at + used).map((line) => /** @type {RegExpExecArray} */ (ITEM.exec(line)));
  const ordered = /\d/.test(first[2]);
  const rows = items.map((item) => h("li", { class: item[1].length >= 2 ? "deeper" : null }, inline(item[3])));
  return [h(ordered ? "ol" : "ul", { start: ordered ? parseInt(first[2], 10) : null }, rows), used];
}

/** @param {string} line @returns {[Child, number] | null} */
function headed(line) {
  const heading = HEADING.exec(line);
  if (heading) return [h(`h${heading[1].length + 2}`, { class: `md-h${heading[1].length}` }, inline(heading[2])), 1];
  const small = SUBTEXT.exec(line);
  return small ? [h("p", { class: "subtext" }, inline(small[1])), 1] : null;
}

/** @param {string[]} lines @param {number} at @returns {[Child, number]} */
function paragraph(lines, at) {
  const starts = (/** @type {string} */ line) =>
    line.startsWith("> ") || ITEM.test(line) || HEADING.test(line) || SUBTEXT.test(line);
  const used = 1 + countWhile(lines, at + 1, (line) => !starts(line));
  return [h("p", null, inline(lines.slice(at, at + used).join("\n"))), used];
}

/** @param {string[]} lines @param {number} at @param {(line: string) => boolean} test */
function countWhile(lines, at, test) {
  let used = 0;
  while (at + used < lines.length && test(lines[at + used])) used += 1;
  return used;
}

/** A text as a screen reader should say it, and for one-line previews. @param {string} text */
export function plain(text) {
  const drawn = h("span", null, markdown(text));
  for (const end of drawn.querySelectorAll("br, p, li, pre, blockquote, h3, h4, h5")) end.after(" ");
  return (drawn.textContent ?? "").replace(/\s+/g, " ").trim();
}
