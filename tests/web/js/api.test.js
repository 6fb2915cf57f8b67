import { found, questionOf, requestsOf } from "/ui/pages/api/requests.js";
import { Asking } from "/ui/pages/api/asking.js";
import { Fields, limitsText, partsOf, typeText } from "/ui/pages/api/schemas.js";
import { drawn, equal, served, settled } from "./check.js";

const REF = { $ref: "#/components/schemas/Tree" };
const PARAMETERS = [
  { name: "game", in: "path", schema: { type: "string" } },
  { name: "move", in: "query", schema: { type: "array", items: { type: "string" } } },
  { name: "count", in: "query", schema: { type: "integer", minimum: 1, default: 5 } },
];

export default {
  "types in a few words": () => {
    equal([{ type: "string" }, REF, { type: "array", items: REF }, { anyOf: [{ type: "number" }, { type: "null" }] },
      { type: "object", additionalProperties: { type: "number" } }, { const: "spot" }, { enum: ["a", "b"] }, {},
      { type: "array", prefixItems: [{ type: "integer" }, REF] }].map(typeText),
    ["string", "Tree", "list of Tree", "number or null", "object of number by name", '"spot"', '"a" | "b"',
      "anything", "[integer, Tree]"]);
    equal(partsOf({ anyOf: [{ type: "array", items: REF }, REF, { type: "null" }] }), ["Tree"]);
    equal(limitsText({ minimum: 1, maximum: 9, maxLength: 1, default: 2 }),
      "at least 1; at most 9; at most 1 character; otherwise 2");
    equal(limitsText({ default: "" }), "");
  },
  "requests are found by words of their paths and descriptions": () => {
    const requests = requestsOf({ paths: {
      "/api/jobs": { get: { operationId: "a", tags: ["Jobs"], description: "All of them" }, post: { operationId: "b" } },
      "/api/games": { get: { operationId: "c", tags: ["Games"] } },
    } });
    equal(requests.map(({ method, path, tag }) => [method, path, tag]),
      [["GET", "/api/jobs", "Jobs"], ["POST", "/api/jobs", ""], ["GET", "/api/games", "Games"]]);
    const ids = (search) => found(requests, search).map(({ id }) => id);
    equal([ids("get JOBS"), ids("them"), ids(""), ids("nothing")], [["a"], ["a"], ["a", "b", "c"], []]);
  },
  "what the fields have is asked": () => {
    equal(questionOf("/api/games/{game}/tree", PARAMETERS, { game: " a/b(c=1) ", move: "x, y", count: "" }),
      ["/api/games/a%2Fb(c%3D1)/tree", { move: ["x", "y"] }]);
  },
  "an answer is shown, or why there is none": () => served(
    (address) => (address.includes("none") ? { error: "no such game", kind: "X", status: 404 } : { address }),
    () => drawn(Asking, { path: "/api/games/{game}/tree", parameters: PARAMETERS, isDocument: true }, async (place) => {
      const [game] = place.querySelectorAll("input");
      for (const [name, shown] of [["kuhn", "./api/games/kuhn/tree"], ["none", "no such game"]]) {
        game.value = name;
        game.dispatchEvent(new Event("input"));
        await settled();
        place.querySelector("button").click();
        await settled();
        equal(place.querySelector("pre, .eq-notice").textContent.includes(shown), true);
      }
      equal(place.querySelector("a").textContent, "/api/games/none/tree");
    }),
  ),
  "the fields of a document are drawn once it is opened": () => {
    const schemas = { Tree: { properties: { nodes: { type: "array", items: REF }, name: { type: "string" } }, required: ["name"] } };
    return drawn(Fields, { name: "Tree", schemas }, async (place) => {
      equal(place.querySelectorAll("tr").length, 0);
      place.querySelector("details").open = true;
      await settled();
      equal([...place.querySelectorAll("tbody th")].map((one) => one.textContent), ["nodes", "name"]);
      equal(place.querySelectorAll("details details").length, 1);
    });
  },
};
