/** Each person's unsent text, and the suggestions for it. */

import { state } from "./state.js";

/** @typedef {import("./commands.js").Leaf} Leaf */
/** @typedef {import("./commands.js").Option} Option */
/** @typedef {import("./commands.js").Field} Field */
/** @typedef {{text: string, leaf: Leaf | null, fields: Record<string, Field>, all: boolean, error: string, wrong: string}} Draft */
/** @typedef {{label: string, detail: string, testid: string, pick: () => void, strong?: boolean}} Suggestion */

/** Each person's unsent text. @type {Map<string, Draft>} */
const drafts = new Map();
export const popup = {
  open: false,
  active: -1,
  moved: false,
  field: "",
  /** @type {{name: string, value: any}[]} */ offered: [],
  asked: 0,
  loading: false,
};

/** The draft of the current person. @returns {Draft} */
export function draft() {
  let one = drafts.get(state.person);
  if (!one) drafts.set(state.person, (one = { text: "", leaf: null, fields: {}, all: false, error: "", wrong: "" }));
  return one;
}

/** Whether the current person is in the middle of writing. */
export function isWriting() {
  return draft().text !== "" || draft().leaf !== null;
}
