/** The page: takes frames from the server, draws what changed, and handles clicks. */

import { composerActions, renderComposer, resetPopup, startComposer } from "./composer.js";
import { optionsOf, walk } from "./components.js";
import { act, connect, fetchLog, interact } from "./connection.js";
import { byId, h } from "./dom.js";
import { isWriting } from "./draft.js";
import { seatNeeded } from "./first_steps.js";
import { renderHeader } from "./header.js";
import { drawerActions, drawerInputs, renderDrawer, startDrawers } from "./drawers.js";
import { tickTimes } from "./markdown.js";
import { announce, forgetDrawn, jumpToPresent, renderMessages, showMessage, watchScroll } from "./messages.js";
import { enlarge, isModalOpen, renderModals } from "./modal.js";
import { narrow, renderPeople, renderSidebar } from "./people.js";
import { isPressing, watchPresses } from "./press.js";
import { checkSelect, closeSelect, isSelectOpen, leaveSelect, openSelect, place } from "./selects.js";
import {
  addLog,
  apply,
  channelsOf,
  findMessage,
  here,
  loadChoices,
  markSeen,
  saveChoices,
  state,
  visit,
} from "./state.js";
import { goServer, unheard } from "./servers.js";
import { followAnew, nextPlace } from "./turn.js";

// ---------------------------------------------------------------- drawing

let due = false;

/** Draw soon; many changes share one drawing, and none comes during a press. */
function changed() {
  if (due) return;
  due = true;
  if (!isPressing()) drawSoon();
}

function drawSoon() {
  queueMicrotask(() => {
    due = false;
    draw();
    followTurn();
  });
}

function draw() {
  const channel = here();
  drawBanner();
  renderMessages();
  if (channel && document.visibilityState === "visible") markSeen(state.person, channel.id);
  renderPeople();
  renderSidebar();
  renderHeader(channel);
  renderComposer();
  renderDrawer();
  renderModals();
  checkSelect();
  document.title = channel
    ? `${titleMark()}${byId("channel-header").querySelector("h1")?.textContent} · Playground`
    : "Playground";
  saveChoices();
}

function titleMark() {
  const waiting = state.people.filter((person) =>
    document.querySelector(`[data-testid="people-chip-${CSS.escape(person.name)}"][data-due]`),
  ).length;
  return waiting ? `(${waiting}) ` : "";
}

/** @param {unknown} error */
function complain(error) {
  const text = error instanceof Error ? error.message : String(error);
  const toast = h("div", { class: "toast", "data-testid": "toast" }, text);
  byId("toasts").append(toast);
  setTimeout(() => toast.remove(), 6000);
}

// ---------------------------------------------------------------- frames

/** @param {any} frame */
function onFrame(frame) {
  const botWas = state.bot.status, missing = unheard();
  apply(frame);
  if (frame.type === "snapshot") onSnapshot();
  if (frame.type === "message_create") announce(frame.message);
  if (state.bot.status !== botWas || unheard() !== missing || frame.type === "snapshot") showBotStatus(botWas);
  changed();
}

function onSnapshot() {
  forgetDrawn();
  document.documentElement.setAttribute("data-ready", "");
  fetchLog(0).then(
    (entries) => {
      addLog(entries);
      changed();
    },
    () => {},
  );
}

/** Go to the player who is due, unless somebody is in the middle of something. */
function followTurn() {
  if (!state.follow || isWriting() || isModalOpen() || isSelectOpen()) return;
  const place = nextPlace();
  if (!place) return;
  const channel = state.channels.get(place.channel);
  if (channel) visit(place.person, channel);
  if (state.person !== place.person) playAs(place.person);
  else draw();
  if (state.messages.get(place.channel)?.at(-1)?.id !== place.message) showMessage(place.message);
}

// ---------------------------------------------------------------- the banner

let shownBanner = { text: "", tone: "" };
let bannerTimer = 0;

/** @param {string} was */
function showBotStatus(was) {
  const { status, name } = state.bot;
  if (status === "starting") banner(`${name} is restarting…`, "warn");
  else if (status === "partly") banner(`${name} is offline in ${unheard()}.`, "warn");
  else if (status === "offline") banner(`${name} is offline.`, "bad");
  else if (was !== "online" && state.everConnected) banner(`${name} is back.`, "good", 4000);
  state.everConnected = true;
}

/** @param {string} text @param {string} tone @param {number} [ms] */
function banner(text, tone, ms = 0) {
  clearTimeout(bannerTimer);
  if (text === shownBanner.text) return;
  shownBanner = { text, tone };
  if (ms) bannerTimer = window.setTimeout(banner, ms, "", tone);
  changed();
}

function drawBanner() {
  const { text, tone } = shownBanner, element = byId("banner");
  if (element.textContent !== text) element.textContent = text; // read out only if it changes
  element.className = `banner ${tone}`;
  element.hidden = text === "";
}

/** @param {boolean} connected */
function onStatus(connected) {
  const was = state.connected;
  state.connected = connected;
  if (!connected) banner("The connection to the playground is lost. Reconnecting…", "bad");
  else if (!was) banner("", "good");
}

// ---------------------------------------------------------------- navigation

