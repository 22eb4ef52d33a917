/** The head of every drawer. */

import { h, icon } from "./dom.js";

/** @param {string} title */
export function drawerHead(title) {
  return h(
    "header",
    { class: "drawer-head" },
    h("h2", null, title),
    h(
      "button",
      {
        type: "button",
        class: "icon-button",
        "data-action": "close-drawer",
        "data-testid": "drawer-close",
        "aria-label": `Close ${title}`,
      },
      icon("close"),
    ),
  );
}
