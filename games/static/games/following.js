// Follows the game: asks how it stands while the tab is seen, shows what is new, and lets no press through that was meant for
// what stood there before. Other modules hear "table:shown" with the table that was there `before`; a promise handed to `wait`
// keeps the new one from taking presses until it is kept.

const PAUSE = 500; // milliseconds in which nobody can have read what has just appeared
const table = () => document.getElementById("table");
let asking = false; // a question of this module is on its way
let since = Date.now(); // when it was answered

// Presses: while the table is busy they do nothing.
for (const kind of ["click", "submit"]) {
  document.addEventListener(kind, (event) => {
    if (event.target.closest?.("#table[aria-busy=true]")) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }, true);
}

const places = (within) => [...within.querySelectorAll(".picture [data-place]")];

// Questions: every so many seconds, and at once when the tab is seen again, which takes no presses before the answer.
const busy = (on) => (on ? table()?.setAttribute("aria-busy", "true") : table()?.removeAttribute("aria-busy"));
const ours = ({ detail }) => detail.requestConfig.elt.id === "table";

async function ask() {
  asking = true;
  const here = location.pathname + location.search;
  try {
    await htmx.ajax("GET", here, { source: "#table", headers: { "If-None-Match": table().dataset.etag } });
  } catch {
    // The next question may be luckier.
  }
  asking = false;
  since = Date.now();
}

function mayAsk() {
  return table()?.dataset.every && !asking && !table().hasAttribute("aria-busy") && document.visibilityState === "visible";
}

setInterval(() => mayAsk() && Date.now() - since >= Number(table().dataset.every) * 1000 && ask(), 500);

function seenAgain() {
  if (!mayAsk() || Date.now() - since < PAUSE) return;
  busy(true);
  ask();
}
document.addEventListener("visibilitychange", seenAgain);
addEventListener("pageshow", (event) => event.persisted && seenAgain());

// Answers.
let before = null;
let swapped = false;

document.addEventListener("htmx:beforeRequest", (event) => {
  swapped = false;
  if (!ours(event)) busy(true);
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const { detail } = event;
  before = table();
  if (detail.shouldSwap && !detail.serverResponse.includes('id="table"')) {
    detail.shouldSwap = false; // another page altogether, such as a login
    location.assign(detail.xhr.responseURL);
  } else if (ours(event)) {
    detail.serverResponse = detail.serverResponse.replaceAll(" autofocus", "");
  }
});

document.addEventListener("htmx:afterSwap", (event) => {
  const now = table();
  swapped = true;
  document.querySelectorAll("main > [role=status] > .messages").forEach((old) => old.remove());
  if (ours(event)) keepWriting(before, now);
  keepPlace(before, now);
  tell(now);
  const waits = [new Promise((kept) => setTimeout(kept, PAUSE))];
  const wait = (promise) => ours(event) && waits.push(promise);
  document.dispatchEvent(new CustomEvent("table:shown", { detail: { before, wait } }));
  if (!now.querySelector(".choices, .confirm, #agreements")) return; // one only looks
  busy(true);
  Promise.all(waits).then(() => now.removeAttribute("aria-busy"));
});

document.addEventListener("htmx:afterSettle", (event) => {
  const lost = document.activeElement === document.body;
  if (lost && !ours(event)) document.getElementById("state")?.focus({ preventScroll: true });
});

document.addEventListener("htmx:afterRequest", (event) => {
  if (!swapped) busy(false);
  if (!ours(event)) document.getElementById("failed").hidden = swapped || event.detail.successful;
});

// The live region says what was not on the page before.
function tell(now) {
  const news = (one) => [...one.querySelectorAll("[data-news]")].map((part) => part.innerText.trim());
  const known = new Set(news(before));
  document.getElementById("news").textContent = news(now).filter((part) => !known.has(part)).join(" ");
}

// What somebody is writing, or has opened, outlives the news; a move that was typed for another position does not.
function keepWriting(old, now) {
  for (const field of old.querySelectorAll("input[id], textarea[id]")) {
    const same = now.querySelector(`#${CSS.escape(field.id)}`);
    const stale = field.id === "typed" && old.dataset.position !== now.dataset.position;
    if (same && !stale && field.value !== field.defaultValue) same.value = field.value;
  }
  const [opened, closed] = [old, now].map((one) => [...one.querySelectorAll("details:not([id])")]);
  if (opened.length === closed.length) closed.forEach((one, index) => (one.open = opened[index].open));
}

// A board that is larger than the window stays where it was moved to, unless what was touched last would be out of sight.
function keepPlace(old, now) {
  const [was, is] = [old, now].map((one) => one?.querySelector(".scroller"));
  if (!is) return;
  if (was) {
    now.querySelector("#whole").checked = old.querySelector("#whole").checked;
    [is.scrollLeft, is.scrollTop] = [was.scrollLeft, was.scrollTop];
  }
  const touched = JSON.parse(now.dataset.ways).flat(Infinity).at(-1);
  const place = places(now).find((one) => one.dataset.place === touched)?.getBoundingClientRect();
  const frame = is.getBoundingClientRect();
  if (!place) return;
  if (place.left < frame.left || place.right > frame.right) is.scrollLeft += place.left - frame.left - frame.width / 2;
  if (place.top < frame.top || place.bottom > frame.bottom) is.scrollTop += place.top - frame.top - frame.height / 2;
}

keepPlace(null, table());
