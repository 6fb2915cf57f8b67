import { html, ref } from "/ui/core/html.js";
import { drawn, equal } from "./check.js";

const Box = { setup: (_, { slots }) => () => html`<section>${slots.default?.()}</section>` };

export default {
  "a part without values is a node of its own at each place": () => {
    const part = () => html`<p><b>same</b></p>`;
    equal(part().children[0] === part().children[0], false);
  },
  "children of a component are its slot, and follow what changes": async () => {
    const text = ref("a");
    const page = { render: () => html`<${Box}><p>${text.value}</p><//>` };
    await drawn(page, {}, async (place) => {
      equal(place.innerHTML, "<section><p>a</p></section>");
      text.value = "b";
      await Promise.resolve();
      equal(place.innerHTML, "<section><p>b</p></section>");
    });
    await drawn(Box, {}, (place) => equal(place.textContent, ""));
  },
  "drawings and formulas are in their namespaces": async () => {
    const page = { render: () => html`<svg><g><text>1</text></g></svg><math><mi>x</mi></math>` };
    await drawn(page, {}, (place) => {
      equal(place.querySelector("text").namespaceURI, "http://www.w3.org/2000/svg");
      equal(place.querySelector("mi").namespaceURI, "http://www.w3.org/1998/Math/MathML");
    });
  },
  "texts are never read as HTML": async () => {
    const page = { render: () => html`<p title=${"<b>"}>${"<img src=x onerror=alert(1)>"}</p>` };
    await drawn(page, {}, (place) => {
      equal(place.querySelector("img"), null);
      equal(place.textContent, "<img src=x onerror=alert(1)>");
    });
  },
  "properties that are null are left out": async () => {
    const page = { render: () => html`<a aria-current=${null} class=${{ a: true, b: false }}>x</a>` };
    await drawn(page, {}, (place) => equal(place.innerHTML, '<a class="a">x</a>'));
  },
};
