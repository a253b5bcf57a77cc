// Follows a challenge that waits, or an analysis: asks every few seconds what became of it while the tab is seen, and says that.

const challenge = () => document.querySelector("#challenge, #analysis");
const title = document.title;
let since = Date.now(); // when it was answered
let asking = false;

async function ask() {
  asking = true;
  const before = challenge();
  try {
    const answer = await fetch(location.pathname + location.search, { headers: { "HX-Request": "true", "If-None-Match": before.dataset.etag } });
    if (answer.status === 200 && !answer.redirected) show(before, await answer.text());
    else if (answer.status !== 304) delete before.dataset.every; // it is no longer for who looks at it
  } catch {
    // The next question may be luckier.
  }
  asking = false;
  since = Date.now();
}

// The live region and the title say what became of it; an address that is being written stays.
function show(before, html) {
  const focused = before.contains(document.activeElement);
  const writing = document.activeElement?.name === "address";
  const written = before.querySelector("[name=address]");
  before.outerHTML = html;
  const field = written && challenge().querySelector("[name=address]");
  if (field) field.value = written.value;
  const news = challenge().querySelector("[data-news]").innerText.trim();
  document.getElementById("news").textContent = news;
  document.title = `${news} · ${title}`;
  if (focused) (writing && field ? field : challenge()).focus({ preventScroll: true });
}

function mayAsk(pause) {
  const every = challenge().dataset.every * 1000;
  return every && !asking && document.visibilityState === "visible" && Date.now() - since >= Math.min(every, pause);
}

setInterval(() => mayAsk(Infinity) && ask(), 500);
document.addEventListener("visibilitychange", () => mayAsk(0) && ask());
