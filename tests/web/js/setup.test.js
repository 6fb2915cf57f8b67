import { html, shallowRef } from "/ui/core/html.js";
import { openDraft } from "/ui/core/drafts.js";
import { lines, Refusal } from "/ui/core/source.js";
import { faultText } from "/ui/pages/setup/faults.js";
import { Files } from "/ui/pages/setup/files.js";
import { openHands } from "/ui/pages/setup/hands.js";
import { RangePanel } from "/ui/pages/setup/ranges.js";
import { Sizes } from "/ui/pages/setup/sizes.js";
import { Solving } from "/ui/pages/setup/solving.js";
import { openStore } from "/ui/pages/setup/store.js";
import { CardPicker } from "/ui/parts/card_picker.js";
import { dropsOn, takeDrops } from "/ui/parts/dropping.js";
import { RangeEditor } from "/ui/parts/range_editor.js";
import { CLASS_NAMES, comboName } from "/ui/poker/cards.js";
import { best, changed, COMBOS, inverted, noHands, textOf, total } from "/ui/poker/ranges.js";
import { drawn, equal, press, served, settled, until } from "./check.js";

const comboNames = (combos) => combos.map(comboName);
const file = (name, text = "") => new File([text], name);

// Files are dragged over a target, or dropped on it.
function drag(kind, files, target = document.body) {
  const dataTransfer = new DataTransfer();
  for (const one of files) dataTransfer.items.add(one);
  if (!files.length) dataTransfer.setData("text/plain", "AA");
  const event = new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer });
  target.dispatchEvent(event);
  return event;
}

// What panels of the form know, without a server.
function panelStore(change) {
  const form = shallowRef({ oop: "", ip: "", board: "" });
  return {
    form, kinds: {}, checked: shallowRef(null), hands: { weights: { oop: noHands(), ip: noHands() }, paint: () => {} },
    faultOf: () => null, leave: () => {}, isOfThree: shallowRef(false), has: () => true,
    change: (values) => { form.value = { ...form.value, ...values }; change(values); },
  };
}

const combosOf = (name) => COMBOS[CLASS_NAMES.indexOf(name)];
const weighted = (hands) =>
  changed(noHands(), Object.entries(hands).flatMap(([name, weight]) => combosOf(name).map((combo) => [combo, weight])));
const KINDS = { oop: "range", ip: "range", pot: "chips", board: "board", oop_bets_flop: "sizes", merge: "share" };
const BLANK = { oop: "", ip: "", pot: "", board: "", locks: [] };
const answers = (errors, spot = null) => ({ spot, errors, warnings: [], estimate: null, first_street: null, locks: [] });

// A store in a component, with what is answered to each check.
async function withStore(check, act, begun = BLANK) {
  const asked = [];
  const answer = (address, request) => {
    const body = JSON.parse(request.body);
    if (address.includes("ranges/read")) return { range: body.text, weights: Array.from(noHands()) };
    asked.push(body.form);
    return check(body.form);
  };
  let store = null;
  const kept = [];
  const Page = {
    setup() {
      store = openStore(begun, KINDS, (form) => kept.push(form), ["middle", "stack_oop"]);
      return () => null;
    },
  };
  await served(answer, () => drawn(Page, {}, () => act(store, asked, kept)));
}

