// Comfort only: every page works without it.

// Tells the sign-up form the browser's time zone.
for (const field of document.querySelectorAll("[data-time-zone]")) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
}

// Keeps the offline page at hand, in the language of this one; says so when a form could not be sent.
navigator.serviceWorker?.register(`/worker.js?language=${document.documentElement.lang}`, { updateViaCache: "all" }).catch(() => {});
navigator.serviceWorker?.addEventListener("message", ({ data }) => {
  if (data === "unsent") document.getElementById("unsent").hidden = false;
});
