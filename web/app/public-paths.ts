// Paths that are reachable without a session: set-up, links sent by e-mail, and the forgotten-password form.
const publicPaths: ReadonlySet<string> = new Set(['/setup', '/app/invitasjon', '/app/glemt', '/app/ny-adgang'])

export function isPublic(pathname: string): boolean {
  return publicPaths.has(pathname)
}
