// Files that are dragged onto a page, or onto a part of it that takes others than the page.
import { html, onBeforeUnmount, onMounted, ref } from "../core/html.js";

const LASTING = 700; // milliseconds without a sign of what is dragged: it has left the window

// Not of what is dragged within the page.
const hasFiles = ({ dataTransfer }) => [...(dataTransfer?.types ?? [])].some((kind) => /^files$/i.test(kind));

// What is over, and what to do with events: `take` is given the files that are dropped. What a part of
// the page has taken is not the page's any more.
function following(take) {
  const isOver = ref(false);
  let timer = 0;
  function leave() {
    clearTimeout(timer);
    isOver.value = false;
  }
  function hover(event) {
    if (!hasFiles(event)) return;
    if (event.defaultPrevented) {
      leave();
      return;
    }
    event.preventDefault();
    isOver.value = true;
    clearTimeout(timer); // a drag that ends elsewhere may end without a word
    timer = setTimeout(leave, LASTING);
  }
  function drop(event) {
    leave();
    if (!hasFiles(event) || event.defaultPrevented) return;
    event.preventDefault(); // else the browser opens the file in place of the page
    take([...event.dataTransfer.files]);
  }
  return { isOver, hover, leave, drop };
}

// Files dropped anywhere on the page, while the component is there: whether some are over it.
export function takeDrops(take) {
  const { isOver, hover, leave, drop } = following(take);
  const listen = (change) => {
    for (const name of ["dragenter", "dragover"]) window[change](name, hover);
    window[change]("drop", drop);
  };
  onMounted(() => listen("addEventListener"));
  onBeforeUnmount(() => {
    listen("removeEventListener");
    leave();
  });
  return isOver;
}

// Files dropped on an element, before the page: {isOver, on}, `on` are what the element listens to.
export function dropsOn(take) {
  const { isOver, hover, leave, drop } = following(take);
  const left = (event) => event.currentTarget.contains(event.relatedTarget) || leave();
  return { isOver, on: { onDragenter: hover, onDragover: hover, onDragleave: left, onDrop: drop } };
}

// Where files may be dropped, over the page; with `isInside` over the element that has it.
export const dropNote = (text, isInside = false) => html`
  <div class=${["eq-dropping", { "eq-inside": isInside }]} role="status"><span>${text}</span></div>`;
