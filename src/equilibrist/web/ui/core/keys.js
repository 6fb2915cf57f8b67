// Keys of the whole page. The only module that listens for them on the document.
import { onBeforeUnmount, onMounted } from "./html.js";

const pages = [];
// Where keys mean something else: fields, and what says by `data-keys` that it has keys of its own.
const OWN = ["input", "select", "textarea", "summary", "dialog", "[data-keys]"].join();

function press(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.(OWN)) return;
  const name = `${event.shiftKey && event.key.length > 1 ? "Shift+" : ""}${event.key}`;
  const act = pages.findLast((keys) => name in keys)?.[name];
  if (!act) return;
  event.preventDefault();
  act();
}

// What keys do while the component is there: {ArrowRight: act, "Shift+ArrowRight": act, a: act}.
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
