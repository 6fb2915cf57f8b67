// HTML in template strings, and what components use to draw it. The only module that knows `lib`.
import htm from "../lib/htm.js";
import { h } from "../lib/vue.js";

export {
  computed, createApp, nextTick, onBeforeUnmount, onMounted, reactive, ref, shallowReactive, shallowRef, unref, watch,
} from "../lib/vue.js";

// The children of a component become its default slot, which it draws by `slots.default()`.
function element(tag, properties, ...children) {
  this[0] = 3; // htm would draw parts without values once and keep them, but each node is one place's
  if (typeof tag === "string") return h(tag, properties, children);
  return children.length ? h(tag, properties, { default: () => children }) : h(tag, properties);
}

// html`<p class="note">${text}</p>`: a node, or a list where there are several; ${Name} is a component.
export const html = htm.bind(element);
