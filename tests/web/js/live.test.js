import { interruption, listen } from "/ui/core/live.js";
import { html, ref } from "/ui/core/html.js";
import { drawn, equal, served, settled } from "./check.js";

// What a browser has, without a server.
class Stream extends EventTarget {
  static CLOSED = 2;
  static all = [];
  constructor(address) {
    super();
    Object.assign(this, { address, readyState: 1 });
    Stream.all.push(this);
  }
  close() {
    this.readyState = 2;
  }
  tell(kind, document, id) {
    this.dispatchEvent(Object.assign(new Event(kind), { data: JSON.stringify(document), lastEventId: id }));
  }
}
const open = () => Stream.all.filter((one) => one.readyState !== 2).map((one) => one.address);
const last = () => Stream.all.at(-1);

function sight(state) {
  Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}

async function streaming(act) {
  const { EventSource } = window;
  [window.EventSource, Stream.all] = [Stream, []];
  try {
    await act();
  } finally {
    window.EventSource = EventSource;
    delete document.visibilityState;
  }
}

const Listener = {
  props: { topics: Array, heard: Object },
  setup(props) {
    listen(() => props.topics, {
      jobs: (document) => props.heard.list.push(["jobs", document]),
      run: (document) => props.heard.list.push(["run", document]),
    });
    return () => null;
  },
};

const several = (topics, heard) => ({
  setup: () => () => topics.value.map((some, k) => html`<${Listener} key=${k} topics=${some} heard=${heard} />`),
});

export default {
  "one stream for all who listen": () => streaming(async () => {
    const heard = { list: [] };
    await drawn(several(ref([["jobs"], ["run:x", "jobs"]]), heard), {}, async () => {
      equal(open(), ["./api/events?topics=jobs%2Crun%3Ax&refusals=silent"]);
      last().tell("run", { id: "x" }, "p-1");
      equal(heard.list, [["run", { id: "x" }], ["run", { id: "x" }]]);
      last().tell("library", { revision: "r" }, "p-2"); // which nobody asked for
      equal(heard.list.length, 2);
    });
    equal(open(), []); // nobody listens
  }),
  "none out of sight, and in sight it goes on": () => streaming(async () => {
    await drawn(several(ref([["jobs"]]), { list: [] }), {}, async () => {
      last().tell("jobs", {}, "p-7");
      sight("hidden");
      equal(open(), []);
      sight("visible");
      equal(open(), ["./api/events?topics=jobs&after=p-7&refusals=silent"]);
      window.dispatchEvent(new Event("pagehide"));
      equal(open(), []);
      window.dispatchEvent(new Event("pageshow"));
      equal(open().length, 1);
    });
    sight("visible");
    equal(open(), []);
  }),
  "other topics are told from the beginning": () => streaming(async () => {
    const topics = ref([["jobs"]]);
    await drawn(several(topics, { list: [] }), {}, async () => {
      last().tell("jobs", {}, "p-7");
      topics.value = [["jobs"], ["run:a b"]];
      await settled();
      equal(open(), ["./api/events?topics=jobs%2Crun%3Aa+b&refusals=silent"]);
      topics.value = [["jobs"], []];
      await settled();
      equal(open(), ["./api/events?topics=jobs&refusals=silent"]);
      topics.value = [];
      await settled();
      equal(open(), []);
    });
  }),
  "what ends a stream for good is said": () => streaming(async () => {
    const refusal = { error: "no job", kind: "NotFoundError", option: "job", status: 404 };
    await served(() => refusal, () => drawn(several(ref([["run:x"]]), { list: [] }), {}, async () => {
      last().close();
      last().onerror();
      await settled();
      equal(interruption.value.kind, "NotFoundError");
      equal(Stream.all.length, 1); // another try would meet the same
      sight("hidden");
      sight("visible");
      last().onopen();
      equal(interruption.value, null);
    }));
  }),
};
