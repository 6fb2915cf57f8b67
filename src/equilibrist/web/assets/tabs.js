// The draft of a spot belongs to a tab: the address names it, so that a reload finds it again.
window.equilibristDraft = (() => {
  const LAST = "equilibrist.draft"; // of this tab, for links to the page
  const OPEN = "equilibrist.draft-open"; // while the page is open
  function within(use) {
    try {
      return use(sessionStorage);
    } catch {
      return null; // storage is switched off
    }
  }
  // Links of other pages name no draft.
  const last = within((storage) => storage.getItem(LAST));
  if (last && window.location.pathname === "/spot" && !window.location.search) {
    window.location.replace(`/spot?draft=${last}`);
  }
  // Two tabs at one address would overwrite what is typed in the other: the later one takes a copy.
  function share(draft, copy) {
    if (!window.BroadcastChannel) return;
    const channel = new BroadcastChannel(`equilibrist.draft-${draft}`);
    const own = `${Math.random()}`;
    channel.addEventListener("message", ({ data }) => {
      if (data.to === own) copy();
      else if (data.from) channel.postMessage({ to: data.from });
    });
    channel.postMessage({ from: own });
  }
  return (draft) => {
    const copy = () => window.location.replace(`/spot?copy=${draft}`);
    // A tab that was duplicated has the storage of the first, too.
    if (within((storage) => storage.getItem(OPEN)) === draft) {
      within((storage) => storage.removeItem(OPEN));
      copy();
      return;
    }
    within((storage) => [storage.setItem(LAST, draft), storage.setItem(OPEN, draft)]);
    window.history.replaceState(window.history.state, "", `/spot?draft=${draft}`);
    share(draft, copy);
    window.addEventListener("pagehide", () => within((storage) => storage.removeItem(OPEN)));
  };
})();
