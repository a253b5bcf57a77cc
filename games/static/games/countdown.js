// Counts down to the deadline that the page names, by the seconds that the server says are left: the reader's clock may be wrong.

const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const began = new WeakMap();
// What came with the page was told when its answer began; what replaces it later, just now.
let told = performance.timeOrigin + (performance.getEntriesByType("navigation")[0]?.responseStart ?? 0);

// A span in its two largest units, in the language of the page; minutes that have begun count in full, as where the server tells it.
function words(left) {
  const seconds = left >= 3600 ? left + 59 : left;
  const first = UNITS.findIndex(([, size], place) => seconds >= size || place === UNITS.length - 1);
  return UNITS.slice(first, first + 2)
    .map(([unit, size], place) => [unit, Math.floor((place ? seconds % UNITS[first][1] : seconds) / size)])
    .filter(([, count], place) => count || !place)
    .map(([unit, count]) => new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit, unitDisplay: "long" }).format(count))
    .join(" ");
}

function tick() {
  for (const shown of document.querySelectorAll("[data-seconds]")) {
    if (!began.has(shown)) began.set(shown, told || Date.now());
    const left = Math.max(0, Number(shown.dataset.seconds) - (Date.now() - began.get(shown)) / 1000);
    const text = shown.dataset.words.replace("{}", words(Math.floor(left)));
    if (shown.textContent !== text) shown.textContent = text;
  }
  told = 0;
}

document.addEventListener("table:shown", tick);
setInterval(tick, 1000);
tick();
