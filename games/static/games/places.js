// Places: one on the picture does what the link to its move, or its tick, does; beside all places, the nearest within reach.
const REACH = 32; // of a finger, in pixels
const choices = () => new Map([...document.querySelectorAll("#table :is(a, input)[data-place]")].flatMap((one) =>
  (one.matches("input") ? one.dataset.place.split(" ") : [one.dataset.place]).map((place) => [place, one]))); // a tick may be for several
const places = (within) => [...within.querySelectorAll(".picture [data-place]")];
const mark = () => {
  const offered = choices();
  for (const place of places(document.getElementById("table"))) {
    const offer = offered.get(place.dataset.place);
    if (offer) place.classList.add("may-be-chosen");
    place.classList.toggle("ticked", Boolean(offer?.checked));
  }
};
document.addEventListener("change", ({ target }) => target.dataset.place && mark());
document.addEventListener("click", (event) => {
  if (!event.target.closest?.("#table .picture")) return;
  const offered = choices();
  const touched = event.target.closest("[data-place]");
  const place = touched ?? nearest(places(document.getElementById("table")).filter((one) => offered.has(one.dataset.place)), event);
  offered.get(place?.dataset.place)?.click();
});

function nearest(all, { clientX, clientY }) {
  const away = (one) => {
    const box = one.getBoundingClientRect();
    return Math.hypot(box.x + box.width / 2 - clientX, box.y + box.height / 2 - clientY);
  };
  const [found] = all.map((one) => [away(one), one]).filter(([far]) => far <= REACH).sort(([one], [other]) => one - other);
  return found?.[1];
}

document.addEventListener("table:shown", mark);
mark();
