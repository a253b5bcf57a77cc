// The board of the front page: steps through a bundled game by itself, until somebody pauses it or looks elsewhere.

const PACE = 2600; // ms for a step
const REST = 4; // steps of rest after the end

const stage = document.querySelector("[data-showcase]");
const board = stage.querySelector("[data-board]");
const words = stage.querySelector("[data-words]");
const toggle = stage.querySelector("[data-play]");
const last = Number(stage.dataset.last);
const still = window.matchMedia("(prefers-reduced-motion: reduce)");

let number = Number(stage.dataset.step);
let steps = null;
let wanted = false; // whether somebody wants it to run
let seen = false; // whether it can be seen
let timer = 0;
let rest = 0;

async function load() {
  if (!steps) {
    const answer = await fetch(stage.dataset.showcase);
    if (!answer.ok) throw new Error(`the game did not come: ${answer.status}`);
    steps = (await answer.json()).steps;
  }
}

function show(next) {
  number = (next + last + 1) % (last + 1);
  board.innerHTML = steps[number].svg;
  words.innerHTML = steps[number].words;
}

function tick() {
  if (number === last && rest < REST) {
    rest += 1;
  } else {
    rest = 0;
    show(number + 1);
  }
}

// The timer runs exactly while it is wanted, seen and loaded.
function arrange() {
  clearInterval(timer);
  if (wanted && seen && !document.hidden && steps) timer = setInterval(tick, PACE);
  toggle.textContent = wanted ? toggle.dataset.pause : toggle.dataset.play;
  // What changes by itself is not read out; what somebody asked for is.
  words.setAttribute("aria-live", wanted ? "off" : "polite");
}

async function run(on) {
  wanted = on;
  arrange();
  try {
    await load();
  } catch {
    wanted = false;
    toggle.hidden = true; // the links still work
  }
  arrange();
}

toggle.hidden = false;
toggle.addEventListener("click", () => run(!wanted));
for (const link of stage.querySelectorAll("a[data-by]")) {
  link.addEventListener("click", async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    await run(false);
    if (steps) show(number + Number(link.dataset.by));
    else window.location.assign(link.href);
  });
}
document.addEventListener("visibilitychange", arrange);
still.addEventListener("change", () => run(!still.matches));
new IntersectionObserver(([entry]) => {
  seen = entry.isIntersecting;
  arrange();
}).observe(board);
if (still.matches) arrange();
else run(true);
