/*
 * The service worker of the till: without a network it finds the page and its script where `main.ts` keeps
 * them. Calls of the API pass it by: what is known of those is in IndexedDB.
 */
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (!/^\/till($|\/)/.test(new URL(request.url).pathname)) return;
  event.respondWith(fetch(request).catch(async () => (await caches.match(request)) ?? Response.error()));
});
