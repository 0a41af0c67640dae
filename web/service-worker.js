// Service worker: caches the page and its assets for offline use, never data (ADR 0106).

// Both placeholders are replaced by the build.
const files = ['%files%']
const kept = 'dagsverk-%version%'
const shell = '/app/i-dag'

const keep = async () => {
  const cache = await caches.open(kept)
  await cache.addAll([shell, ...files])
  await self.skipWaiting()
}

const dropOlder = async () => {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== kept).map((name) => caches.delete(name)))
  await self.clients.claim()
}

/** Network first: a cached page of an older version would request assets that are gone. */
const page = async (request) => {
  try {
    return await fetch(request)
  } catch {
    return (await caches.match(shell)) ?? Response.error()
  }
}

/** Asset names contain a content hash. */
const file = async (request) => (await caches.match(request)) ?? fetch(request)

self.addEventListener('install', (event) => event.waitUntil(keep()))
self.addEventListener('activate', (event) => event.waitUntil(dropOlder()))
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== location.origin) return
  if (request.mode === 'navigate' && pathname.startsWith('/app/')) event.respondWith(page(request))
  else if (pathname.startsWith('/app/assets/')) event.respondWith(file(request))
})
