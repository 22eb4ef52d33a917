/** For developers: the requests between bot and server, and the faults one can set. */

import { act, setFault } from "./connection.js";
import { byId, fill, h, icon } from "./dom.js";
import { hasFaults } from "./people.js";
import { here, isDm, isThread, state, userName } from "./state.js";

const SHOWN = 300;
const filter = { text: "", kind: "all" };
/** @type {{changed: () => void, complain: (error: unknown) => void}} */
let app = { changed: () => {}, complain: () => {} };

export function renderDrawer() {
  const drawer = byId("drawer");
  drawer.hidden = state.drawer === "";
  if (state.drawer === "log") fill(drawer, logDrawer());
  else if (state.drawer === "faults") fill(drawer, faultsDrawer());
  else fill(drawer);
}

/** @param {string} title */
function head(title) {
  return h("header", { class: "drawer-head" }, h("h2", null, title), h("button", { type: "button", class: "icon-button", "data-action": "close-drawer", "data-testid": "drawer-close", "aria-label": `Close ${title}` }, icon("close")));
}

// ---------------------------------------------------------------- requests

function logDrawer() {
  const shown = state.log.filter(matches).slice(-SHOWN).reverse();
  return h("section", { class: "drawer-page", "data-key": "log", "data-testid": "log-drawer", "aria-label": "Requests" }, head("Requests"),
    h("div", { class: "drawer-tools" },
      h("input", { type: "search", class: "text-input", placeholder: "Filter: path, method, status, body", "aria-label": "Filter the requests", "data-action": "filter-log", "data-testid": "log-filter" }),
      h("div", { class: "segments", role: "group", "aria-label": "Which requests" }, segment("all", "All"), segment("bot→server", "From bot"), segment("server→bot", "To bot"), segment("errors", "Errors"))),
    h("p", { class: "subtext", role: "status" }, `${shown.length} of ${state.log.length}`),
    h("ol", { class: "log" }, shown.map(logRow)));
}

/** @param {string} kind @param {string} word */
function segment(kind, word) {
  return h("button", { type: "button", class: filter.kind === kind ? "on" : "", "aria-pressed": filter.kind === kind ? "true" : "false", "data-action": "filter-kind", "data-kind": kind, "data-testid": `log-${kind}` }, word);
}

/** @param {any} entry */
function matches(entry) {
  if (filter.kind === "errors" && !(entry.status >= 400)) return false;
  if (filter.kind.includes("→") && entry.direction !== filter.kind) return false;
  return filter.text === "" || `${entry.method} ${entry.path} ${entry.status} ${short(entry.body)} ${short(entry.response)}`.toLowerCase().includes(filter.text);
}

/** @param {unknown} body */
const short = (body) => (body === null || body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body));

/** @param {any} entry */
function logRow(entry) {
  const grade = entry.status ? String(entry.status)[0] : "0";
  return h("li", { "data-key": `log-${entry.n}`, "data-testid": `log-${entry.n}` }, h("details", null,
    h("summary", null, h("span", { class: "way", title: entry.direction }, entry.direction === "server→bot" ? "←" : "→"), h("span", { class: "method" }, isEvent(entry) ? "event" : entry.method), h("span", { class: "path", title: entry.path }, isEvent(entry) ? entry.method : shortPath(entry.path)), entry.status > 0 && h("span", { class: `code grade-${grade}` }, entry.status), h("span", { class: "ms" }, entry.status > 0 ? `${Math.round(entry.ms)} ms` : "")),
    h("p", { class: "subtext whole-path" }, `${when(entry.at_ms)} ${entry.path}`),
    body("sent", entry.body), body("answered", entry.response)));
}

/** @param {any} entry */
const isEvent = (entry) => entry.path === "gateway";

/** Ids and tokens cut to their ends, so that the telling part of a path is seen. @param {string} path */
const shortPath = (path) => String(path ?? "").replace(/^\/api\/v\d+/, "").replace(/[\w.-]{16,}(?=\/|$|\?)/g, (long) => (/^[a-z_A-Z]+$/.test(long) ? long : `…${long.slice(-4)}`));

