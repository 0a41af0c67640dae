// URLs of the own service in bodies and batches: absolute, or relative to the service root.

interface ServiceUrl {
  readonly path: string
  /** Without the question mark. */
  readonly search: string
}

/** The service root that was called: its host, and its first segment. */
interface CalledRoot {
  readonly origin: string
  readonly root: string
}

/**
 * Null for a URL of another service. A leading slash does not distinguish a path from the root of the host from one from
 * the service root: some clients write one before the name of a set.
 */
export function parseServiceUrl(url: string, { origin, root }: CalledRoot): ServiceUrl | null {
  const absolute = /^https?:\/\/[^/?#]*/i.exec(url)?.[0]
  if (absolute !== undefined && absolute.toLowerCase() !== origin.toLowerCase()) return null
  const [before = ''] = url.slice(absolute?.length ?? 0).split('#')
  const question = before.indexOf('?')
  const path = question === -1 ? before : before.slice(0, question)
  const search = question === -1 ? '' : before.slice(question + 1)
  const segments = path.split('/').filter((segment) => segment !== '')
  const isFromRoot = path.startsWith('/') && segments[0]?.toLowerCase() === root.toLowerCase()
  if ((absolute !== undefined && !isFromRoot) || segments.includes('..')) return null
  return { path: isFromRoot ? path : `/${root}/${path.replace(/^\/+/, '')}`, search }
}

/** `$1/Ansatte` is relative to the URL of the request with id 1 of the same batch. */
export function resolveBatchReference(url: string, urlsById: ReadonlyMap<string, string>): string {
  const [reference = '', id = ''] = /^\/?\$([^/?#(]+)/.exec(url) ?? []
  const found = urlsById.get(id)
  return id === '' || found === undefined ? url : found + url.slice(reference.length)
}
