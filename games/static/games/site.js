// Comfort only: every page works without it.

// Tells the sign-up form the browser's time zone.
for (const field of document.querySelectorAll("[data-time-zone]")) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
}
