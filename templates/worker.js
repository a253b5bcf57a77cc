// Answers with the offline page where a page does not come. It keeps that page and what it is drawn with, never one of a player's.
// A form that could not be sent leaves the page that it stands on as it is, with all that was written there.

const CACHE = "offline-{{ version }}";
const KEPT = {{ kept|safe }};
const [PAGE] = KEPT;

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));

async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll(KEPT.map((url) => new Request(url, { credentials: "omit" })));
  await skipWaiting();
}

async function activate() {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
  // The question for a page does not wait until this script has started.
  await registration.navigationPreload?.enable();
  await clients.claim();
}

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") event.respondWith(visit(event));
  else if (KEPT.includes(new URL(request.url).pathname)) event.respondWith(fetch(request).catch(() => kept(request.url)));
});

const kept = async (url) => (await caches.match(url, { ignoreVary: true })) ?? Response.error();

async function visit(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return event.request.method === "GET" ? kept(PAGE) : stay();
  }
}

// An answer without content makes a browser stay where it is.
async function stay() {
  for (const tab of await clients.matchAll({ type: "window" })) {
    if (tab.visibilityState === "visible") tab.postMessage("unsent");
  }
  return new Response(null, { status: 204 });
}
