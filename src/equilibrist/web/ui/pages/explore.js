// A solution of a game: its infosets, a walk through its histories, its tree.
import { onReturn, place, said, say, topic, word } from "../core/address.js";
import { computed, html, onMounted, ref, shallowRef } from "../core/html.js";
import { count, number } from "../core/numbers.js";
import { can, follow, get, isOwner, Refusal, send } from "../core/source.js";
import { pieces, t } from "../core/texts.js";
import { measureOf, runStateText, valueOf } from "../parts/entry_texts.js";
import { ready, show } from "../parts/frame.js";
import { Infosets } from "../parts/infosets.js";
import { Notice } from "../parts/notice.js";
import { Tabs } from "../parts/tabs.js";
import { GameTree, partOf } from "../parts/tree.js";
import { Walk } from "../parts/walk.js";
import { PayoffTable } from "./game/payoff_table.js";

const title = ref(topic());
const mono = (text) => html`<span translate="no">${text}</span>`;

// That the solution is not the last of its run, which goes on.
function behind({ run, iterations }) {
  const state = runStateText(run);
  const values = { iterations: count(iterations), state, now: count(run.iteration) };
  return t(run.iteration === null || run.iteration === iterations ? "explore.behind" : "explore.behind.now", values);
}

// What the players earn, and how good the solution is, in units of the payoffs.
function figures({ values, measure, measure_name: name }) {
  const entry = { measure_unit: "payoffs", measure_percent: null, title: { kind: "game" } };
  const [value, quality] = [valueOf({ ...entry, values }), measureOf({ ...entry, measure, measure_name: name })];
  return [["value", value], ["measured", quality]].filter(([, figure]) => figure);
}

// The member of a published family of equilibria to which the strategy is nearest.
function family({ name, source, parameters }) {
  const values = Object.entries(parameters).map(([letter, value]) => `${letter} = ${number(value, 4)}`);
  return html`
    <p class="eq-small">
      ${pieces("explore.family", { name: mono(name), source: mono(source), parameters: mono(values.join(", ")) })}
    </p>`;
}

// The table of a matrix game, with the strategies of the solution.
const Payoffs = {
  props: { source: String, stamp: String, names: Array },
  setup(props) {
    const { document: game, error } = follow(() => [`${props.source}/matrix`, { stamp: props.stamp }]);
    return () => html`
      ${error.value && html`<${Notice} error=${error.value} />`}
      ${game.value && html`<${PayoffTable} game=${game.value} average=${game.value.average} names=${props.names} />`}`;
  },
};

