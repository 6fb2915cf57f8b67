// Drafts of a form that this browser keeps, one for each of its tabs: a reload loses nothing.
const DRAFT = "equilibrist.draft.";
const TAB = "equilibrist.draft"; // the draft of this tab, for links that name none
const MOST = 30; // drafts; the oldest go

function stored(use) {
  try {
    return use();
  } catch {
    return null; // storage is switched off or full, or what it holds is no draft
  }
}

function read(id) {
  const found = stored(() => JSON.parse(localStorage.getItem(DRAFT + id)));
  return found !== null && typeof found.value === "object" && found.value !== null ? found : null;
}

// The value of a draft of this browser; null where there is none.
export const draftOf = (id) => read(id)?.value ?? null;

// The drafts that there are, the newest first.
function all() {
  const names = stored(() => Object.keys(localStorage)) ?? [];
  const ids = names.filter((name) => name.startsWith(DRAFT)).map((name) => name.slice(DRAFT.length));
  const found = ids.map((id) => ({ id, ...read(id) }));
  return found.sort((a, b) => (b.time ?? 0) - (a.time ?? 0));
}

function write(id, value) {
  const text = JSON.stringify({ time: Date.now(), value });
  const put = () => localStorage.setItem(DRAFT + id, text) ?? true;
  const drop = (drafts) => {
    for (const draft of drafts) if (draft.id !== id) stored(() => localStorage.removeItem(DRAFT + draft.id));
  };
  drop(all().slice(MOST));
  if (!stored(put)) {
    drop(all().slice(1)); // no room
    stored(put);
  }
}

const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join("");

// Ask the other tabs whether one has this draft, and call `taken` if so; answer them.
function share(name, taken) {
  if (!window.BroadcastChannel) return;
  const channel = new BroadcastChannel(TAB);
  const own = newId();
  channel.addEventListener("message", ({ data }) => {
    if (data.to === own) taken();
    else if (data.id === name()) channel.postMessage({ to: data.from });
  });
  channel.postMessage({ id: name(), from: own });
}

// The draft of this tab: the one that is `asked` for, or that of the tab, or a copy of the newest one.
// `told` learns what it is called, also later: two tabs at one address would overwrite each other, so
// the second one goes on under another name. With `isNew` it begins empty: {value: null}.
export function openDraft(asked, isNew, told) {
  let id = asked || stored(() => sessionStorage.getItem(TAB)) || newId();
  let value = isNew ? null : (read(id)?.value ?? null);
  if (value === null) {
    id = newId();
    value = isNew ? null : (all()[0]?.value ?? null);
  }

  function name() {
    stored(() => sessionStorage.setItem(TAB, id));
    told(id);
  }
  function keep(next) {
    value = next;
    write(id, next);
  }
  name();
  share(() => id, () => {
    id = newId();
    name();
    if (value !== null) write(id, value);
  });
  return { value, keep };
}
