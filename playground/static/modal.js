/** Forms that the bot opens, and the enlarged view of a picture. */

import { optionsOf, selectButton } from "./components.js";
import { act } from "./connection.js";
import { h, icon } from "./dom.js";
import { markdown } from "./markdown.js";
import { limits, openSelect } from "./selects.js";
import { state } from "./state.js";

/** @typedef {{component: any, element: HTMLElement, read: () => any, isEmpty: () => boolean}} Control */
/** @typedef {{dialog: HTMLDialogElement, modal: any, controls: Map<string, Control>}} Form */

/** One form per person, kept while somebody else is played. @type {Map<string, Form>} */
const forms = new Map();

/** Show only the current person's form. */
export function renderModals() {
  for (const [person, form] of forms) if (state.modals.get(person) !== form.modal) dropForm(person, form);
  for (const [person, modal] of state.modals) if (!forms.has(person)) forms.set(person, makeForm(person, modal));
  for (const [person, { dialog }] of forms) {
    if (person !== state.person && dialog.open) dialog.close();
    if (person === state.person && !dialog.open) dialog.showModal();
  }
}

export const isModalOpen = () => forms.has(state.person);

/** @param {string} person @param {Form} form */
function dropForm(person, form) {
  form.dialog.close();
  form.dialog.remove();
  forms.delete(person);
}

/** @param {string} person @param {any} modal @returns {Form} */
function makeForm(person, modal) {
  /** @type {Map<string, Control>} */ const controls = new Map();
  const body = (modal.components ?? []).map((/** @type {any} */ one) => part(one, controls));
  const form = h(
    "form",
    { class: "modal-form", novalidate: true, method: "dialog" },
    h("header", null, h("h2", { id: `modal-title-${person}` }, modal.title), closeButton("modal-cancel")),
    h("div", { class: "modal-body" }, body),
    h("p", { class: "failed modal-error", role: "alert", "data-testid": "modal-error" }),
    h(
      "footer",
      null,
      h("button", { type: "button", class: "button secondary", "data-close": true }, "Cancel"),
      h("button", { type: "submit", class: "button primary", "data-testid": "modal-submit" }, "Submit"),
    ),
  );
  const dialog = /** @type {HTMLDialogElement} */ (
    h(
      "dialog",
      {
        class: "modal",
        "data-testid": "modal",
        "data-custom-id": modal.custom_id,
        "aria-labelledby": `modal-title-${person}`,
      },
      form,
    )
  );
  const made = { dialog, modal, controls };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit(person, made);
  });
  dialog.addEventListener("click", (event) => {
    if (/** @type {Element} */ (event.target).closest("[data-close]")) cancel(person);
  });
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    cancel(person);
  });
  document.body.append(dialog);
  return made;
}

/** @param {string} testid */
const closeButton = (testid) =>
  h(
    "button",
    { type: "button", class: "icon-button", "data-close": true, "data-testid": testid, "aria-label": "Close" },
    icon("close"),
  );

/** @param {string} person */
function cancel(person) {
  state.modals.delete(person);
  renderModals();
}

/** @param {any} component @param {Map<string, Control>} controls @returns {import("./dom.js").Child} */
function part(component, controls) {
  if (component.type === 10) return h("div", { class: "markdown" }, markdown(component.content ?? ""));
  if (component.type === 1)
    return component.components.map((/** @type {any} */ one) => field(one, one.label, "", controls));
  if (component.type === 18) return field(component.component, component.label, component.description, controls);
  return h("p", { class: "unknown" }, `[component of type ${component.type}]`);
}

/** @param {any} component @param {string} label @param {string} description @param {Map<string, Control>} controls */
function field(component, label, description, controls) {
  const id = `modal-${component.custom_id}`;
  const control = makeControl(component, id);
  controls.set(component.custom_id, control);
  const needed =
    component.required !== false && component.type !== 23 && h("span", { class: "needed", title: "Required" }, " *");
  const group = [21, 22].includes(component.type);
  if (description) control.element.setAttribute("aria-describedby", `${id}-help`);
  if (group) control.element.setAttribute("aria-labelledby", `${id}-label`);
  return h(
    "div",
    { class: "modal-field" },
    h(group ? "span" : "label", { for: group ? null : id, id: `${id}-label`, class: "field-label" }, label, needed),
    description && h("p", { class: "subtext", id: `${id}-help` }, description),
    control.element,
  );
}

/** @param {any} component @param {string} id @returns {Control} */
function makeControl(component, id) {
  if (component.type === 4) return textControl(component, id);
  if (component.type === 21 || component.type === 22) return choiceControl(component, id);
  if (component.type === 23) return checkControl(component, id);
  if ([3, 5, 6, 7, 8].includes(component.type)) return selectControl(component, id);
  return {
    component,
    element: h("p", { class: "unknown" }, `[input of type ${component.type}]`),
    read: () => ({ values: [] }),
    isEmpty: () => false,
  };
}

/** @param {any} component @param {string} id @returns {Control} */
function textControl(component, id) {
  const long = component.style === 2;
  const props = {
    id,
    class: "text-input",
    "data-custom-id": component.custom_id,
    placeholder: component.placeholder,
    maxlength: component.max_length ?? 4000,
    "aria-required": component.required === false ? null : "true",
    autocomplete: "off",
    prop: { value: component.value ?? "" },
  };
  const element = /** @type {HTMLInputElement} */ (
    long ? h("textarea", { ...props, rows: 5 }) : h("input", { ...props, type: "text" })
  );
  return { component, element, read: () => ({ value: element.value }), isEmpty: () => element.value.trim() === "" };
}

