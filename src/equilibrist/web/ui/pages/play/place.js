// A table or a drill that is open on the server: its document, and what is done there.
import { word } from "../../core/address.js";
import { computed, onMounted, ref, shallowRef } from "../../core/html.js";
import { get, Refusal, send } from "../../core/source.js";
import { ready } from "../../parts/frame.js";

// Of `kind`, `tables` or `drills`. `open` gives the document of one; `opened` is told it.
export function openPlace(kind, open, opened) {
  const [document, error] = [shallowRef(null), shallowRef(null)];
  const isBusy = ref(true);
  const name = computed(() => `play/${kind}/${word(document.value.id)}`);

  // Do something, one at a time; what is refused is said. What somebody else has done is shown then.
  async function attempt(act) {
    [isBusy.value, error.value] = [true, null];
    try {
      await act();
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      error.value = refusal;
      if (refusal.kind === "ConflictError" && document.value) {
        document.value = await get(name.value).catch(() => document.value);
      }
    }
    isBusy.value = false;
  }

  // Send what is done: nothing, while something else is being done.
  async function act(what, body = null) {
    if (isBusy.value) return;
    await attempt(async () => (document.value = await send("POST", `${name.value}/${what}`, body)));
  }

  onMounted(async () => {
    await attempt(async () => {
      document.value = await open();
      await opened(document.value);
    });
    ready();
  });
  return { document, error, isBusy, name, act, attempt };
}

// The one that is open under a name, if it is of the solution; null where it was cleared meanwhile.
export async function stillOpen(kind, name, isMeant) {
  if (!name) return null;
  try {
    const found = await get(`play/${kind}/${word(name)}`);
    return isMeant(found) ? found : null;
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.status !== 404) throw refusal;
    return null;
  }
}

// A number of the address, as requests have it; what is none is sent as it is, and refused.
export function numberIn(text) {
  if (text === "") return null;
  const number = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(number) ? number : text;
}
