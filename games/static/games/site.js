// Comfort only: every page works without it.

// Tells the sign-up form the browser's time zone.
for (const field of document.querySelectorAll("[data-time-zone]")) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
}

// A place on the picture does what the link to its move does.
for (const link of document.querySelectorAll("a[data-place]")) {
  const place = document.querySelector(`.picture [data-place="${CSS.escape(link.dataset.place)}"]`);
  place?.classList.add("may-be-chosen");
  place?.addEventListener("click", () => link.click());
}
