// API reference: the OpenAPI document in a viewer that requests no other host.
import { appPaths } from '../../../src/app/contract/endpoints.ts'
import type { SessionWithCsrf } from '../../../src/app/contract/session.ts'
import viewerUrl from 'virtual:viewer'
import '@fontsource-variable/figtree/index.css'
import styles from './Reference.module.css'

interface Viewer {
  createApiReference(selector: string, settings: object): unknown
}

function loadScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = address
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => reject(new Error(`${address} could not be loaded`)))
    document.head.append(script)
  })
}

/** A read-only API key for ten minutes; null when nobody is signed in. */
async function createTrialKey(): Promise<string | null> {
  const session = await fetch(appPaths.session, { headers: { 'X-Background': '1' } })
  if (session.status !== 200) return null
  const { csrf }: SessionWithCsrf = await session.json()
  const made = await fetch(appPaths.trialKey, { method: 'POST', headers: { 'X-CSRF-Token': csrf } })
  if (!made.ok) return null
  const { key }: { readonly key: string } = await made.json()
  return key
}

/** The latest key, in memory alone, and when it was requested. */
let trial: { readonly key: Promise<string | null>; readonly at: number } | null = null

const renewAfterMs = 9 * 60_000

/** Adds a key to a request without credentials, and creates it then: a visit alone creates none. */
async function addTrialKey({ request }: { readonly request: Request }): Promise<void> {
  const { searchParams } = new URL(request.url)
  const names = ['tb-key', 'authorization', 'x-firma'].map((name) => request.headers.get(name))
  if (names.some(Boolean) || searchParams.has('firma') || searchParams.has('key')) return
  if (trial === null || Date.now() - trial.at > renewAfterMs)
    trial = { key: createTrialKey().catch(() => null), at: Date.now() }
  const key = await trial.key
  if (key === null) trial = null
  else request.headers.set('tb-key', key)
}

function isViewer(value: unknown): value is Viewer {
  return typeof value === 'object' && value !== null && 'createApiReference' in value
}

// Without a class that is read, the build would leave out the style sheet.
document.body.className = styles.page ?? ''
await loadScript(viewerUrl)
const viewer = 'Scalar' in window ? window.Scalar : undefined
if (!isViewer(viewer)) throw new Error('the API reference viewer did not start')
viewer.createApiReference('#reference', {
  url: '/openapi.json',
  // Each of these options would request another host.
  withDefaultFonts: false,
  proxyUrl: '',
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  theme: 'none',
  authentication: { preferredSecurityScheme: 'key' },
  onRequestBuilt: addTrialKey,
})
