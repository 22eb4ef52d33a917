/** The drawer with the requests between bot and server. */

import { h } from "./dom.js";
import { drawerHead } from "./drawer_head.js";
import { state } from "./state.js";

const SHOWN = 300;
/** The filter of the log. */
export const filter = { text: "", kind: "all" };

/** The content of the drawer. */
export function logDrawer() {
  const shown = state.log.filter(matches).slice(-SHOWN).reverse();
  return h(
    "section",
    { class: "drawer-page", "data-key": "log", "data-testid": "log-drawer", "aria-label": "Requests" },
    drawerHead("Requests"),
    h(
      "div",
      { class: "drawer-tools" },
      h("input", {
        type: "search",
        class: "text-input",
        placeholder: "Filter: path, method, status, body",
        "aria-label": "Filter the requests",
        "data-action": "filter-log",
        "data-testid": "log-filter",
      }),
      h(
        "div",
        { class: "segments", role: "group", "aria-label": "Which requests" },
        segment("all", "All"),
        segment("bot→server", "From bot"),
        segment("server→bot", "To bot"),
        segment("errors", "Errors"),
      ),
    ),
    h("p", { class: "subtext", role: "status" }, `${shown.length} of ${state.log.length}`),
    h("ol", { class: "log" }, shown.map(logRow)),
  );
}

/** @param {string} kind @param {string} word */
function segment(kind, word) {
  return h(
    "button",
    {
      type: "button",
      class: filter.kind === kind ? "on" : "",
      "aria-pressed": filter.kind === kind ? "true" : "false",
      "data-action": "filter-kind",
      "data-kind": kind,
      "data-testid": `log-${kind}`,
    },
    word,
  );
}

/** @param {any} entry */
function matches(entry) {
  if (filter.kind === "errors" && !(entry.status >= 400 || entry.cut)) return false;
  if (filter.kind.includes("→") && entry.direction !== filter.kind) return false;
  return (
    filter.text === "" ||
    `${entry.method} ${entry.path} ${entry.status} ${cutWord(entry)} ${sender(entry)} ${short(entry.body)} ${short(entry.response)}`
      .toLowerCase()
      .includes(filter.text)
  );
}

/** @param {unknown} body */
const short = (body) =>
  body === null || body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);

/** @param {any} entry */
function logRow(entry) {
  const grade = entry.status ? String(entry.status)[0] : "0";
  return h(
    "li",
    { "data-key": `log-${entry.n}`, "data-testid": `log-${entry.n}` },
    h(
      "details",
      null,
      h(
        "summary",
        null,
        h("span", { class: "way", title: entry.direction }, entry.direction === "server→bot" ? "←" : "→"),
        h("span", { class: "method" }, isEvent(entry) ? "event" : entry.method),
        h("span", { class: "path", title: entry.path }, isEvent(entry) ? entry.method : shortPath(entry.path)),
        sender(entry) && h("span", { class: "sender" }, sender(entry)),
        entry.status > 0 && h("span", { class: `code grade-${grade}` }, entry.status),
        entry.cut && h("span", { class: "code grade-5" }, cutWord(entry)),
        h("span", { class: "ms" }, entry.status > 0 ? `${Math.round(entry.ms)} ms` : ""),
      ),
      h("p", { class: "subtext whole-path" }, `${when(entry.at_ms)} ${entry.path}`),
      body("sent", entry.body),
      body("answered", entry.response),
    ),
  );
}

/** What happened to a request whose connection broke. @param {any} entry */
const cutWord = (entry) => (entry.cut === "after" ? "answer lost" : entry.cut ? "cut" : "");

/** The process and shard of a request, if there are several. @param {any} entry */
const sender = (entry) => [entry.process, entry.shard && `shard ${entry.shard.join("/")}`].filter(Boolean).join(" · ");

/** @param {any} entry */
const isEvent = (entry) => entry.path === "gateway";

/** Shorten ids and tokens to their ends, so that the rest of the path is visible. @param {string} path */
const shortPath = (path) =>
  String(path ?? "")
    .replace(/^\/api\/v\d+/, "")
    .replace(/[\w.-]{16,}(?=\/|$|\?)/g, (long) => (/^[a-z_A-Z]+$/.test(long) ? long : `…${long.slice(-4)}`));

/** @param {number | undefined} ms */
const when = (ms) => (ms && ms > 1e11 ? new Date(ms).toLocaleTimeString() : "");

/** @param {string} word @param {unknown} content */
function body(word, content) {
  const text = pretty(content);
  return text
    ? h("div", { class: "log-body" }, h("span", { class: "subtext" }, word), h("pre", { tabindex: "0" }, text))
    : null;
}

/** @param {unknown} content */
function pretty(content) {
  if (typeof content !== "string")
    return content === null || content === undefined ? "" : JSON.stringify(content, null, 1);
  try {
    return JSON.stringify(JSON.parse(content), null, 1);
  } catch {
    return content;
  }
}
