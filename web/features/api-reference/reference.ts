// API reference: the OpenAPI document in a viewer that requests no other host.
import type { PostCalls } from '../../../src/app/contract/endpoints.ts'
import { appPaths } from '../../../src/app/contract/paths.ts'
import type { SessionWithCsrf } from '../../../src/app/contract/session.ts'
import viewerUrl from 'virtual:viewer'

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

/** A read-only API key for ten minutes; '' when nobody is signed in. */
async function createTrialKey(): Promise<string> {
  const session = await fetch(appPaths.session, { headers: { 'X-Background': '1' } })
  if (session.status !== 200) return ''
  const { csrf }: SessionWithCsrf = await session.json()
  const made = await fetch(appPaths.trialKey, {
    method: 'POST',
    headers: { 'X-CSRF-Token': csrf },
  })
  if (!made.ok) return ''
  const { key }: PostCalls[typeof appPaths.trialKey]['reply'] = await made.json()
  return key
}

function isViewer(value: unknown): value is Viewer {
  return typeof value === 'object' && value !== null && 'createApiReference' in value
}

const [key] = await Promise.all([createTrialKey(), loadScript(viewerUrl)])
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
  authentication: {
    preferredSecurityScheme: 'key',
    securitySchemes: { key: { value: key } },
  },
})
