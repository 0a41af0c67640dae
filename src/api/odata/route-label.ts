// Route labels of OData paths for log and metrics: the root and the set, never a key.
import { serviceRootOf } from './resource-url.ts'

/**
 * Returns a function from path to label: `/odata/Ansatt` for the set, `/odata/Ansatt(:id)` for a record of it,
 * `/odata/Ansatt/*` for everything behind, and `-` for what is below no set. `paths` are the sets and documents, as
 * labels spell them; of two spellings the later counts.
 */
export function createRouteLabels(paths: readonly string[]): (path: string) => string {
  const labels = new Map(paths.map((path) => [path.toLowerCase(), path]))
  return (path) => {
    const root = serviceRootOf(path)
    const [, segment = '', ...behind] = path.split('/').filter((part) => part !== '')
    const [name = ''] = segment.split('(')
    const label = labels.get(`/${root}/${name}`.replace(/\/$/, '').toLowerCase())
    if (label === undefined) return '-'
    if (behind.length > 0) return `${label}/*`
    return segment === name ? label : `${label}(:id)`
  }
}
