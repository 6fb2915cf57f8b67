// A matrix game: payoffs with the mixtures on the margins, and the path of an algorithm.
import { place } from "../../core/address.js";
import { computed, html, onBeforeUnmount, reactive, ref } from "../../core/html.js";
import { can, follow } from "../../core/source.js";
import { t } from "../../core/texts.js";
import { Notice } from "../../parts/notice.js";
import { savePicture } from "../../parts/picture.js";
import { playerName } from "../../parts/players.js";
import { PayoffTable } from "./payoff_table.js";
import { line, picturesOf, SIZE } from "./simplex.js";

const ALGORITHMS = ["cfr", "cfr+", "dcfr", "lcfr", "pcfr+", "pcfr", "hedge"];
const FRAME = 50; // milliseconds
const FRAMES = 200; // of a whole path, at most

// One picture of the path, up to the moment that is shown.
const Picture = {
  props: { picture: Object, moments: Array, begin: String, title: String, file: String },
  setup(props) {
    const svg = ref(null);
    const path = (name) => props.moments.map((one) => props.picture.place(one[name]));
    return () => {
      const [current, average] = [path("current"), path("average")];
      // Nothing is averaged at 0.
      const since = props.begin === "first" && average.length > 1 ? average.slice(1) : average;
      const { height, frame, corners } = props.picture;
      return html`
        <figure class="eqg-simplex">
          <figcaption class="eq-small">${props.title}</figcaption>
          <svg ref=${svg} viewBox=${`0 0 ${SIZE} ${height}`} width=${SIZE} height=${height} role="img" translate="no"
            aria-label=${t("matrix.picture", { title: props.title })}>
            <polygon class="eqg-frame" points=${line(frame)} />
            ${corners.map(({ x, y, anchor, text }) => html`
              <text class="eqg-tick" text-anchor=${anchor} x=${x} y=${y}>${text}</text>`)}
            <polyline class="eqg-current" points=${line(current)} />
            <polyline class="eqg-average" points=${line(since)} />
            <circle class="eqg-current-dot" cx=${current.at(-1)[0]} cy=${current.at(-1)[1]} r="4" />
            <circle class="eqg-average-dot" cx=${average.at(-1)[0]} cy=${average.at(-1)[1]} r="5" />
          </svg>
          <button class="eq-button eq-small" type="button" onClick=${() => savePicture(svg.value, props.file)}>
            ${t("file.picture")}
          </button>
        </figure>`;
    };
  },
};

// The table of `source`, and the way of an algorithm; `first` is how it begins, `way` is told changes.
export const MatrixGame = {
  props: { source: String, names: Array, first: Object },
  emits: ["way"],
  setup(props, { emit }) {
    const way = reactive({ ...props.first });
    const at = ref(0);
    const timer = ref(null);
    const { document: game, error } = follow(() => [`${props.source}/trajectory`, asked()], (found) => {
      at.value = found.moments.length - 1;
      emit("way", { ...way });
    });
    const moment = computed(() => game.value.moments[Math.min(at.value, game.value.moments.length - 1)]);
    const pictures = computed(() => picturesOf(game.value));
    onBeforeUnmount(() => clearInterval(timer.value));

    function asked() {
      return { ...way, alternating: String(way.alternating), iterations: way.iterations || 1 };
    }

    function pause() {
      clearInterval(timer.value);
      timer.value = null;
    }

    function play() {
      if (timer.value) return pause();
      const last = () => game.value.moments.length - 1;
      if (at.value >= last()) at.value = 0;
      const step = Math.max(1, Math.round(last() / FRAMES));
      timer.value = setInterval(() => {
        at.value = Math.min(at.value + step, last());
        if (at.value >= last()) pause();
      }, FRAME);
    }

    const choice = (label, name, choices, read = (text) => text) => html`
      <label class="eq-row">${t(label)}
        <select class="eq-field" value=${String(way[name])}
          onChange=${(event) => (way[name] = read(event.target.value))}>
          ${choices.map(([value, text]) => html`
            <option value=${value} translate=${text === value ? "no" : null}>${text}</option>`)}
        </select>
      </label>`;

    function form() {
      const algorithms = ALGORITHMS.includes(way.algorithm) ? ALGORITHMS : [way.algorithm, ...ALGORITHMS];
      return html`
        <form class="eq-row" aria-label=${t("matrix.form")} onSubmit=${(event) => event.preventDefault()}>
          ${choice("matrix.algorithm", "algorithm", algorithms.map((name) => [name, name]))}
          ${can("questions") && html`
            <label class="eq-row">${t("matrix.iterations")}
              <input class="eq-field eq-num eqg-number" type="number" min="1" max="5000" value=${way.iterations}
                onChange=${(event) => (way.iterations = event.target.valueAsNumber || 1)} />
            </label>`}
          ${choice("lesson.updates", "alternating",
            [["true", t("lesson.alternating")], ["false", t("lesson.simultaneous")]], (text) => text === "true")}
          ${choice("matrix.begin", "begin",
            [["uniform", t("matrix.begin.uniform")], ["first", t("matrix.begin.first")]])}
        </form>`;
    }

    const seek = () => html`
      <div class="eq-row">
        <label class="eq-row eq-grow">${t("matrix.iteration", { iteration: moment.value.iteration })}
          <input class="eq-grow" type="range" min="0" max=${game.value.moments.length - 1} value=${at.value}
            aria-label=${t("lesson.iteration")} onInput=${(event) => (at.value = event.target.valueAsNumber)} />
        </label>
        <button class="eq-button" type="button" onClick=${play}>
          ${t(timer.value ? "matrix.pause" : "matrix.play")}
        </button>
        ${can("csv") && html`
          <a href=${place(`api/${props.source}/matrix.csv`)} download>${t("matrix.csv")}</a>
          <a href=${place(`api/${props.source}/trajectory.csv`, asked())} download>${t("matrix.path.csv")}</a>`}
      </div>`;

    const name = (player) => playerName(props.names, player);

    const key = (kind) => html`
      <span class="eqg-key">
        <svg width="26" height="8" aria-hidden="true"><line class=${`eqg-${kind}`} x1="0" x2="26" y1="4" y2="4" /></svg>
        ${t(`matrix.key.${kind}`)}
      </span>`;

    const found = () => html`
      ${seek()}
      <div class="eqg-matrix">
        <${PayoffTable} game=${game.value} average=${moment.value.average} names=${props.names} />
        ${pictures.value.map((picture) => html`
          <${Picture} picture=${picture} moments=${game.value.moments.slice(0, at.value + 1)} begin=${way.begin}
            title=${picture.player === null ? t("matrix.both") : name(picture.player)}
            file=${`${game.value.game}-${picture.player ?? "simplex"}`} />`)}
        ${!pictures.value.length && html`<p class="eq-muted">${t("matrix.no-picture")}</p>`}
      </div>
      <p class="eq-row eq-small">${key("average")}${key("current")}</p>`;

    return () => html`
      <section class="eq-stack" aria-label=${t("matrix")}>
        ${form()}
        ${error.value && html`<${Notice} error=${error.value} />`}
        ${game.value && found()}
        ${!game.value && !error.value && html`<p class="eq-muted eqg-waiting">${t("matrix.loading")}</p>`}
      </section>`;
  },
};
