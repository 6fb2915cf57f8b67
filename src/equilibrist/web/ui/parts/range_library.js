// Ranges by name: presets, the reader's own in folders, and texts for other programs.
import { place, word } from "../core/address.js";
import { html, ref, shallowRef, watch } from "../core/html.js";
import { fixed } from "../core/numbers.js";
import { isOwner, Refusal, send } from "../core/source.js";
import { t } from "../core/texts.js";
import { Dialog, Question } from "./dialog.js";
import { Notice } from "./notice.js";
import { rangeTile, solvedRanges } from "./range_tiles.js";
import { copyText } from "./saving.js";

const SLASH = '/'; // between folders
const LARGEST = 500_000; // bytes of a file

const parentOf = (name) => name.slice(0, Math.max(0, name.lastIndexOf(SLASH)));
const leafOf = (name) => name.slice(name.lastIndexOf(SLASH) + 1);

// Ranges and the folders that they lie in, a folder before what is in it: {name, path, depth, range}.
function rowsOf(ranges) {
  const folders = new Set();
  for (const { name } of ranges) {
    for (let at = name.indexOf(SLASH); at >= 0; at = name.indexOf(SLASH, at + 1)) folders.add(name.slice(0, at));
  }
  const row = (name, range) => ({ name, path: range ? name : `${name}/`, depth: name.split(SLASH).length - 1, range });
  const rows = [...[...folders].map((name) => row(name, null)), ...ranges.map((range) => row(range.name, range))];
  const order = ({ path }) => path.replaceAll(SLASH, "\u0001");
  return rows.sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

// The reader's own ranges, which owners rename, delete, and drag into folders.
const Own = {
  props: { ranges: Array },
  emits: ["use", "rename", "remove"],
  setup(props, { emit }) {
    const [dragged, over, renamed, text] = [ref(null), ref(null), ref(null), ref("")];

    // Into another folder, and not into itself.
    function fits(folder) {
      const name = dragged.value?.name;
      return name !== undefined && folder !== parentOf(name) && folder !== name && !folder.startsWith(`${name}/`);
    }
    function hover(event, folder) {
      if (!fits(folder)) return;
      event.preventDefault();
      over.value = folder;
    }
    function drop(event, folder) {
      event.preventDefault();
      const from = dragged.value;
      if (fits(folder)) emit("rename", from.path, folder ? `${folder}/${leafOf(from.name)}` : leafOf(from.name));
      [dragged.value, over.value] = [null, null];
    }
    function start(event, row) {
      dragged.value = row;
      event.dataTransfer.effectAllowed = "move";
      event.dataTransfer.setData("text/plain", row.name);
    }
    function rename(row) {
      renamed.value = null;
      if (text.value.trim() && text.value.trim() !== row.name) emit("rename", row.path, text.value.trim());
    }
    const ask = (row) => ([renamed.value, text.value] = [row.path, row.name]);
    function press(event, row) {
      if (event.key === "Enter") rename(row);
      else if (event.key === "Escape") renamed.value = null;
      else return;
      event.preventDefault();
      event.stopPropagation();
    }

    const called = ({ name, range }) => (range ? name : t("range.folder", { name }));
    const changes = (row) => html`
      <button class="eq-button" type="button" aria-label=${t("range.rename.name", { name: called(row) })}
        onClick=${() => ask(row)}>${t("range.rename")}</button>
      <button class="eq-button" type="button" aria-label=${t("range.delete.name", { name: called(row) })}
        onClick=${() => emit("remove", row)}>${t("range.delete")}</button>`;
    const naming = (row) => html`
      <input class="eq-field eq-grow" aria-label=${t("range.new-name")} value=${text.value}
        onInput=${(event) => (text.value = event.target.value)} onKeydown=${(event) => press(event, row)}
        onVnodeMounted=${({ el }) => el.select()} />
      <button class="eq-button" type="button" onClick=${() => rename(row)}>${t("range.rename")}</button>
      <button class="eq-button" type="button" onClick=${() => (renamed.value = null)}>${t("dialog.no")}</button>`;
    function line(row) {
      const folder = row.range ? parentOf(row.name) : row.name;
      const isOver = over.value !== null && !row.range && over.value === row.name;
      const shown = row.range
        ? rangeTile(row.range, leafOf(row.name), "", (range) => emit("use", range))
        : html`<span class="eqp-folder" translate="no">${leafOf(row.name)}/</span>`;
      return html`
        <li key=${row.path} class=${{ "eqp-over": isOver }} style=${{ paddingLeft: `${4 + 18 * row.depth}px` }}
          draggable=${isOwner ? "true" : null} onDragstart=${(event) => start(event, row)}
          onDragend=${() => ([dragged.value, over.value] = [null, null])} onDragover=${(event) => hover(event, folder)}
          onDragleave=${() => (over.value = null)} onDrop=${(event) => drop(event, folder)}>
          ${renamed.value === row.path ? naming(row) : [shown, isOwner && changes(row)]}
        </li>`;
    }
    const top = () => html`
      <li key="top" class=${{ "eqp-over": over.value === "" }} onDragover=${(event) => hover(event, "")}
        onDragleave=${() => (over.value = null)} onDrop=${(event) => drop(event, "")}>
        <span class="eqp-folder">${t("range.no-folder")}</span>
      </li>`;
    return () => {
      const rows = rowsOf(props.ranges);
      return html`
        <ul class="eqp-ranges" aria-label=${t("range.own")}>
          ${isOwner && rows.some((row) => !row.range) && top()}${rows.map(line)}
        </ul>`;
    };
  },
};

// A range as text for another program, and back.
const Dialects = {
  props: { text: String, dialects: Array },
  emits: ["use"],
  setup(props, { emit }) {
    const [dialect, shown, error, note] = [ref(""), ref(""), shallowRef(null), ref("")];
    async function attempt(act) {
      [error.value, note.value] = [null, ""];
      try {
        await act();
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
    }
    let newest = ""; // of the dialects that were chosen: its text alone is shown
    const written = async (name) => (await send("POST", "ranges/write", { text: props.text, to: name })).text;
    const choose = (name) => attempt(async () => {
      newest = name;
      try {
        const text = props.text.trim() ? await written(name) : shown.value;
        if (newest === name) shown.value = text;
      } finally {
        if (newest === name) dialect.value = name; // with its text: what is typed then stays
      }
    });
    const use = () => attempt(async () => {
      emit("use", (await send("POST", "ranges/read", { text: shown.value, dialect: dialect.value })).range);
    });
    async function copy() {
      note.value = t((await copyText(shown.value)) ? "range.copied" : "range.not-copied");
    }
    watch(() => props.dialects, (names) => names.length && !dialect.value && choose(names[0]), { immediate: true });

    const values = () => ({ dialect: dialect.value });
    return () => html`
      <h3>${t("range.programs")}</h3>
      <div class="eq-row">
        ${props.dialects.map((name) => html`
          <button key=${name} class="eq-button" type="button" translate="no" onClick=${() => choose(name)}
            aria-pressed=${String(name === dialect.value)}>${name}</button>`)}
      </div>
      <textarea class="eq-field eq-mono" rows="3" spellcheck="false" value=${shown.value}
        aria-label=${t("range.text", values())} onInput=${(event) => (shown.value = event.target.value)}></textarea>
      ${error.value && html`<${Notice} error=${error.value} otherwise=${"range.unreadable"} />`}
      <div class="eq-row">
        <button class="eq-button" type="button" onClick=${copy}>${t("range.copy")}</button>
        <button class="eq-button" type="button" aria-label=${t("range.take.as", values())} onClick=${use}>
          ${t("range.take")}
        </button>
        <span role="status">${note.value}</span>
      </div>`;
  },
};

// `text` is the range that is saved and written; `library` has presets, own ranges and dialects. `use`
// is told a range, `change` that the own ones are others now.
export const RangeLibrary = {
  props: { title: String, text: String, library: Object },
  emits: ["use", "change", "close"],
  setup(props, { emit }) {
    const [name, doomed, error] = [ref(""), shallowRef(null), shallowRef(null)];
    const use = (range) => emit("use", range);
    async function attempt(act) {
      error.value = null;
      try {
        await act();
        emit("change");
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        error.value = refusal;
      }
    }
    // Slashes stay: they separate folders.
    const address = (path) => `ranges/own/${path.split(SLASH).map(word).join(SLASH)}`;
    const save = () => attempt(() => send("PUT", address(name.value.trim()), { text: props.text }));
    const rename = (path, to) => attempt(() => send("POST", address(path), { name: to }));
    function answer(isYes) {
      const row = doomed.value;
      doomed.value = null;
      if (isYes) attempt(() => send("DELETE", address(row.path)));
    }
    function open(event) {
      const [file] = event.target.files;
      event.target.value = "";
      if (!file) return;
      attempt(() => {
        if (file.size > LARGEST) throw new Refusal({ kind: "TooLargeError", option: "text" }, 413);
        return send("POST", "ranges/file", file);
      });
    }

    const question = () => {
      const { name: called, path, range } = doomed.value;
      if (range) return t("range.ask", { name: called });
      const n = props.library.own.filter((one) => one.name.startsWith(path)).length;
      return t("range.ask.folder", { name: called, n });
    };
    const keeping = () => html`
      <p class="eq-small eq-muted">${t("range.own.about")}</p>
      <div class="eq-row eqp-keep">
        <label>${t("range.name")}
          <input class="eq-field" placeholder=${t("range.name.example")} value=${name.value}
            onInput=${(event) => (name.value = event.target.value)} />
        </label>
        <button class="eq-button" type="button" disabled=${!name.value.trim()} onClick=${save}>
          ${t("range.save")}
        </button>
        <label class="eq-button eqp-file">${t("range.import")}
          <input type="file" class="eq-hidden" accept=".json" onChange=${open} />
        </label>
        <a href=${place("api/ranges/file")} download>${t("range.export")}</a>
      </div>`;
    const preset = (range) => {
      const combos = t("range.preset", { n: fixed(range.combos, 2, 0) });
      return html`<li key=${range.name}>${rangeTile(range, range.name, combos, use)}</li>`;
    };

    return () => html`
      <${Dialog} title=${props.title} onClose=${() => emit("close")}>
        <h3>${t("range.own")}</h3>
        ${props.library.own.length
          ? html`<${Own} ranges=${props.library.own} onUse=${use} onRename=${rename}
              onRemove=${(row) => (doomed.value = row)} />`
          : html`<p class="eq-muted">${t("range.none")}</p>`}
        ${isOwner && keeping()}
        ${error.value && html`<${Notice} error=${error.value} />`}
        <h3>${t("range.presets")}</h3>
        <p>${t("range.presets.about")}</p>
        <ul class="eqp-ranges eqp-tiles" aria-label=${t("range.presets")}>${props.library.presets.map(preset)}</ul>
        ${props.library.solved.map((set) => solvedRanges(set, use))}
        <${Dialects} text=${props.text} dialects=${props.library.dialects} onUse=${use} />
        ${doomed.value && html`<${Question} question=${question()} action=${t("range.delete")} onAnswer=${answer} />`}
      <//>`;
  },
};
