// One game: its parameters, its sizes, its tree and histories, and a form to solve it.
import { onReturn, place, said, say, topic, word } from "../core/address.js";
import { computed, html, onBeforeUnmount, onMounted, reactive, ref, shallowRef } from "../core/html.js";
import { about, count, number } from "../core/numbers.js";
import { can, get, isOwner, Refusal } from "../core/source.js";
import { pieces, t } from "../core/texts.js";
import { ready, show } from "../parts/frame.js";
import { Notice } from "../parts/notice.js";
import { playerName } from "../parts/players.js";
import { SiteSaving } from "../parts/site_saving.js";
import { Tabs } from "../parts/tabs.js";
import { GameTree, partOf } from "../parts/tree.js";
import { Walk } from "../parts/walk.js";
import { gameAbout } from "../poker/game_help.js";
import { gameName } from "../poker/games.js";
import { MatrixGame } from "./game/matrix.js";
import { Parameters, textOf, valuesOf } from "./game/parameters.js";
import { Solving } from "./game/solving.js";

const PAUSE = 350; // milliseconds after a key, before sizes are counted again
const PATIENCE = 500; // milliseconds in which sizes that come are shown with the rest
const FIRST = ["rock_paper_scissors"]; // games whose uniform strategy is an equilibrium
const UPLOADED = "library:"; // the rules of such a game are not in a site
const title = ref(topic());
const isOwnTitle = ref(true); // the file's, or only what the game is called in addresses

function payoffRange({ min_payoff: low, max_payoff: high }, names) {
  const one = (p) => t("game.payoff", { player: playerName(names, p), low: number(low[p]), high: number(high[p]) });
  return html`<span translate="no">${low.map((_, p) => one(p)).join("; ")}</span>`;
}

// What the sizes of a game are called, and what they are.
function sizeTexts(sizes, names) {
  const { estimate_num_nodes: estimate } = sizes;
  if (estimate) {
    return [["players", sizes.num_players], ["histories", t("game.estimate", { number: about(estimate) })]];
  }
  return [
    ["players", sizes.num_players],
    ["histories", count(sizes.num_nodes)],
    ["terminals", count(sizes.num_terminals)],
    ["infosets", count(sizes.num_infosets)],
    ["sequences", count(sizes.num_sequences)],
    ["sum", sizes.constant_sum === null ? t("game.sum.varies") : number(sizes.constant_sum)],
    ["payoffs", payoffRange(sizes, names)],
  ];
}