/** @param {any} component @param {string} id @returns {Control} */
function selectControl(component, id) {
  let values = optionsOf(component)
    .filter((option) => option.default)
    .map((option) => option.value);
  const element = h("div", { class: "select-holder" });
  const draw = () => {
    const chosen = values.map((value) => optionsOf(component).find((option) => option.value === value)).filter(Boolean);
    element.replaceChildren(
      selectButton(component, chosen, { id, class: "select", "data-custom-id": component.custom_id }),
    );
  };
  element.addEventListener("click", (event) => {
    const anchor = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".select"));
    if (!anchor) return;
    event.stopPropagation();
    openSelect({
      anchor,
      component,
      chosen: values,
      onDone: (picked) => {
        values = picked;
        draw();
        /** @type {HTMLElement} */ (element.firstElementChild).focus();
      },
    });
  });
  draw();
  return { component, element, read: () => ({ values }), isEmpty: () => values.length === 0 };
}

/** Radio buttons (21) and check boxes (22). @param {any} component @param {string} id @returns {Control} */
function choiceControl(component, id) {
  const one = component.type === 21;
  const rows = (component.options ?? []).map((/** @type {any} */ option) =>
    h(
      "label",
      { class: "choice" },
      h("input", { type: one ? "radio" : "checkbox", name: id, "data-value": option.value, checked: option.default }),
      h(
        "span",
        null,
        option.label,
        option.description && h("span", { class: "select-option-detail" }, option.description),
      ),
    ),
  );
  const element = h(
    "div",
    { role: one ? "radiogroup" : "group", id, class: "choices", "data-custom-id": component.custom_id },
    rows,
  );
  const values = () => [...element.querySelectorAll("input:checked")].map((input) => input.getAttribute("data-value"));
  return {
    component,
    element,
    read: () => (one ? { value: values()[0] ?? null } : { values: values() }),
    isEmpty: () => values().length === 0,
  };
}

/** @param {any} component @param {string} id @returns {Control} */
function checkControl(component, id) {
  const element = /** @type {HTMLInputElement} */ (
    h("input", {
      type: "checkbox",
      id,
      class: "check",
      "data-custom-id": component.custom_id,
      checked: component.default,
    })
  );
  return { component, element, read: () => ({ value: element.checked }), isEmpty: () => false };
}

/** What is wrong with an answer, as a sentence. @param {Control} control */
function complaint({ component, read, isEmpty }) {
  if (isEmpty())
    return component.required === false || component.min_values === 0 ? "" : "Please fill in the fields marked with *.";
  const { value, values } = read();
  if (component.type === 4 && value.length < (component.min_length ?? 0))
    return `At least ${component.min_length} characters, please.`;
  const [least, most] = limits(component);
  if (values && component.type !== 22 && (values.length < least || values.length > most))
    return `Please choose ${least === most ? least : `${least} to ${most}`}.`;
  return "";
}

/** A filled form in the form that Discord sends. @param {Form} form @param {any} component */
function answerOf(form, component) {
  const inner = (/** @type {any} */ one) => ({
    type: one.type,
    ...(one.id === undefined ? {} : { id: one.id }),
    custom_id: one.custom_id,
    ...form.controls.get(one.custom_id)?.read(),
  });
  const id = component.id === undefined ? {} : { id: component.id };
  if (component.type === 1) return { type: 1, ...id, components: component.components.map(inner) };
  if (component.type === 18) return { type: 18, ...id, component: inner(component.component) };
  return { type: component.type, ...id, content: component.content };
}

/** @param {string} person @param {Form} form */
async function submit(person, form) {
  const bad = [...form.controls.values()].find((control) => complaint(control));
  if (bad) {
    showError(form, complaint(bad));
    focusControl(bad);
    return;
  }
  const button = /** @type {HTMLButtonElement} */ (form.dialog.querySelector("[type=submit]"));
  showError(form, "");
  button.disabled = true;
  try {
    const answer = await act(
      {
        do: "modal",
        interaction_id: form.modal.interaction_id,
        custom_id: form.modal.custom_id,
        components: (form.modal.components ?? []).map((/** @type {any} */ one) => answerOf(form, one)),
        wait: true,
      },
      person,
    );
    if (answer.responded === false) showError(form, "Something went wrong. Try again.");
    else if (state.modals.get(person) === form.modal) cancel(person);
  } catch (error) {
    showError(form, /** @type {Error} */ (error).message);
  } finally {
    button.disabled = false;
  }
}

/** @param {Control} control */
function focusControl({ element }) {
  const inner = element.matches("input, textarea") ? element : element.querySelector("button, input");
  /** @type {HTMLElement | null} */ (inner)?.focus();
}

/** @param {Form} form @param {string} text */
function showError(form, text) {
  const place = form.dialog.querySelector(".modal-error");
  if (place) place.textContent = text;
}

/** A picture that fills the window. @param {string} src @param {string} alt */
export function enlarge(src, alt) {
  const close = h(
    "button",
    { type: "button", class: "icon-button", "aria-label": "Close", "data-testid": "lightbox-close" },
    icon("close"),
  );
  const dialog = /** @type {HTMLDialogElement} */ (
    h(
      "dialog",
      { class: "lightbox", "data-testid": "lightbox", "aria-label": alt || "Picture" },
      h(
        "div",
        { class: "lightbox-bar" },
        h("a", { href: src, target: "_blank", rel: "noopener noreferrer" }, "Open original"),
        close,
      ),
      h("img", { src, alt }),
      alt && h("p", { class: "lightbox-alt" }, alt),
    )
  );
  dialog.addEventListener("click", (event) => {
    if (!(event.target instanceof HTMLAnchorElement) && !(event.target instanceof HTMLImageElement)) dialog.close();
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