/** @param {number | undefined} ms */
const when = (ms) => (ms && ms > 1e11 ? new Date(ms).toLocaleTimeString() : "");

/** @param {string} word @param {unknown} content */
function body(word, content) {
  const text = pretty(content);
  return text ? h("div", { class: "log-body" }, h("span", { class: "subtext" }, word), h("pre", { tabindex: "0" }, text)) : null;
}

/** @param {unknown} content */
function pretty(content) {
  if (typeof content !== "string") return content === null || content === undefined ? "" : JSON.stringify(content, null, 1);
  try {
    return JSON.stringify(JSON.parse(content), null, 1);
  } catch {
    return content;
  }
}

// ---------------------------------------------------------------- faults

function faultsDrawer() {
  return h("section", { class: "drawer-page", "data-key": "faults", "data-testid": "faults-drawer", "aria-label": "Faults" }, head("Faults"),
    h("p", { class: "subtext" }, "Make Discord misbehave, and see what the bot does about it."),
    nowSet(),
    h("div", { class: "fault-list" },
      faultForm("server_errors", "Server errors", "The next requests of the bot fail.", [number("count", "How many", 3), number("status", "Status", 503), text("path", "Path (a pattern)", "any")]),
      faultForm("rate_limit", "Rate limit", "The next requests are told to wait.", [number("count", "How many", 3)]),
      faultForm("slow", "Slow answers", "Every request takes longer.", [number("ms", "Milliseconds", 1500)]),
      oneButton("drop_gateway", "Drop the gateway", "The bot's WebSocket is cut; it must resume.", "Drop"),
      oneButton("invalidate_session", "End the session", "The bot cannot resume; it must identify anew.", "End"),
      oneButton("restart_bot", "Restart the bot", "The process ends and starts again.", "Restart", "danger")),
    h("h3", { class: "group" }, "Server, as ", userName(state.person)),
    h("div", { class: "fault-acts" }, actButton("archive", "Archive this thread", !isThread(here() ?? { id: "", type: 0 })), actButton("delete_channel", "Delete this channel", !here() || isDm(/** @type {any} */ (here()))), actButton("remove_bot", "Remove the bot"), actButton("add_bot", "Invite the bot again")),
    h("h3", { class: "group" }, "People"),
    h("ul", { class: "fault-people" }, state.people.map(personRow)));
}

function nowSet() {
  const set = Object.entries(state.faults ?? {}).filter(([, value]) => hasValue(value));
  if (!hasFaults()) return h("p", { class: "now-set calm", "data-key": "now", "data-testid": "faults-now", role: "status" }, "No fault is set.");
  return h("div", { class: "now-set", "data-key": "now", "data-testid": "faults-now", role: "status" }, h("div", null, set.map(([name, value]) => h("div", null, h("strong", null, name.replaceAll("_", " ")), ` · ${inWords(value)}`))), h("button", { type: "button", class: "button secondary small", "data-action": "fault", "data-kind": "clear", "data-testid": "fault-clear" }, "Clear all"));
}

/** @param {any} value */
const inWords = (value) => (typeof value === "object" ? Object.entries(value).filter(([, one]) => one !== "").map(([name, one]) => `${name} ${one}`).join(", ") : String(value));

/** @param {any} value */
const hasValue = (value) => Boolean(value) && (typeof value !== "object" || Object.keys(value).length > 0);

/** @param {string} kind @param {string} title @param {string} words @param {HTMLElement[]} fields */
function faultForm(kind, title, words, fields) {
  return h("form", { class: "fault", "data-key": kind, "data-fault": kind, "data-testid": `fault-${kind}` }, h("h3", null, title), h("p", { class: "subtext" }, words), h("div", { class: "fault-fields" }, fields, h("button", { type: "submit", class: "button secondary small" }, "Set")));
}

