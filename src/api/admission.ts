// Admission: whether the `Host` of a request is allowed (421), and the server is set up (503).
import { publicRoutes } from './public-routes.ts'
import { normalizePath } from './route-lookup.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Endpoint } from '../http/request.ts'
import type { HttpServerOptions } from '../http/server.ts'
import { isSetUp } from '../store/accounts/settings.ts'
import type { Store } from '../store/store.ts'

export interface AdmissionOptions {
  readonly store: Store
  /** Without a trailing slash; '' when the server has no public URL. */
  readonly publicUrl: string
  /** Accepted `Host` names, besides that of the public URL and loopback. */
  readonly allowedHosts: readonly string[]
  /** Endpoints outside the API: those of the browser app. */
  readonly extraEndpoints?: readonly Endpoint[]
  /** Called when the server is found to be set up. */
  readonly onSetUp?: () => void
}

export function createAdmissionCheck(options: AdmissionOptions): HttpServerOptions['admit'] {
  const { store, publicUrl, onSetUp, extraEndpoints = [] } = options
  const publicHost = publicUrl === '' ? [] : [new URL(publicUrl).hostname]
  const hosts = new Set(['localhost', '127.0.0.1', '[::1]', ...publicHost])
  const beforeSetUp = new Set(
    [...publicRoutes, ...extraEndpoints]
      .filter(({ isServedBeforeSetup }) => isServedBeforeSetup)
      .map(({ path }) => path.replace(/:\w+$/, '')),
  )
  const isServedBeforeSetup = (path: string) =>
    beforeSetUp.has(path) || beforeSetUp.has(path.slice(0, path.lastIndexOf('/') + 1))
  let isReady = false
  const requireSetUp = async () => {
    isReady = await isSetUp(store)
    if (!isReady) throw new ApiError('NotInitialised')
    onSetUp?.()
  }
  return (request) => {
    // Only HTTP/1.0 may omit it, which no browser speaks, so no page of another host can have sent it (ADR 0008).
    const named = request.header('host')
    if (named !== undefined && !hosts.has(named)) {
      const host = named.replace(/:\d+$/, '').toLowerCase()
      if (!hosts.has(host) && !options.allowedHosts.includes(host)) throw new ApiError('HostNotAllowed')
    }
    // Paths that are served before set-up, `/livez` among them, do not need the database.
    return isReady || isServedBeforeSetup(normalizePath(request.path)) ? undefined : requireSetUp()
  }
}
