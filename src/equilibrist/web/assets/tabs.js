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
  document.addEventListener(
    "click",
    (event) => {
      const link = event.target.closest?.('a[href="/spot"]');
      const draft = within((storage) => storage.getItem(LAST));
      if (!link || !draft || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      window.location.assign(`/spot?draft=${draft}`);
    },
    true,
  );
  return (draft) => {
    // A tab that was duplicated has the storage of the first, too.
    if (within((storage) => storage.getItem(OPEN)) === draft) {
      within((storage) => storage.removeItem(OPEN));
      window.location.replace(`/spot?copy=${draft}`);
      return;
    }
    within((storage) => [storage.setItem(LAST, draft), storage.setItem(OPEN, draft)]);
    window.history.replaceState(window.history.state, "", `/spot?draft=${draft}`);
    window.addEventListener("pagehide", () => within((storage) => storage.removeItem(OPEN)));
  };
})();
