// What tests of modules use: comparing, and drawing components.
import { createApp, html, nextTick } from "/ui/core/html.js";

export function equal(found, expected) {
  const [a, b] = [found, expected].map((value) => JSON.stringify(value));
  if (a !== b) throw new Error(`${a} is not ${b}`);
}

export async function refuses(act) {
  try {
    await act();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was refused");
}

// Draw a component, look at its element, and take it away.
export async function drawn(component, properties, look) {
  const place = document.body.appendChild(document.createElement("div"));
  const app = createApp({ render: () => html`<${component} ...${properties} />` });
  app.mount(place);
  try {
    await nextTick();
    await look(place);
  } finally {
    app.unmount();
    place.remove();
  }
}

// Answer what modules fetch by `answer`, which is told address and request, while something is tried.
export async function served(answer, act) {
  const { fetch } = window;
  window.fetch = async (address, request) => {
    const document = await answer(String(address), request);
    return new Response(JSON.stringify(document), { status: document.httpStatus ?? 200 });
  };
  try {
    await act();
  } finally {
    window.fetch = fetch;
  }
}

// Let everything happen that is waiting.
export const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

// Wait for what a browser does in its own time, such as closing a dialog; at most two seconds.
export async function until(holds) {
  for (let tries = 0; tries < 100 && !holds(); tries += 1) await settled();
  if (!holds()) throw new Error(`it never came: ${holds}`);
}

export const press = (key, how = {}, target = document.body) =>
  target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...how }));
