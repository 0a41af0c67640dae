// Keeps the page and its files, so that the app opens without a net. Never an answer about anything (ADR 0106).

// Both are put in when the app is built.
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

/** The server's as long as it answers: a page of an older version asks for files that are gone. */
const page = async (request) => {
  try {
    return await fetch(request)
  } catch {
    return (await caches.match(shell)) ?? Response.error()
  }
}

/** Their names change with their content. */
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
