// Files that are dropped or chosen: each goes to the server, which reads it before it is kept.
import { word } from "../../core/address.js";
import { html, ref, shallowRef } from "../../core/html.js";
import { bytes } from "../../core/numbers.js";
import { get, Refusal, upload } from "../../core/source.js";
import { t } from "../../core/texts.js";
import { Notice } from "../../parts/notice.js";

const TAKEN = ".safetensors,.spot,.efg,.nfg,.csv,.tsv,.npy,.npz";
const GAME = /\.(efg|nfg|csv|tsv|npy|npz)$/i;

// The most bytes that the server takes of a file.
async function limitOf(name) {
  const { limits } = await get("me");
  return GAME.test(name) ? limits.game_upload_bytes : limits.upload_bytes;
}

// {files, take}: `take` is given files, and tells `kept` of each that the server keeps.
export function followUploads(kept) {
  const files = shallowRef([]);
  let last = 0;

  const set = (id, changes) => {
    files.value = files.value.map((file) => (file.id === id ? { ...file, ...changes } : file));
  };

  async function send(file, id) {
    const most = await limitOf(file.name);
    if (file.size > most) {
      set(id, { state: "large", most });
      return;
    }
    const { name } = await upload(`uploads/${word(file.name)}`, file, (sent) => {
      set(id, { sent, state: sent < 1 ? "sending" : "reading" });
    });
    set(id, { state: "kept", kept: name });
    kept();
  }

  async function take(given) {
    for (const file of given) {
      last += 1;
      const id = last;
      files.value = [...files.value, { id, name: file.name, state: "sending", sent: 0 }];
      try {
        await send(file, id);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        set(id, { state: "refused", error });
      }
    }
  }

  return { files, take };
}

function state(file) {
  if (file.state === "sending") {
    return html`<progress value=${file.sent} max="1" aria-label=${t("library.upload.of", { file: file.name })} />`;
  }
  if (file.state === "refused") return html`<${Notice} error=${file.error} otherwise="error.upload" />`;
  if (file.state === "large") {
    return html`<p class="eq-error" role="alert">${t("library.upload.large", { most: bytes(file.most) })}</p>`;
  }
  if (file.state === "kept") {
    return html`<span class="eq-good">${t("library.upload.kept", { name: file.kept })}</span>`;
  }
  return html`<span class="eq-muted">${t("library.upload.reading")}</span>`;
}

// The button, and what has become of each file.
export const Uploads = {
  props: { files: Array, isOver: Boolean },
  emits: ["take"],
  setup(props, { emit }) {
    const chooser = ref(null);
    function chosen(event) {
      const files = [...event.target.files];
      event.target.value = "";
      emit("take", files);
    }
    return () => html`
      <section class=${["eq-stack", "lb-upload", { "lb-over": props.isOver }]} aria-label=${t("library.upload")}>
        <button class="eq-button" type="button" onClick=${() => chooser.value.click()}>
          ${t("library.upload.do")}
        </button>
        <input ref=${chooser} hidden type="file" multiple accept=${TAKEN} aria-label=${t("library.upload.files")}
          onChange=${chosen} />
        <p class="eq-small eq-muted">${t("library.upload.about")}</p>
        ${props.files.length > 0 && html`
          <ul class="lb-list" aria-live="polite">
            ${props.files.map((file) => html`
              <li key=${file.id}><b translate="no">${file.name}</b> ${state(file)}</li>`)}
          </ul>`}
      </section>`;
  },
};