export default {
  "texts of weights": () => {
    equal(textOf(noHands()), "");
    equal(textOf(weighted({ AA: 1, AKs: 0.5, "72o": 1 / 3 })), "AA,AKs:0.5,72o:0.333333");
    const one = changed(noHands(), [[combosOf("AA")[5], 1], [combosOf("AA")[0], 0.25]]);
    equal(textOf(one), "AdAc:0.25,AsAh");
    equal(total(inverted(weighted({ AA: 1, KK: 0.3 }))).toFixed(6), (1326 - 6 - 0.3 * 6).toFixed(6));
    equal(textOf(inverted(inverted(weighted({ KK: 0.3 })))), "KK:0.3");
  },
  "the best hands are whole classes as long as they fit": () => {
    const ranking = ["AA", "AKo", "22"].map((name) => CLASS_NAMES.indexOf(name));
    equal(textOf(best(ranking, 6 / 1326)), "AA");
    equal(textOf(best(ranking, 17 / 1326)), "AA");
    equal(textOf(best(ranking, 1)), "AA,AKo,22");
    equal(textOf(best(ranking, 0)), "");
  },
  "what is wrong is said in a player's words where that is certain": () => {
    const text = (fault, kind, value) => faultText({ given: null, option: null, kind: "ConfigError", ...fault }, kind, value);
    const has = (found, part) => equal([found, found?.includes(part)], [found, true]);
    has(text({ field: "pot" }, "chips", " "), "180");
    has(text({ field: "pot", given: "x" }, "chips", "x"), "180");
    equal(text({ field: "pot", option: "pot", given: "0.5" }, "chips", "0.5"), null); // it does not fit the unit
    for (const value of ["0", "-5", "1e9", "1,000", "1.23456"]) has(text({ field: "stack" }, "chips", value), "97.5");
    const range = { field: "oop", kind: "RangeSyntaxError" };
    has(text({ ...range, option: "range", given: "Qx" }, "range", "AA,Qx"), "“Qx”");
    has(text({ ...range, option: "weight", given: "2" }, "range", "AA:2"), "“2”");
    has(text({ field: "oop", option: "oop", given: "AsAhAd" }, "range", "AA"), "board");
    has(text({ field: "oop" }, "range", "AA:0"), "Give the hands");
    has(text({ field: "", option: "ranges", given: "0.0" }, null, null), "No deal");
    equal(text({ field: "" }, null, null), null);
    has(text({ field: "board", kind: "CardSyntaxError" }, "board", "QsQs2h"), "different");
    equal(text({ field: "board", given: "6h" }, "board", "Td9d6h"), null); // the deck lacks it
    const locks = { field: "locks", option: "locks", expected: "4 or 5 cards" };
    has(text(locks, "locks", [": X 1"]), "three players");
    has(text({ field: "stack_ip", option: "stack" }, "chips", "x"), "all-in");
    has(text({ field: "", option: "stacks" }, null, null), "Nobody can bet");
    has(text({ field: "oop_bets_flop", kind: "BetSizeSyntaxError", given: "2q" }, "sizes", "2q"), "“2q”");
    has(text({ field: "oop_bets_flop", kind: "TooLargeError", given: 40 }, "sizes", "1%"), "30");
    equal(text({ field: "oop_bets_flop", given: "1|2" }, "sizes", "1|2"), null);
    has(text({ field: "merge" }, "share", "x"), "10%");
    equal([text({ field: "merge" }, "share", "500%"), text({ field: "target" }, "run", "100000c")], [null, null]);
    for (const target of ["x", "0", "-1%"]) has(text({ field: "target" }, "run", target), "0.3%");
    has(text({ field: "threads" }, "run", "0"), "whole number");
    equal(text({ field: "threads" }, "run", "9999"), null);
    has(text({ field: "algorithm", kind: "UnknownNameError", given: "foo" }, "run", "foo"), "foo");
    equal(text({ field: "added_lines", option: "line", given: "Z" }, "lines", ["Z"]), null);
    equal(text({ ...range, given: "y".repeat(500) }, "range", "y").length < 200, true);
  },
  "errors are shown once a field was left, or a spot is wanted": async () => {
    const errors = [{ field: "pot" }, { field: "oop" }];
    await withStore(() => answers(errors), async (store) => {
      await until(() => store.checked.value);
      equal([store.faultOf("pot"), store.faultOf("oop")], [null, null]);
      store.leave("pot");
      equal([store.faultOf("pot")?.field, store.faultOf("oop")], ["pot", null]);
      store.replace({ ...BLANK, pot: "1" }); // another form, in which nothing was left
      equal(store.faultOf("pot"), null);
      equal(await store.spot(), null);
      equal([store.faultOf("pot").field, store.faultOf("oop").field], ["pot", "oop"]);
    });
  },
  "a spot is that of the form as it is, also if that changes meanwhile": async () => {
    await withStore(({ pot }) => answers([], `pot ${pot}`), async (store, asked, kept) => {
      store.change({ pot: "1" }, "pot");
      const wanted = store.spot();
      store.change({ pot: "12" }, "pot");
      equal(await wanted, "pot 12");
      equal(asked.at(-1).pot, "12");
      equal(kept.map(({ pot }) => pot), ["1", "12"]);
      store.history.undo();
      equal([store.form.value.pot, store.history.canUndo.value, store.history.canRedo.value], ["", false, true]);
      store.history.redo();
      equal([await store.spot(), kept.at(-1).pot], ["pot 12", "12"]);
    });
  },
  "three players have a stack each, and two what the shortest has": async () => {
    const begun = { ...BLANK, players: "2", stack: "90", stack_oop: "", stack_middle: "", stack_ip: "" };
    await withStore(() => answers([]), async (store) => {
      store.choosePlayers("3");
      equal([store.isOfThree.value, store.seats()], [true, ["oop", "middle", "ip"]]);
      equal(["oop", "middle", "ip"].map((seat) => store.form.value[`stack_${seat}`]), ["90", "90", "90"]);
      equal(["middle", "deck"].map(store.has), [true, false]);
      store.change({ stack: "", stack_middle: "40", stack_ip: "0" });
      store.choosePlayers("2");
      equal([store.form.value.stack, ...["middle", "deck"].map(store.has)], ["40", false, true]);
      store.history.undo();
      equal(store.form.value.players, "3");
    }, begun);
  },
  "why nothing is said of a form is told, and then asked again": async () => {
    let turn = 0;
    const busy = { error: "busy", kind: "LimitError", status: 429, httpStatus: 429 };
    await withStore(() => ((turn += 1) === 1 ? busy : answers([], "it")), async (store) => {
      await until(() => store.problem.value);
      equal(store.problem.value.kind, "LimitError");
      store.change({ pot: "3" });
      await until(() => store.checked.value);
      equal([store.problem.value, store.checked.value.spot], [null, "it"]);
    });
  },
  "painted hands are written as the server writes them, unless something came meanwhile": async () => {
    const form = shallowRef({ oop: "", ip: "" });
    const steps = [];
    const put = (values) => (form.value = { ...form.value, ...values });
    const hands = openHands((seat) => form.value[seat], (values) => { steps.push(values); put(values); }, put);
    const known = { "AA,KK": ["KK+", weighted({ AA: 1, KK: 1 })], QQ: ["QQ", weighted({ QQ: 1 })] };
    const answer = (_, request) => {
      const [range, weights] = known[JSON.parse(request.body).text] ?? ["?", noHands()];
      return { range, weights: Array.from(weights) };
    };
    await served(answer, async () => {
      hands.follow();
      await hands.paint("oop", () => weighted({ AA: 1, KK: 1 }));
      equal([form.value.oop, steps], ["KK+", [{ oop: "AA,KK" }]]);
      const painting = hands.paint("oop", (weights) => changed(weights, combosOf("JJ").map((combo) => [combo, 1])));
      equal(form.value.oop, "AA,KK,JJ"); // at once
      put({ oop: "QQ" }); // typed before the answer
      hands.follow();
      await painting;
      await until(() => textOf(hands.weights.oop) === "QQ");
      equal(form.value.oop, "QQ");
      put({ oop: "AA,KK" }); // a text that is known is shown at once
      hands.follow();
      equal(textOf(hands.weights.oop), "AA,KK");
      put({ ip: "QQ" }); // painted before the text was read: to its hands
      await hands.paint("ip", (weights) => changed(weights, combosOf("22").map((combo) => [combo, 1])));
      equal(steps.at(-1), { ip: "QQ,22" });
    });
  },
  "a stroke clears or sets, and suits are chosen one by one": async () => {
    const weights = shallowRef(weighted({ AA: 1, KK: 0.5 }));
    const paint = (how) => (weights.value = how(weights.value));
    const Page = {
      setup: () => () =>
        html`<${RangeEditor} weights=${weights.value} ranking=${[0, 14]} label="Range" onPaint=${paint} />`,
    };
    await drawn(Page, {}, async (place) => {
      const cell = (hand) => [...place.querySelectorAll("[role=gridcell]")][CLASS_NAMES.indexOf(hand)];
      equal([cell("AA"), cell("KK"), cell("QQ")].map((one) => one.getAttribute("aria-label")), ["AA 100%", "KK 50%", "QQ 0%"]);
      cell("AA").focus();
      press(" ", {}, cell("AA"));
      await settled();
      equal(textOf(weights.value), "KK:0.5");
      press("ArrowRight", { shiftKey: true }, cell("AA")); // goes on with what the last one did
      press(" ", {}, document.activeElement);
      await settled();
      equal(textOf(weights.value), "AKs,KK:0.5");
      press("s", {}, document.activeElement);
      await until(() => place.querySelector("dialog").open);
      place.querySelector(".eqp-suits-grid button").click();
      await settled();
      equal(textOf(weights.value), "AcKc,AdKd,AhKh,KK:0.5");
      place.querySelector("dialog").close();
    });
  },
  "only the combos of chosen suits are painted, by the brush and in the whole range": async () => {
    const weights = shallowRef(weighted({ AA: 1, AKo: 1, AKs: 1, "32s": 1 }));
    const steps = [];
    const paint = (how) => steps.push((weights.value = how(weights.value)));
    const Page = {
      setup: () => () => html`<${RangeEditor} weights=${weights.value} ranking=${[]} label="Range" onPaint=${paint} />`,
    };
    const held = (hand) => comboNames(combosOf(hand).filter((combo) => weights.value[combo] > 0));
    await drawn(Page, {}, async (place) => {
      const cell = (hand) => place.querySelector(`[data-place="${CLASS_NAMES.indexOf(hand)}"]`);
      const named = (label) => [...place.querySelectorAll("button")].find((one) =>
        [one.getAttribute("aria-label"), one.textContent.trim()].includes(label));
      const choose = async (label) => { named(label).click(); await settled(); };
      const dab = async (hand) => { press(" ", {}, (cell(hand).focus(), cell(hand))); await settled(); };
      const pressed = () => [...place.querySelectorAll(".eqp-suit-pairs [aria-pressed=true]")].length;
      place.querySelector(".eqp-suit-brush").open = true;
      equal(pressed(), 25);
      await choose("All suits"); // which leaves none
      equal(pressed(), 0);
      await dab("AKo");
      equal([held("AKo").length, steps.length], [12, 0]); // nothing is painted, and no step is made
      await choose("The higher card of spades, the lower one of hearts");
      await dab("AKo");
      equal([held("AKo").length, held("AKo").includes("AsKh"), held("AKo").includes("AhKs")], [11, false, true]);
      await dab("AKo"); // back, as all that is painted has another weight
      equal(held("AKo").length, 12);
      await dab("AA"); // whose cards have one rank
      equal([held("AA").length, held("AA").includes("AsAh")], [5, false]);
      await dab("AKs"); // it has no such combo
      equal(held("AKs").length, 4);
      await choose("Suited");
      equal(pressed(), 4);
      await choose("All with a higher card of diamonds");
      equal(pressed(), 8); // four pairs, their row, and three suited ones of others
      const slider = place.querySelector("[type=number]");
      slider.value = "0";
      slider.dispatchEvent(new Event("input"));
      await choose("Paint these of the whole range");
      equal([held("AKs"), held("32s"), held("AKo").length], [[], [], 9]);
      const first = place.querySelector("[data-at='6']");
      first.focus();
      press("ArrowRight", {}, first);
      equal(document.activeElement.dataset.at, "7");
      press("ArrowUp", {}, document.activeElement);
      press("ArrowUp", {}, document.activeElement); // the headings end it
      await settled();
      equal([document.activeElement.dataset.at, document.activeElement.tabIndex], ["2", 0]);
    });
  },
  "a file is dropped where it is over: on a part of the page, or on the page": async () => {
    const taken = [];
    const Page = {
      setup() {
        const isOver = takeDrops((files) => taken.push(["page", ...files.map(({ name }) => name)]));
        const part = dropsOn((files) => taken.push(["part", ...files.map(({ name }) => name)]));
        return () => html`
          <p id="rest">${isOver.value && "over the page"}</p>
          <div id="part" ...${part.on}>${part.isOver.value && "over the part"}<i></i></div>`;
      },
    };
    await drawn(Page, {}, async (place) => {
      const [rest, part] = ["#rest", "#part"].map((name) => place.querySelector(name));
      const over = async (target) => (drag("dragover", [file("a.txt")], target), await settled());
      await over(rest);
      equal([rest.textContent, part.textContent], ["over the page", ""]);
      await over(part.querySelector("i"));
      equal([rest.textContent, part.textContent], ["", "over the part"]);
      equal(drag("drop", [file("a.txt"), file("b.txt")], part.querySelector("i")).defaultPrevented, true);
      equal(drag("drop", [file("c.txt")], rest).defaultPrevented, true);
      await settled();
      equal([taken, rest.textContent, part.textContent], [[["part", "a.txt", "b.txt"], ["page", "c.txt"]], "", ""]);
      equal(drag("dragover", [], rest).defaultPrevented, false); // of a range that is dragged to a folder
      await over(rest);
      await until(() => rest.textContent === ""); // what is dragged has left the window
    });
    equal(drag("drop", [file("a.txt")]).defaultPrevented, false);
  },
  "a file with a range goes into the range that it is dropped on, or is refused there": async () => {
    const changes = [];
    const store = panelStore((values) => changes.push(values));
    const library = { presets: [], solved: [], own: [], dialects: [], ranking: [] };
    const answer = (address, request) => {
      const { text } = JSON.parse(request.body);
      return text === "KK,AA" ? { range: "KK+", weights: [] } : { error: "no", kind: "RangeSyntaxError", httpStatus: 422 };
    };
    await served(answer, () => drawn(RangePanel, { store, seat: "ip", library }, async (place) => {
      const grid = place.querySelector("[role=grid]");
      drag("drop", [file("bad.txt", "a letter")], grid);
      await until(() => place.querySelector(".eq-notice"));
      equal([changes, place.querySelector(".eq-notice").textContent.includes("bad.txt")], [[], true]);
      drag("drop", [file("large.txt", "A".repeat(200_000))], grid);
      await until(() => place.querySelector(".eq-notice").textContent.includes("large.txt"));
      drag("drop", [file("good.txt", "KK,AA")], grid);
      await until(() => changes.length);
      equal([changes, place.querySelector(".eq-notice")], [[{ ip: "KK+" }], null]);
    }));
  },
  "a file that is dropped on the page is imported as a chosen one is": async () => {
    const asked = [];
    const forms = [];
    const store = { ...panelStore(() => {}), replace: (form) => forms.push(form) };
    const answer = (address, request) => {
      asked.push(JSON.parse(request.body).text);
      const isRead = asked.at(-1) === "a set-up";
      return isRead ? { form: { pot: "9" }, left_out: [], omissions: [] } : { error: "no", kind: "ConfigError", httpStatus: 422 };
    };
    await served(answer, () => drawn(Files, { store, forms: {} }, async (place) => {
      drag("drop", [file("x.txt", "a letter")]);
      await until(() => place.querySelector("dialog .eq-notice"));
      equal([asked, place.querySelector("textarea").value], [["a letter"], "a letter"]);
      drag("drop", [file("y.txt", "a set-up")]);
      await until(() => !place.querySelector("dialog"));
      equal([asked.at(-1), forms], ["a set-up", [{ pot: "9" }]]);
    }));
  },
  "what may not be meant, and what would fit, is said in the reader's language": async () => {
    const lists = [{ seat: "oop", kind: "raises", street: "river" }, { seat: "ip", kind: "bets", street: "turn" }];
    const warning = { option: "add_all_in", code: "left-out", lists, text: "all_in_without_sizes" };
    const store = { ...panelStore(() => {}), first: shallowRef(0), replace: () => {} };
    store.checked = shallowRef({ warnings: [warning], estimate: { fits: false, limit_bytes: 1e9 } });
    await drawn(Sizes, { store }, (place) => {
      const said = place.querySelector("[data-option=add_all_in]");
      equal(["River: raises out of position, Turn: bets in position", "all_in_without"].map((part) =>
        said.textContent.includes(part)), [true, false]);
    });
    const blank = { size: null, street: null, seat: null, figure: null };
    const steps = [
      { ...blank, code: "storage" }, { ...blank, code: "bet", size: "33%", street: "turn" },
      { ...blank, code: "raise", size: "2.5x", street: "river", seat: "ip" }, { ...blank, code: "raise-cap", figure: 1 },
      { ...blank, code: "merge", figure: 0.1 },
    ];
    const found = shallowRef([{ reduction: { steps, num_bytes: 5e8 }, form: {} }]);
    const refusal = new Refusal({ kind: "LimitError", error: "busy" }, 429);
    const fitting = { found, end: shallowRef({ end: "error", error: refusal }), isSought: shallowRef(false) };
    await drawn(Solving, { store, fitting }, (place) => {
      equal(place.querySelector(".su-fits button").textContent.replace(/\s+/g, " ").trim(),
        "16-bit storage, Turn: no 33% bet, River: no 2.5x raise in position, at most 1 raise on a street, " +
        "sizes within 10% of each other merged: 500.0 MB");
      equal(place.querySelector(".eq-notice") !== null, true);
    });
  },
  "cards are chosen up to as many as there may be": async () => {
    const told = [];
    await drawn(CardPicker, { chosen: ["As", "Kh"], most: 3, label: "Board", lowest: "6", onChoose: (cards) => told.push(cards) },
      (place) => {
        const button = (name) => [...place.querySelectorAll("button")].find((one) => one.getAttribute("aria-label") === name);
        equal(button("ace of spades").getAttribute("aria-pressed"), "true");
        equal([button("2 of clubs").disabled, button("6 of clubs").disabled], [true, false]);
        button("ace of spades").click();
        button("ten of diamonds").click();
        equal(told, [["Kh"], ["As", "Kh", "Td"]]);
      });
  },
  "lines are told as they come, also in pieces": async () => {
    const { fetch } = window;
    const heard = [];
    const encoder = new TextEncoder();
    const stream = (parts) => new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(encoder.encode(part));
        controller.close();
      },
    });
    const headers = { "content-type": "application/x-ndjson" };
    window.fetch = async () => new Response(stream(['{"n": 1}\n{"n"', ": 2}\n", '{"n": "ä"}']), { headers });
    try {
      await lines("setup/fitting", {}, (line) => heard.push(line.n));
      equal(heard, [1, 2, "ä"]);
      window.fetch = async () => new Response('{"error": "no", "kind": "WebError"}', { status: 422 });
      await lines("setup/fitting", {}, () => {}).then(() => equal(1, 2), (refusal) => equal(refusal.kind, "WebError"));
    } finally {
      window.fetch = fetch;
    }
  },
  "drafts: a tab has its own, a new one a copy of the newest, and at most thirty are kept": async () => {
    localStorage.clear();
    sessionStorage.clear();
    const names = [];
    const first = openDraft("", false, (id) => names.push(id));
    equal(first.value, null);
    first.keep({ pot: "1" });
    const later = [];
    const again = openDraft(names[0], false, (id) => later.push(id));
    equal(again.value, { pot: "1" });
    await until(() => later.length === 2); // both were at one address: the second one goes on under another name
    equal([later[0] === names[0], later[1] === names[0], names.length], [true, false, 1]);
    sessionStorage.clear();
    const other = openDraft("", false, (id) => names.push(id));
    equal(other.value, { pot: "1" });
    equal(names.at(-1) === names[0], false);
    const fresh = openDraft(names[0], true, (id) => names.push(id));
    equal(fresh.value, null);
    for (let k = 0; k < 40; k += 1) {
      localStorage.setItem(`equilibrist.draft.old${k}`, JSON.stringify({ time: k, value: {} }));
    }
    fresh.keep({ pot: "9" });
    const drafts = Object.keys(localStorage).filter((name) => name.startsWith("equilibrist.draft."));
    equal(drafts.length <= 31, true);
    localStorage.setItem("equilibrist.draft.bad", "[1");
    equal(openDraft("bad", false, () => {}).value, { pot: "9" });
    localStorage.clear();
    sessionStorage.clear();
  },
};
