// Comfort only: every page works without it.

// Tells the sign-up form the browser's time zone.
for (const field of document.querySelectorAll("[data-time-zone]")) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
}

// Remembers whether the board is told in words too: the server reads it, so that nothing moves once a page is there.
document.addEventListener("toggle", ({ target }) => {
  if (target.id === "in-words") document.cookie = `words=${target.open ? "open" : ""}; path=/; max-age=31536000; samesite=lax`;
}, true);

// Keeps the offline page at hand, in the language of this one; says so when a form could not be sent.
navigator.serviceWorker?.register(`/worker.js?language=${document.documentElement.lang}`, { updateViaCache: "all" }).catch(() => {});
navigator.serviceWorker?.addEventListener("message", ({ data }) => {
  if (data === "unsent") document.getElementById("unsent").hidden = false;
});
