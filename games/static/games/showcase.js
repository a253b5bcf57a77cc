// The boards of the front page: each steps through a bundled game by itself, until somebody pauses it or looks elsewhere.

const PACE = 2600; // ms for a step
const REST = 4; // steps of rest after the end
const still = window.matchMedia("(prefers-reduced-motion: reduce)");

for (const [index, stage] of [...document.querySelectorAll("[data-showcase]")].entries()) show(stage, index);

function show(stage, index) {
  const board = stage.querySelector("[data-board]");
  const words = stage.querySelector("[data-words]");
  const toggle = stage.querySelector("[data-play]");
  const last = Number(stage.dataset.last);
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

  function turnTo(next) {
    number = (next + last + 1) % (last + 1);
    board.innerHTML = steps[number].svg;
    words.innerHTML = steps[number].words;
  }

  function tick() {
    if (number === last && rest < REST) {
      rest += 1;
    } else {
      rest = 0;
      turnTo(number + 1);
    }
  }

  // The timer runs exactly while it is wanted, seen and loaded; boards side by side take turns.
  function arrange() {
    clearTimeout(timer);
    clearInterval(timer);
    if (wanted && seen && !document.hidden && steps) {
      timer = setTimeout(() => {
        tick();
        timer = setInterval(tick, PACE);
      }, PACE * (1 + (index % 3) / 3) / 2);
    }
    toggle.textContent = wanted ? toggle.dataset.pause : toggle.dataset.play;
    // What changes by itself is not read out; what somebody asked for is.
    words.setAttribute("aria-live", wanted ? "off" : "polite");
  }

  async function run(on) {
    wanted = on;
    arrange();
    if (on && !seen) return; // fetched when it is seen
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
      if (steps) turnTo(number + Number(link.dataset.by));
      else window.location.assign(link.href);
    });
  }
  document.addEventListener("visibilitychange", arrange);
  still.addEventListener("change", () => run(!still.matches));
  new IntersectionObserver(([entry]) => {
    seen = entry.isIntersecting;
    if (seen && wanted && !steps) run(true);
    else arrange();
  }).observe(board);
  wanted = !still.matches;
  arrange();
}
