// PostgreSQL URL: it may name several servers, as libpq allows, and a standard URL does not.

/** `postgres://user@a:5432,b:5433/name` is two URLs. Of any other URL, itself. */
export function urlsOfServers(url: string): string[] {
  const { before, servers, after } = splitAtServers(url)
  return servers.split(',').map((server) => before + server + after)
}

/** Changes parts of a URL that all its servers share. */
export function editUrl(text: string, edit: (url: URL) => void): string {
  const { servers } = splitAtServers(text)
  const url = new URL(urlsOfServers(text)[0] ?? text)
  edit(url)
  const { before, after } = splitAtServers(url.href)
  return before + servers + after
}

function splitAtServers(url: string) {
  const start = url.indexOf('://') + 3
  const authority = /^[^/?#]*/.exec(url.slice(start))?.[0] ?? ''
  const serversAt = start + authority.lastIndexOf('@') + 1
  const end = start + authority.length
  return { before: url.slice(0, serversAt), servers: url.slice(serversAt, end), after: url.slice(end) }
}