const Explore = {
  setup() {
    const facts = shallowRef(null);
    const error = shallowRef(null);
    const again = shallowRef(null); // what a job takes to make the solution again
    const isBusy = ref(false);
    const view = ref("infosets");
    const moves = shallowRef([]);
    const lit = ref("");
    const rows = shallowRef({});
    const source = computed(() => `solutions/${word(facts.value.name)}`);
    const views = computed(() => {
      if (!facts.value.game) return ["infosets"];
      const first = facts.value.is_table ? ["infosets", "table", "walk"] : ["infosets", "walk"];
      return facts.value.is_sortable ? [...first, "tree"] : first;
    });
    const shownView = computed(() => (views.value.includes(view.value) ? view.value : "infosets"));

    function read() {
      const asked = said();
      [view.value, moves.value, lit.value] = [asked.one("view", "infosets"), asked.all("move"), asked.one("infoset")];
      rows.value = {
        match: asked.one("match"),
        player: asked.one("player"),
        order: asked.one("order"),
        descending: asked.one("descending") === "true",
        start: Math.max(0, asked.number("start", 0)),
      };
    }

    function keep(push = true) {
      const shown = { ...rows.value, start: rows.value.start || "" };
      const name = view.value === "infosets" ? "" : view.value;
      say({ view: name, move: moves.value, infoset: lit.value, ...shown }, push);
    }

    function turn(to) {
      view.value = to;
      keep();
    }

    function keepRows(chosen) {
      const isTyped = chosen.match !== rows.value.match;
      [rows.value, lit.value] = [chosen, ""];
      keep(!isTyped);
    }

    function go(to) {
      moves.value = to;
      keep();
    }

    function enter(node) {
      moves.value = node.history;
      turn("walk");
    }

    function find(infoset) {
      rows.value = { match: infoset, player: "", order: "", descending: false, start: 0 };
      lit.value = infoset;
      turn("infosets");
    }

    async function attempt(act) {
      error.value = null;
      try {
        await act();
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
    }

    // The solution that the address means, which may have another name now.
    async function open() {
      const found = await get(`solutions/${word(topic())}/facts`, { stamp: said().one("stamp") });
      if (found.name !== topic()) {
        title.value = found.name;
        history.replaceState({}, "", place(`explore/${word(found.name)}`) + location.search);
      }
      const mayRepeat = isOwner && found.game && found.state_iteration === null;
      if (mayRepeat) {
        const asked = get(`solutions/${word(found.name)}/again`, { stamp: found.stamp });
        again.value = await asked.then(({ options }) => options, () => null);
      }
      facts.value = found;
    }

    async function repeat() {
      isBusy.value = true;
      await attempt(async () => {
        const job = await send("POST", "jobs", { game: facts.value.game, options: again.value });
        location.assign(place(`runs/${job.id}`));
      });
      isBusy.value = false;
    }

    onReturn(read);
    onMounted(async () => {
      read();
      await attempt(open);
      ready();
    });

    const nameOf = ({ title: game, game_title: own }) => (own ? `${own} (${game})` : game);
    const list = ({ algorithm, iterations, num_infosets: size, state_iteration: state }) => html`
      <dl class="eqg-facts eqg-inline">
        <div><dt>${t("explore.of")}</dt><dd>${mono(nameOf(facts.value))}</dd></div>
        <div><dt>${t("solve.algorithm")}</dt><dd>${mono(algorithm)}</dd></div>
        <div><dt>${t("solve.iterations")}</dt><dd class="eq-num">${count(iterations)}</dd></div>
        <div><dt>${t("games.infosets")}</dt><dd class="eq-num">${count(size)}</dd></div>
        ${figures(facts.value).map(([name, figure]) => html`
          <div key=${name}>
            <dt>${t(`library.fact.${name}`)}</dt><dd class="eq-num">${t("library.figure", figure)}</dd>
          </div>`)}
        ${state !== null && html`
          <div>
            <dt>${t("explore.state")}</dt><dd class="eq-num">${t("explore.after", { iteration: count(state) })}</dd>
          </div>`}
      </dl>`;

    const links = ({ name, game, job }) => html`
      <span class="eq-grow"></span>
      ${again.value && html`
        <button class="eq-button" type="button" disabled=${isBusy.value} onClick=${repeat}>
          ${t("explore.again")}
        </button>`}
      ${job && html`<a href=${place(`runs/${job}`)}>${t("explore.run")}</a>`}
      ${can("play") && html`<a href=${place(`play/${word(name)}`)}>${t("explore.play")}</a>`}
      ${!can("play") && can(`solutions/${word(name)}/drill`) && html`
        <a href=${place(`drill/${word(name)}`)}>${t("study.drill")}</a>`}
      ${game && html`<a href=${place(`games/${word(game)}`)}>${t("explore.game")}</a>`}`;

    function shown() {
      const { stamp, player_names: names } = facts.value;
      if (shownView.value === "infosets") {
        return html`<${Infosets} facts=${facts.value} rows=${rows.value} lit=${lit.value} onRows=${keepRows} />`;
      }
      if (shownView.value === "table") {
        return html`<${Payoffs} source=${source.value} stamp=${stamp} names=${names} />`;
      }
      if (shownView.value === "walk") {
        return html`
          <${Walk} source=${source.value} stamp=${stamp} moves=${moves.value} names=${names} linked
            onGo=${go} onInfoset=${find} />`;
      }
      return html`
        <${GameTree} source=${source.value} stamp=${stamp} moves=${moves.value} names=${names} label=${t("game.tree")}
          height=${600} file=${facts.value.name} onChoose=${enter} />
        ${partOf(moves.value, () => go([]), facts.value.shown_names)}`;
    }

    const solution = () => html`
      ${facts.value.is_later && html`<p class="eq-muted">${t("explore.later")}</p>`}
      ${facts.value.run && html`<p class="eq-muted">${behind(facts.value)}</p>`}
      ${list(facts.value)}
      ${facts.value.family && family(facts.value.family)}
      <div class="eq-row">
        <${Tabs} names=${views.value} chosen=${shownView.value} text=${(name) => t(`view.${name}`)}
          label=${t("explore.views")} panel="eqg-view" onChoose=${turn} />
        ${links(facts.value)}
      </div>
      ${again.value && html`<p class="eq-small eq-muted">${t("explore.again.about")}</p>`}
      <div id="eqg-view" class="eq-panel eq-stack eqg-view" role="tabpanel" aria-labelledby=${`tab-${shownView.value}`}>
        ${shown()}
      </div>`;

    return () => html`
      <div class="eq-stack">
        ${error.value && html`<${Notice} error=${error.value} />`}
        ${facts.value && solution()}
      </div>`;
  },
};

show(Explore, "library", title, true);
