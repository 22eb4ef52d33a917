/** Builds and patches DOM trees. Everything on the page comes from here: no HTML is ever parsed. */

/**
 * @typedef {Node | string | number | null | undefined | false | "" | any[]} Child
 */

/**
 * Make an element. `props` are attributes, except `class`, `vars` (CSS custom properties) and `prop` (DOM properties).
 * @param {string} tag @param {Record<string, any> | null} [props] @param {...Child} children
 * @returns {HTMLElement}
 */
export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) setProp(element, name, value);
  append(element, children);
  return element;
}

/** @param {HTMLElement} element @param {string} name @param {any} value */
function setProp(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name === "vars") for (const [key, item] of Object.entries(value)) element.style.setProperty(key, String(item));
  else if (name === "prop") Object.assign(element, value);
  else element.setAttribute(name, value === true ? "" : String(value));
}

/** @param {Node} parent @param {Child[]} children */
function append(parent, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(parent, child);
    else parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

const SVG = "http://www.w3.org/2000/svg";
const ICONS = {
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6 6 18",
  send: "M4 12h15M13 6l6 6-6 6",
  log: "M5 6h14M5 12h14M5 18h9",
  fault: "M13 3 5 14h6l-1 7 8-11h-6z",
  theme: "M12 4a8 8 0 1 0 8 8 6 6 0 0 1-8-8z",
  follow: "M4 12h11M11 7l5 5-5 5M20 5v14",
  file: "M7 3h7l4 4v14H7zM14 3v5h4",
  chevron: "M7 10l5 5 5-5",
  check: "M5 12.500 10 17 19 7",
  lock: "M7 11h10v9H7zM9 11V8a3 3 0 0 1 6 0v3",
  thread: "M5 6h14v9h-8l-4 4v-4H5z",
  news: "M4 10v4l12 4V6zM19 10v4",
  voice: "M5 10v4h3l5 4V6l-5 4zM16 9a4 4 0 0 1 0 6",
  mail: "M4 6h16v12H4zM4 7l8 6 8-6",
};

/** A line icon, hidden from screen readers. @param {keyof typeof ICONS} name */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  for (const [key, value] of Object.entries({ viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }))
    svg.setAttribute(key, value);
  path.setAttribute("d", ICONS[name]);
  svg.appendChild(path);
  return svg;
}

/** Attributes that belong to the viewer, not to the data: a patch does not change them. */
const KEPT = new Set(["style", "data-revealed", "open"]);

/**
 * Turn `old` into `fresh`, but keep elements (and so focus, selection, scroll) with the same meaning.
 * @param {Element} old @param {Element} fresh
 */
export function patch(old, fresh) {
  patchAttributes(old, fresh);
  patchChildren(old, fresh);
}

/** @param {Element} old @param {Element} fresh */
function patchAttributes(old, fresh) {
  for (const { name } of [...old.attributes])
    if (!KEPT.has(name) && !fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) {
    if (!KEPT.has(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (old instanceof HTMLElement && fresh instanceof HTMLElement && old.style.cssText !== fresh.style.cssText)
    old.style.cssText = fresh.style.cssText;
  if (old instanceof HTMLInputElement && fresh instanceof HTMLInputElement && fresh.type === "checkbox")
    old.checked = fresh.checked;
}

/** @param {Element} old @param {Element} fresh */
export function patchChildren(old, fresh) {
  const keyed = new Map([...old.children].filter(keyOf).map((child) => [keyOf(child), child]));
  let cursor = old.firstChild;
  for (const next of [...fresh.childNodes]) {
    const match = findMatch(cursor, next, keyed);
    if (!match) {
      old.insertBefore(next, cursor);
      continue;
    }
    if (match === cursor) cursor = cursor.nextSibling;
    else old.insertBefore(match, cursor);
    update(match, next);
  }
  while (cursor) {
    const gone = cursor;
    cursor = cursor.nextSibling;
    gone.remove();
  }
}

/** @param {ChildNode | null} cursor @param {ChildNode} next @param {Map<string | null, Element>} keyed */
function findMatch(cursor, next, keyed) {
  const key = keyOf(next);
  if (key) {
    const found = keyed.get(key);
    keyed.delete(key);
    return found && found.nodeName === next.nodeName ? found : null;
  }
  return cursor && !keyOf(cursor) && cursor.nodeName === next.nodeName ? cursor : null;
}

/** @param {Node} node */
function keyOf(node) {
  return node instanceof Element ? node.getAttribute("data-key") : null;
}

/** @param {ChildNode} match @param {ChildNode} next */
function update(match, next) {
  if (match instanceof Element && next instanceof Element) patch(match, next);
  else if (match.nodeValue !== next.nodeValue) match.nodeValue = next.nodeValue;
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** Replace the content of a region in place. @param {HTMLElement} region @param {...Child} children */
export function fill(region, ...children) {
  patchChildren(region, h("div", null, ...children));
}
