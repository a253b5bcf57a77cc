// Sowing: shows a move stone by stone where its board was seen before it, unless the reader prefers that nothing moves.

const SVG = "http://www.w3.org/2000/svg";
const WHOLE = 2400; // milliseconds that a move takes at most
const STONE = 170; // and one stone of it
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const wait = (time) => new Promise((kept) => setTimeout(kept, time));

document.addEventListener("table:shown", ({ detail }) => {
  const table = document.getElementById("table");
  const [old, picture] = [detail.before, table].map((one) => one?.querySelector(".picture"));
  const moments = wayFrom(detail.before?.dataset.shown, JSON.parse(table.dataset.ways));
  if (old && picture && moments.length && !calm.matches && document.visibilityState === "visible") {
    detail.wait(sow(old, picture, moments));
  }
});

// The places touched one after another since the step that was shown; what is captured is touched at once.
function wayFrom(shown, ways) {
  const start = ways.findIndex(([step]) => String(step) === shown);
  if (start < 0 || !ways.slice(start).some(([, events]) => events.some(([kind]) => kind === "sown"))) return [];
  return ways.slice(start).flatMap(([, events]) =>
    events.flatMap(([kind, places]) => (kind === "sown" ? places.map((place) => [place]) : [places])));
}

async function sow(old, picture, moments) {
  const [formerly, now] = [places(old), places(picture)];
  const after = new Map();
  for (const [name, place] of now) {
    after.set(name, [...place.childNodes]);
    const former = formerly.get(name);
    if (former) place.replaceChildren(...[...former.childNodes].map((node) => node.cloneNode(true)));
  }
  const show = (name) => {
    if (after.has(name)) now.get(name).replaceChildren(...after.get(name));
    after.delete(name);
  };
  const stone = document.createElementNS(SVG, "circle");
  stone.setAttribute("r", "9");
  stone.setAttribute("class", "falling");
  picture.append(stone);
  const time = Math.min(STONE, WHOLE / moments.length);
  let from = null;
  for (const [index, touched] of moments.entries()) {
    const to = middle(now.get(touched[0]));
    if (to) {
      stone.animate([{ transform: at(from ?? to) }, { transform: at(to) }], { duration: time, easing: "ease-in-out", fill: "forwards" });
      from = to;
    }
    await wait(time);
    // A place takes its last look when nothing touches it any more.
    const later = new Set(moments.slice(index + 1).flat());
    for (const name of touched) {
      if (!later.has(name)) show(name);
      now.get(name)?.animate([{ opacity: 0.45 }, { opacity: 1 }], { duration: 2 * time });
    }
  }
  stone.remove();
  for (const name of [...after.keys()]) show(name);
}

const places = (picture) => new Map([...picture.querySelectorAll("[data-place]")].map((one) => [one.dataset.place, one]));
const at = ({ x, y }) => `translate(${x}px, ${y}px)`;

function middle(place) {
  if (!place) return null;
  const box = place.getBBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
