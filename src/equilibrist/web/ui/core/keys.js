// Keys of the whole page. The only module that listens for them on the document.
import { onBeforeUnmount, onMounted } from "./html.js";

const pages = [];
// Where keys mean something else: fields, and what says by `data-keys` that it has keys of its own.
const OWN = ["input:not([type=range])", "select", "textarea", "summary", "dialog", "[data-keys]"].join();

// Whether a key already does something where the focus is: it presses buttons, and moves sliders.
function isTaken({ target, key }) {
  if (!target.closest) return false;
  if (target.closest(OWN)) return true;
  if (target.closest("input")) return key.length > 1; // a slider
  return (key === "Enter" || key === " ") && Boolean(target.closest("button, a"));
}

function press(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
  const name = `${event.shiftKey && event.key.length > 1 ? "Shift+" : ""}${event.key}`;
  const act = pages.findLast((keys) => name in keys)?.[name];
  if (!act) return;
  if (act() !== false) event.preventDefault();
}

// What keys do while the component is there: {ArrowRight: act, "Shift+ArrowRight": act, a: act}. An act
// that answers false leaves the key to the browser.
export function onKeys(keys) {
  onMounted(() => {
    if (!pages.length) document.addEventListener("keydown", press);
    pages.push(keys);
  });
  onBeforeUnmount(() => {
    pages.splice(pages.indexOf(keys), 1);
    if (!pages.length) document.removeEventListener("keydown", press);
  });
}
