/** Developer tools: which drawer is open, and its actions. */

import { act, setFault } from "./connection.js";
import { byId, fill } from "./dom.js";
import { faultsDrawer, sendFault } from "./faults.js";
import { filter, logDrawer } from "./requests.js";
import { guildHere, here, state } from "./state.js";

/** @type {{changed: () => void, complain: (error: unknown) => void}} */
let app = { changed: () => {}, complain: () => {} };

export function renderDrawer() {
  const drawer = byId("drawer");
  drawer.hidden = state.drawer === "";
  if (state.drawer === "log") fill(drawer, logDrawer());
  else if (state.drawer === "faults") fill(drawer, faultsDrawer());
  else fill(drawer);
}

/** @type {Record<string, (element: HTMLElement) => void>} */
export const drawerActions = {
  "toggle-log": () => toggleDrawer("log"),
  "toggle-faults": () => toggleDrawer("faults"),
  "close-drawer": () => toggleDrawer(state.drawer),
  fault: (element) => void setFault({ kind: element.getAttribute("data-kind") }).catch(app.complain),
  "act-here": (element) => {
    const more = JSON.parse(element.getAttribute("data-more") ?? "{}");
    void act({ do: element.getAttribute("data-do"), channel_id: here()?.id, guild_id: guildHere()?.id, ...more }).catch(app.complain);
  },
  "filter-kind": (element) => {
    filter.kind = element.getAttribute("data-kind") ?? "all";
    app.changed();
  },
};

/** @type {Record<string, (input: HTMLInputElement) => void>} */
export const drawerInputs = {
  "toggle-dms": (input) => void act({ do: "dms", closed: !input.checked }, input.dataset.person).catch(app.complain),
  "toggle-member": (input) =>
    void act({ do: input.checked ? "join_guild" : "leave_guild", guild_id: guildHere()?.id }, input.dataset.person).catch(app.complain),
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
    sendFault(/** @type {HTMLFormElement} */ (event.target)).catch(app.complain);
  });
}
