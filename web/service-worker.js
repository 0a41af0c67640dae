// Service worker: caches the page and its assets for offline use, never data (ADR 0047).

// Both placeholders are replaced by the build.
const files = ['%files%']
const cacheName = 'dagsverk-%version%'
const appPage = '/app/i-dag'

const precache = async () => {
  const cache = await caches.open(cacheName)
  await cache.addAll([appPage, ...files])
  await self.skipWaiting()
}

const deleteOldCaches = async () => {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name)))
  await self.clients.claim()
}

/** Network first: a cached page of an older version would request assets that are gone. */
const fetchPage = async (request) => {
  try {
    return await fetch(request)
  } catch {
    return (await caches.match(appPage)) ?? Response.error()
  }
}

/** Asset names contain a content hash. */
const fetchAsset = async (request) => (await caches.match(request)) ?? fetch(request)

self.addEventListener('install', (event) => event.waitUntil(precache()))
self.addEventListener('activate', (event) => event.waitUntil(deleteOldCaches()))
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate' && pathname.startsWith('/app/')) event.respondWith(fetchPage(request))
  else if (pathname.startsWith('/app/assets/')) event.respondWith(fetchAsset(request))
})
