// Lets the browser keep the page and its files, so that the app opens without a net.

export const serviceWorkerAt = '/app/sw.js'

/** Once the page has what it needs itself. Where the browser cannot, the app goes on without. */
export function installShell(): () => void {
  const timer = setTimeout(() => {
    if ('serviceWorker' in navigator)
      navigator.serviceWorker.register(serviceWorkerAt, { scope: '/app/' }).catch(() => {})
  }, 3_000)
  return () => clearTimeout(timer)
}
