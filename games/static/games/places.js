// Places: one on the picture does what the link to its move does; beside all places, the nearest one within the reach of a finger.
const REACH = 32; // pixels
const choices = () => new Map([...document.querySelectorAll("#table a[data-place]")].map((link) => [link.dataset.place, link]));
const places = (within) => [...within.querySelectorAll(".picture [data-place]")];
const mark = () => {
  const offered = choices();
  for (const place of places(document.getElementById("table"))) if (offered.has(place.dataset.place)) place.classList.add("may-be-chosen");
};
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