const Game = {
  setup() {
    const form = shallowRef(null);
    const broken = shallowRef(null); // why there is no such game
    const facts = shallowRef(null);
    const error = shallowRef(null); // of the parameters
    const values = reactive({});
    const text = ref(topic()); // the game with the parameters that were looked up last
    const view = ref("");
    const moves = shallowRef([]);
    let [asked, waiting] = [0, null];
    const names = computed(() => form.value?.player_names ?? []);
    const source = computed(() => `games/${word(text.value)}`);
    const isReady = computed(() => (facts.value?.sizes ?? null) !== null);
    // The first one is shown at once: of a game that is too large to be drawn its histories.
    const views = computed(() => {
      const found = facts.value?.is_drawn === false ? ["walk", "tree"] : ["tree", "walk"];
      return facts.value?.is_table ? ["table", ...found] : found;
    });
    const wanted = said();
    const way = {
      algorithm: wanted.one("algorithm", "cfr"),
      iterations: wanted.number("iterations", 200),
      alternating: wanted.one("alternating") !== "false",
    };

    function read() {
      [view.value, moves.value] = [said().one("view"), said().all("move")];
    }

    const shownView = computed(() => (views.value.includes(view.value) ? view.value : views.value[0]));

    // Look up the game with the parameters that are given; an answer that comes late is dropped.
    async function look(known = form.value) {
      clearTimeout(waiting);
      asked += 1;
      const [mine, game] = [asked, textOf(known, values)];
      try {
        const found = await get(`games/${word(game)}/facts`);
        if (mine !== asked) return;
        const isMoved = text.value !== game && isReady.value;
        if (isMoved) moves.value = [];
        [facts.value, error.value, text.value] = [found, null, game];
        if (topic() !== game) say(isMoved ? {} : { view: view.value, move: moves.value }, false, `games/${word(game)}`);
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        if (mine === asked) [facts.value, error.value] = [null, refusal];
      }
    }

    function change(name, given, isChosen) {
      values[name] = given;
      clearTimeout(waiting);
      if (isChosen) look();
      else waiting = setTimeout(look, PAUSE);
    }

    const keep = () => say({ view: view.value, move: moves.value }, true);

    function turn(to) {
      view.value = to;
      keep();
    }

    function go(to) {
      moves.value = to;
      keep();
    }

    function enter(node) {
      moves.value = node.history;
      turn("walk");
    }

    onReturn(read);
    onBeforeUnmount(() => clearTimeout(waiting));
    onMounted(async () => {
      read();
      try {
        const found = await get(`games/${word(topic())}/form`);
        [title.value, isOwnTitle.value] = [found.title || gameName(found.name), gameName(found.name) === found.name];
        Object.assign(values, valuesOf(found));
        const counted = look(found);
        await Promise.race([counted, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
        form.value = found;
        await counted;
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        broken.value = refusal;
      }
      ready();
    });

    function sizes() {
      const isOfParameter = form.value.parameters?.some((one) => one.name === error.value?.option);
      const rows = facts.value?.sizes ? sizeTexts(facts.value.sizes, names.value) : [];
      return html`
        <div class="eq-panel eq-stack">
          <h2>${pieces("game.sizes", { game: html`<span class="eq-mono" translate="no">${text.value}</span>` })}</h2>
          ${error.value && !isOfParameter && html`<${Notice} error=${error.value} />`}
          ${facts.value && !isReady.value && html`<p role="status">${t("game.incomplete")}</p>`}
          <dl class="eqg-facts eqg-inline eqg-sizes">
            ${rows.map(([name, value]) => html`
              <div key=${name}><dt>${t(`game.size.${name}`)}</dt><dd class="eq-num">${value}</dd></div>`)}
            ${!facts.value && !error.value && html`
              <div><dt>${t("game.size.histories")}</dt><dd>${t("game.counting")}</dd></div>`}
          </dl>
          <div class="eq-row">
            ${can(`${source.value}/lesson`) && html`
              <a href=${place("learn", { game: text.value })}>${t("game.learn")}</a>`}
            ${can("race") && html`<a href=${place("race", { game: text.value })}>${t("game.race")}</a>`}
            ${facts.value?.is_table && isOwner && html`
              <a href=${place("payoffs", { game: text.value })}>${t("game.payoffs")}</a>`}
            ${isReady.value && isOwner && !text.value.startsWith(UPLOADED) && html`
              <${SiteSaving} games=${[text.value]} />`}
          </div>
        </div>`;
    }

    function shown() {
      if (shownView.value === "walk") {
        return html`<${Walk} source=${source.value} moves=${moves.value} names=${names.value} onGo=${go} />`;
      }
      if (shownView.value === "table") {
        const begin = FIRST.includes(form.value.name) ? "first" : "uniform";
        return html`
          <${MatrixGame} key=${source.value} source=${source.value} names=${names.value}
            first=${{ ...way, begin: wanted.one("begin", begin) }} onWay=${keepWay} />`;
      }
      return html`
        <${GameTree} source=${source.value} moves=${moves.value} names=${names.value} label=${t("game.tree")}
          height=${520} file=${text.value} onChoose=${enter} />
        ${partOf(moves.value, () => go([]), facts.value?.shown_names)}`;
    }

    function keepWay(chosen) {
      say({ view: "table", ...chosen, alternating: String(chosen.alternating) });
    }

    const looks = () => html`
      <section class="eq-panel eq-stack" aria-label=${t("game.itself")}>
        <${Tabs} names=${views.value} chosen=${shownView.value} text=${(name) => t(`view.${name}`)}
          label=${t("game.views")} panel="eqg-view" onChoose=${turn} />
        <div id="eqg-view" class="eq-stack eqg-view" role="tabpanel" aria-labelledby=${`tab-${shownView.value}`}>
          ${shown()}
        </div>
      </section>`;

    function summary({ title: own, name }) {
      const about = gameAbout(name);
      if (about) return html`<p class="eqg-about">${about}</p>`;
      const mono = html`<span class="eq-mono" translate="no">${name}</span>`;
      return html`<p>${pieces(own ? "game.file.named" : "game.file", { name: mono })}</p>`;
    }

    return () => html`
      <div class="eq-stack">
        ${broken.value && html`<${Notice} error=${broken.value} />`}
        ${form.value && summary(form.value)}
        ${form.value?.parameters?.length > 0 && can("questions") && html`
          <${Parameters} game=${form.value.name} parameters=${form.value.parameters} values=${values}
            error=${error.value} onChange=${change} onLook=${() => look()} />`}
        ${form.value && sizes()}
        ${form.value && isOwner && html`
          <${Solving} game=${text.value} options=${form.value.options} isReady=${isReady.value} />`}
        ${form.value && isReady.value && looks()}
      </div>`;
  },
};

show(Game, "games", title, isOwnTitle);
