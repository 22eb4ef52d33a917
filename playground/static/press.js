/** Whether something on the page is being pressed. A drawing would move it, and the press would be lost. */

const CLICK_AFTER_TOUCH_MS = 100; // a click comes right after a mouse's release, but later after a finger's

/** The pointers that are down; a timer if one was released and its click may still come. @type {Map<number, number>} */
const pointers = new Map();
let onEnd = () => {};

export const isPressing = () => pointers.size > 0;

/** @param {() => void} listener called after each press and its click */
export function watchPresses(listener) {
  onEnd = listener;
  document.addEventListener("pointerdown", onPress, true);
  document.addEventListener("pointermove", onMove, true);
  document.addEventListener("pointerup", onRelease, true);
  document.addEventListener("lostpointercapture", onRelease, true);
  document.addEventListener("pointercancel", (event) => endIn(event.pointerId, 0), true);
  document.addEventListener("click", (event) => endIn(/** @type {PointerEvent} */ (event).pointerId, 0), true);
  document.addEventListener("contextmenu", endAll, true);
  document.addEventListener("dragend", endAll, true);
  window.addEventListener("blur", endAll);
}

/** @param {PointerEvent} event */
function onPress(event) {
  if (event.button !== 0) return;
  clearTimeout(pointers.get(event.pointerId));
  pointers.set(event.pointerId, 0);
}

/** After a press on a scrollbar, some browsers report no release. @param {PointerEvent} event */
function onMove(event) {
  if (!(event.buttons & 1)) onRelease(event);
}

/** @param {PointerEvent} event */
function onRelease(event) {
  if (pointers.get(event.pointerId) === 0)
    endIn(event.pointerId, event.pointerType === "mouse" ? 0 : CLICK_AFTER_TOUCH_MS);
}

/** End a press as a task of its own, so that its click is answered first. @param {number} pointer @param {number} ms */
function endIn(pointer, ms) {
  if (!pointers.has(pointer)) return;
  clearTimeout(pointers.get(pointer));
  const timer = window.setTimeout(() => {
    pointers.delete(pointer);
    if (!isPressing()) onEnd();
  }, ms);
  pointers.set(pointer, timer);
}

function endAll() {
  for (const pointer of pointers.keys()) endIn(pointer, 0);
}
