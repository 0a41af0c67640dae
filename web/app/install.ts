// Registers the service worker that lets the app open offline.

export const serviceWorkerPath = '/app/sw.js'

/** Delayed until the page itself has loaded. Without browser support the app works online only. */
export function registerServiceWorker(): () => void {
  const timer = setTimeout(() => {
    if ('serviceWorker' in navigator)
      navigator.serviceWorker.register(serviceWorkerPath, { scope: '/app/' }).catch(() => {})
  }, 3_000)
  return () => clearTimeout(timer)
}
