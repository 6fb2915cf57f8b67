import { html, ref } from "/ui/core/html.js";
import { checkStream, follow, get, Refusal, send } from "/ui/core/source.js";
import { drawn, equal, refuses, served, settled } from "./check.js";

const REFUSED = { error: "x is 1; expected 2", kind: "ConfigError", option: "x", given: 1, expected: "2" };

export default {
  "a document is asked for by its name": () => served(
    (address) => ({ address }),
    async () => equal(await get("games/kuhn/tree", { move: ["a", "b"] }), {
      address: "./api/games/kuhn/tree?move=a&move=b",
    }),
  ),
  "objects are sent as JSON, files as they are": async () => {
    const sent = [];
    await served((address, { method, headers, body }) => {
      sent.push([address, method, headers["Content-Type"] ?? "", body instanceof Blob ? "file" : body]);
      return { done: true };
    }, async () => {
      equal(await send("POST", "jobs", { game: "kuhn" }), { done: true });
      await send("PUT", "uploads/a.efg", new Blob(["x"]));
      await send("DELETE", "games/a");
    });
    equal(sent, [
      ["./api/jobs", "POST", "application/json", '{"game":"kuhn"}'],
      ["./api/uploads/a.efg", "PUT", "", "file"],
      ["./api/games/a", "DELETE", "", null],
    ]);
  },
  "what is refused says what, with or without a status of its own": async () => {
    for (const answer of [{ ...REFUSED, remedy: "give 2", status: 422 }, { ...REFUSED, httpStatus: 422 }]) {
      await served(() => answer, async () => {
        const error = await refuses(() => get("x"));
        equal(error instanceof Refusal, true);
        equal([error.kind, error.option, error.given, error.expected, error.status], ["ConfigError", "x", 1, "2", 422]);
        equal(error.sentence, answer.remedy ? "x is 1; expected 2; give 2" : "x is 1; expected 2");
      });
    }
  },
  "remedies for programs are not for pages": () => {
    const texts = [
      ["there is no solution 'x'; /api/solutions lists them", "there is no solution 'x'"],
      ["there is no run; solve the game; /api/jobs lists them, with states", "there is no run; solve the game"],
      ["no game 'x', or 'y' (/api/games lists them)", "no game 'x', or 'y'"],
      ["x is 1; expected 2; give 2", "x is 1; expected 2; give 2"],
    ];
    for (const [error, sentence] of texts) equal(new Refusal({ error }, 404).sentence, sentence);
  },
  "a stream is had, or refused": async () => {
    const { fetch } = window;
    let type = "text/event-stream";
    window.fetch = async () => new Response(JSON.stringify({ ...REFUSED, status: 404 }), { headers: { "Content-Type": type } });
    try {
      await checkStream("events", {});
      type = "application/json";
      equal((await refuses(() => checkStream("events", {}))).status, 404);
    } finally {
      window.fetch = fetch;
    }
  },
  "a server that is away, and one that says nothing sensible": async () => {
    await served(() => {
      throw new TypeError("away");
    }, async () => {
      const error = await refuses(() => get("x"));
      equal([error.kind, error.status, error.sentence], ["Away", 0, ""]);
    });
    await served(() => ({ httpStatus: 500 }), async () => {
      equal((await refuses(() => get("x"))).kind, "Unknown");
    });
  },
  "a late answer to an earlier question is dropped": async () => {
    const name = ref("slow");
    let answerSlow;
    const Page = {
      setup() {
        const { document, error } = follow(() => [name.value, {}]);
        return () => html`<p>${document.value?.text}${error.value?.kind}</p>`;
      },
    };
    const slow = new Promise((resolve) => (answerSlow = resolve));
    await served((address) => (address.endsWith("slow") ? slow : { text: address }), () =>
      drawn(Page, {}, async (place) => {
        name.value = "fast";
        await settled();
        equal(place.textContent, "./api/fast");
        answerSlow({ text: "late" });
        await settled();
        equal(place.textContent, "./api/fast");
      }));
  },
  "an error replaces the document, and a document the error": async () => {
    const name = ref("bad");
    const Page = {
      setup() {
        const { document, error } = follow(() => [name.value, {}]);
        return () => html`<p>${document.value?.text}${error.value?.kind}</p>`;
      },
    };
    await served((address) => (address.endsWith("bad") ? { ...REFUSED, status: 422 } : { text: "good" }), () =>
      drawn(Page, {}, async (place) => {
        for (const [asked, shown] of [["bad", "ConfigError"], ["fine", "good"], ["bad", "ConfigError"]]) {
          name.value = asked;
          await settled();
          equal(place.textContent, shown);
        }
      }));
  },
};
