// Keys of the whole page. The only module that listens for them on the document.
import { onBeforeUnmount, onMounted } from "./html.js";

const pages = [];
// Where keys mean something else: fields, and what says by `data-keys` that it has keys of its own.
const OWN = ["input:not([type=range])", "select", "textarea", "summary", "dialog", "[data-keys]"].join();
// Where also keys with Ctrl mean something else: dialogs, and what says by `data-keys=all`.
const COMMANDED = "dialog, [data-keys=all]";

// Whether a key already does something where the focus is: it presses buttons, and moves sliders.
function isTaken({ target, key }) {
  if (!target.closest) return false;
  if (target.closest(OWN)) return true;
  if (target.closest("input")) return key.length > 1; // a slider
  return (key === "Enter" || key === " ") && Boolean(target.closest("button, a"));
}

// What a key is called: a, Shift+ArrowRight, Ctrl+z, Ctrl+Shift+z; on a Mac the command key is Ctrl.
function nameOf({ key, ctrlKey, metaKey, shiftKey }) {
  const isCommand = ctrlKey || metaKey;
  const shift = shiftKey && (isCommand || key.length > 1) ? "Shift+" : "";
  return isCommand ? `Ctrl+${shift}${key.toLowerCase()}` : `${shift}${key}`;
}

function press(event) {
  const isCommand = event.ctrlKey || event.metaKey;
  if (event.defaultPrevented || event.altKey) return;
  if (isCommand ? event.target.closest?.(COMMANDED) : isTaken(event)) return;
  const name = nameOf(event);
  const act = pages.findLast((keys) => name in keys)?.[name];
  if (!act) return;
  if (act() !== false) event.preventDefault();
}

// What keys do while the component is there: {ArrowRight: act, "Shift+ArrowRight": act, a: act}; those
// with Ctrl also in fields. An act that answers false leaves the key to the browser.
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
