/** The open list of a select: one floating list box at a time, in a message or in a form. */

import { markOf, optionsOf, placeholderOf } from "./components.js";
import { h, icon } from "./dom.js";

/** @typedef {{anchor: HTMLElement, component: any, chosen: string[], onDone: (values: string[]) => void}} Request */

/** @type {{request: Request, box: HTMLElement, picked: string[]} | null} */
let current = null;

/** @param {any} component @returns {[number, number]} */
export function limits(component) {
  return [component.min_values ?? 1, component.max_values ?? 1];
}

/** @param {Request} request */
export function openSelect(request) {
  const again = current?.request.anchor === request.anchor;
  closeSelect();
  if (again) return;
  const box = h("div", { class: "select-list", "data-testid": "select-list" });
  current = { request, box, picked: [...request.chosen] };
  box.addEventListener("click", onClick);
  box.addEventListener("keydown", onKey);
  draw();
  (request.anchor.closest("dialog") ?? document.body).append(box);
  request.anchor.setAttribute("aria-expanded", "true");
  place();
  /** @type {HTMLElement | null} */ ((box.querySelector("[aria-selected=true]")) ?? items()[0])?.focus();
}

export function closeSelect(refocus = false) {
  if (!current) return;
  const { box, request } = current;
  current = null;
  box.remove();
  request.anchor.setAttribute("aria-expanded", "false");
  if (refocus && request.anchor.isConnected) request.anchor.focus();
}

export const isSelectOpen = () => current !== null;

/** A redraw may have removed the button of the list. */
export function checkSelect() {
  if (current && !current.request.anchor.isConnected) closeSelect();
}

function draw() {
  if (!current) return;
  const { component } = current.request;
  const options = optionsOf(component);
  const [least, most] = limits(component);
  const many = most > 1;
  const list = h(
    "div",
    {
      role: "listbox",
      class: "select-options",
      "aria-label": placeholderOf(component),
      "aria-multiselectable": many ? "true" : null,
    },
    options.map((option) => optionRow(option, many)),
  );
  const word = least === most ? `Choose ${least}` : `Choose ${least} to ${Math.min(most, options.length)}`;
  const clear =
    least === 0 &&
    !many &&
    current.picked.length > 0 &&
    h("button", { type: "button", class: "button secondary small", "data-clear": true }, "Clear");
  const foot =
    (many || clear) &&
    h(
      "div",
      { class: "select-foot" },
      h("span", { role: "status" }, many ? `${word} · ${current.picked.length} chosen` : ""),
      clear,
      many &&
        h(
          "button",
          {
            type: "button",
            class: "button primary small",
            "data-done": true,
            "data-testid": "select-done",
            disabled: !enough(),
          },
          "Done",
        ),
    );
  current.box.replaceChildren(list, ...(foot ? [foot] : []));
}

/** @param {any} option @param {boolean} many */
function optionRow(option, many) {
  const at = current?.picked.indexOf(option.value) ?? -1;
  return h(
    "div",
    {
      role: "option",
      tabindex: "-1",
      class: `select-option${at >= 0 ? " chosen" : ""}`,
      "aria-selected": at >= 0 ? "true" : "false",
      "data-value": option.value,
      "data-testid": `select-option-${option.value}`,
    },
    markOf(option),
    h(
      "span",
      { class: "select-option-text" },
      h("span", null, option.label),
      option.description && h("span", { class: "select-option-detail" }, option.description),
    ),
    many
      ? h("span", { class: "tick", "aria-hidden": "true" }, at >= 0 ? icon("check") : null)
      : at >= 0 && h("span", { class: "tick plain", "aria-hidden": "true" }, icon("check")),
  );
}

function enough() {
  if (!current) return false;
  const [least, most] = limits(current.request.component);
  return current.picked.length >= least && current.picked.length <= most;
}

/** @returns {HTMLElement[]} */
const items = () =>
  [...(current?.box.querySelectorAll("[role=option]") ?? [])].map((one) => /** @type {HTMLElement} */ (one));

/** @param {MouseEvent} event */
function onClick(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  event.stopPropagation();
  if (target.closest("[data-done]")) return finish();
  if (target.closest("[data-clear]")) return pickNothing();
  const row = target.closest("[role=option]");
  if (row) pick(row.getAttribute("data-value") ?? "");
}

function pickNothing() {
  if (current) current.picked = [];
  finish();
}

/** @param {string} value */
function pick(value) {
  if (!current) return;
  const most = limits(current.request.component)[1];
  if (most <= 1) {
    current.picked = [value];
    return finish();
  }
  const at = current.picked.indexOf(value);
  if (at >= 0) current.picked.splice(at, 1);
  else if (current.picked.length < most) current.picked.push(value);
  draw();
  items()
    .find((one) => one.getAttribute("data-value") === value)
    ?.focus();
}

function finish() {
  if (!current || !enough()) return;
  const { request, picked } = current;
  closeSelect(true);
  request.onDone(picked);
}

/** Clicking elsewhere submits the choice if it changed, as in Discord. */
export function leaveSelect() {
  if (!current) return;
  const { request, picked } = current;
  const changed = [...picked].sort().join("\n") !== [...request.chosen].sort().join("\n");
  if (changed && enough() && limits(request.component)[1] > 1) finish();
  else closeSelect();
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  event.stopPropagation();
  const all = items();
  const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const moves = /** @type {Record<string, number>} */ ({
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: all.length - 1,
  });
  if (event.key in moves) all[(moves[event.key] + all.length) % all.length]?.focus();
  else if (event.key === "Escape") closeSelect(true);
  else if ((event.key === "Enter" || event.key === " ") && at >= 0) pick(all[at].getAttribute("data-value") ?? "");
  else if (event.key === "Tab" && !current?.box.querySelector(".select-foot")) closeSelect(true);
  else if (event.key.length === 1 && at >= 0) return jumpTo(all, at, event.key);
  else return;
  event.preventDefault();
}

/** @param {HTMLElement[]} all @param {number} at @param {string} letter */
function jumpTo(all, at, letter) {
  const order = [...all.slice(at + 1), ...all.slice(0, at + 1)];
  order.find((one) => one.textContent?.trim().toLowerCase().startsWith(letter.toLowerCase()))?.focus();
}

/** Place it below its button, or above if there is no room; on a narrow screen at the bottom. */
export function place() {
  if (!current) return;
  const { box, request } = current;
  const narrow = innerWidth < 600;
  box.classList.toggle("sheet", narrow);
  if (narrow) return void (box.style.cssText = "");
  const anchor = request.anchor.getBoundingClientRect();
  const above = anchor.bottom + box.offsetHeight + 8 > innerHeight && anchor.top > innerHeight - anchor.bottom;
  box.style.left = `${Math.max(8, Math.min(anchor.left, innerWidth - 8 - anchor.width))}px`;
  box.style.width = `${anchor.width}px`;
  box.style.maxHeight = `${(above ? anchor.top : innerHeight - anchor.bottom) - 16}px`;
  box.style.top = above ? `${Math.max(8, anchor.top - box.offsetHeight - 4)}px` : `${anchor.bottom + 4}px`;
}