/** @param {string} person */
function playAs(person) {
  closeSelect();
  resetPopup();
  state.person = person;
  draw();
  document
    .querySelector(`.chip[data-person="${CSS.escape(person)}"]`)
    ?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** @param {string | null} channelId @param {string | null} messageId */
function go(channelId, messageId) {
  const channel = state.channels.get(channelId ?? "");
  if (!channel || !channelsOf(state.person).includes(channel))
    return complain(new Error("This person cannot see that channel."));
  visit(state.person, channel);
  resetPopup();
  closeSidebar();
  draw();
  if (messageId) showMessage(messageId);
}

function closeSidebar() {
  document.body.classList.remove("sidebar-open");
  byId("scrim").hidden = true;
}

// ---------------------------------------------------------------- clicks

/** The message and component that an element belongs to. @param {HTMLElement} element */
function componentAt(element) {
  const message_id = element.closest("[data-message-id]")?.getAttribute("data-message-id") ?? "";
  const custom_id = element.getAttribute("data-custom-id") ?? "";
  const channel_id = here()?.id ?? "";
  const message = findMessage(channel_id, message_id);
  const component = [...walk(message?.components)].find((one) => one.custom_id === custom_id);
  return { ids: { channel_id, message_id, custom_id }, component };
}

/** @param {HTMLElement} element */
function clickComponent(element) {
  const { ids } = componentAt(element);
  interact({ do: "click", ...ids }, changed).catch(complain);
}

/** @param {HTMLElement} element */
function openSelectAt(element) {
  const { ids, component } = componentAt(element);
  if (!component || element.getAttribute("aria-busy") === "true") return;
  const chosen = optionsOf(component)
    .filter((option) => option.default)
    .map((option) => option.value);
  openSelect({
    anchor: element,
    component,
    chosen,
    onDone: (values) => interact({ do: "select", ...ids, values }, changed).catch(complain),
  });
}

const THEMES = ["dark", "light", "system"];

function applyTheme() {
  const light =
    state.theme === "light" || (state.theme === "system" && matchMedia("(prefers-color-scheme: light)").matches);
  document.documentElement.setAttribute("data-theme", light ? "light" : "dark");
}

/** @type {Record<string, (element: HTMLElement) => void>} */
const ACTIONS = {
  ...composerActions,
  ...drawerActions,
  "play-as": (element) => playAs(element.dataset.person ?? ""),
  go: (element) => go(element.getAttribute("data-channel"), element.getAttribute("data-message")),
  "go-server": (element) => {
    goServer(element.dataset.server ?? "");
    resetPopup();
  },
  "component-click": clickComponent,
  "open-select": openSelectAt,
  "seat-needed": () => void seatNeeded(/** @type {any} */ (here())).catch(complain),
  enlarge: (element) => enlarge(element.dataset.src ?? "", element.dataset.alt ?? ""),
  reveal,
  "reveal-veil": (element) => reveal(/** @type {HTMLElement} */ (element.closest(".veil"))),
  "jump-to-present": jumpToPresent,
  "toggle-follow": () => {
    state.follow = !state.follow;
    followAnew();
  },
  "cycle-theme": () => {
    state.theme = THEMES[(THEMES.indexOf(state.theme) + 1) % THEMES.length];
    applyTheme();
  },
  "open-sidebar": () => {
    document.body.classList.add("sidebar-open");
    byId("scrim").hidden = false;
    byId("sidebar").querySelector("button")?.focus({ preventScroll: true });
  },
  "close-sidebar": closeSidebar,
  "delete-message": (element) =>
    void act({ do: "delete_message", channel_id: here()?.id, message_id: element.getAttribute("data-message") }).catch(
      complain,
    ),
  dismiss: (element) => state.dismissed.push(element.getAttribute("data-message") ?? ""),
  "dismiss-failed": (element) => {
    state.failedCommands = state.failedCommands.filter((one) => one.id !== element.getAttribute("data-id"));
  },
};

/** @param {HTMLElement} element */
function reveal(element) {
  element.setAttribute("data-revealed", "");
}

/** @param {Event} event */
function onClick(event) {
  const target = /** @type {Element} */ (event.target);
  if (isSelectOpen() && !target.closest("[data-action=open-select]")) leaveSelect();
  const element = /** @type {HTMLElement | null} */ (target.closest("[data-action]"));
  const action = element && ACTIONS[element.dataset.action ?? ""];
  if (!action || element.closest(":disabled")) return;
  action(element);
  changed();
}

/** @param {Event} event */
function onInput(event) {
  const input = /** @type {HTMLInputElement} */ (event.target);
  drawerInputs[input.dataset?.action ?? ""]?.(input);
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if ((event.key === "Enter" || event.key === " ") && target.dataset?.action === "reveal") {
    event.preventDefault();
    reveal(target);
  } else if (event.key === "Escape") escape();
  else if (event.key.length === 1 && target === document.body && !event.ctrlKey && !event.metaKey && !event.altKey)
    byId("composer-input")?.focus();
}

function escape() {
  if (document.body.classList.contains("sidebar-open")) closeSidebar();
  else if (state.drawer) drawerActions["close-drawer"](byId("drawer"));
}

// ---------------------------------------------------------------- start

function start() {
  loadChoices();
  applyTheme();
  startComposer({ changed, complain });
  startDrawers({ changed, complain });
  watchScroll();
  watchPresses(() => due && drawSoon());
  document.addEventListener("click", onClick);
  document.addEventListener("input", onInput);
  document.addEventListener("keydown", onKey);
  document.addEventListener("visibilitychange", changed);
  window.addEventListener("resize", place);
  narrow.addEventListener("change", changed);
  byId("scroller").addEventListener("scroll", () => isSelectOpen() && place(), { passive: true });
  setInterval(() => isPressing() || tickTimes(), 1000);
  connect({ onFrame, onStatus });
}

start();
