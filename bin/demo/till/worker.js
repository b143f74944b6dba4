/*
 * The service worker of the till: without a network it finds the page and its script where `main.ts` keeps
 * them. Calls of the API pass it by: what is known of those is in IndexedDB.
 */
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (!/^\/till($|\/)/.test(new URL(request.url).pathname)) return;
  const stored = async () => (await caches.match(request)) ?? Response.error();
  event.respondWith(fetch(request, { signal: AbortSignal.timeout(3000) }).catch(stored));
});