/** @param {string} kind @param {string} title @param {string} words @param {string} verb @param {string} [style] */
function oneButton(kind, title, words, verb, style = "secondary") {
  return h("div", { class: "fault", "data-key": kind }, h("h3", null, title), h("p", { class: "subtext" }, words), h("button", { type: "button", class: `button small ${style}`, "data-action": "fault", "data-kind": kind, "data-testid": `fault-${kind}`, "aria-label": title }, verb));
}

/** @param {string} what @param {string} word @param {boolean} [disabled] */
function actButton(what, word, disabled = false) {
  return h("button", { type: "button", class: "button secondary small", disabled, "data-action": "act-here", "data-do": what, "data-testid": `act-${what}` }, word);
}

/** @param {string} name @param {string} label @param {number} value */
function number(name, label, value) {
  return h("label", { class: "fault-field" }, h("span", null, label), h("input", { type: "number", class: "text-input", name, value, min: 0, inputmode: "numeric" }));
}

/** @param {string} name @param {string} label @param {string} placeholder */
function text(name, label, placeholder) {
  return h("label", { class: "fault-field wide" }, h("span", null, label), h("input", { type: "text", class: "text-input", name, placeholder, spellcheck: "false" }));
}

/** @param {import("./state.js").Person} person */
function personRow(person) {
  return h("li", { "data-key": person.id, class: "fault-person" }, h("span", { class: "fault-name" }, person.name),
    h("label", { class: "switch" }, h("input", { type: "checkbox", role: "switch", checked: !person.dms_closed, "data-action": "toggle-dms", "data-person": person.id, "data-testid": `fault-dms-${person.name}`, "aria-label": `${person.name}'s direct messages are open` }), h("span", { class: "track", "aria-hidden": "true" }), h("span", { class: "switch-word" }, "DMs")),
    h("label", { class: "switch" }, h("input", { type: "checkbox", role: "switch", checked: person.in_guild !== false, "data-action": "toggle-member", "data-person": person.id, "data-testid": `fault-member-${person.name}`, "aria-label": `${person.name} is in the server` }), h("span", { class: "track", "aria-hidden": "true" }), h("span", { class: "switch-word" }, "Member")));
}

/** @param {HTMLFormElement} form */
function sendFault(form) {
  /** @type {Record<string, any>} */ const fault = { kind: form.getAttribute("data-fault") };
  for (const input of form.querySelectorAll("input")) if (input.value !== "") fault[input.name] = input.type === "number" ? Number(input.value) : input.value;
  setFault(fault).catch(app.complain);
}

/** @type {Record<string, (element: HTMLElement) => void>} */
export const drawerActions = {
  "toggle-log": () => toggleDrawer("log"),
  "toggle-faults": () => toggleDrawer("faults"),
  "close-drawer": () => toggleDrawer(state.drawer),
  fault: (element) => void setFault({ kind: element.getAttribute("data-kind") }).catch(app.complain),
  "act-here": (element) => void act({ do: element.getAttribute("data-do"), channel_id: here()?.id }).catch(app.complain),
  "filter-kind": (element) => {
    filter.kind = element.getAttribute("data-kind") ?? "all";
    app.changed();
  },
};

/** @type {Record<string, (input: HTMLInputElement) => void>} */
export const drawerInputs = {
  "toggle-dms": (input) => void act({ do: "dms", closed: !input.checked }, input.dataset.person).catch(app.complain),
  "toggle-member": (input) => void act({ do: input.checked ? "join_guild" : "leave_guild" }, input.dataset.person).catch(app.complain),
  "filter-log": (input) => {
    filter.text = input.value.trim().toLowerCase();
    app.changed();
  },
};

/** @param {string} name */
function toggleDrawer(name) {
  state.drawer = state.drawer === name ? "" : name;
  renderDrawer();
  app.changed();
  if (state.drawer) byId("drawer").querySelector("button")?.focus({ preventScroll: true });
  else /** @type {HTMLElement | null} */ (document.querySelector(`[data-action="toggle-${name}"]`))?.focus();
}

/** @param {typeof app} given */
export function startDrawers(given) {
  app = given;
  byId("drawer").addEventListener("submit", (event) => {
    event.preventDefault();
    sendFault(/** @type {HTMLFormElement} */ (event.target));
  });
}
