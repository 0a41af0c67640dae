// Replies without the ETags of their records, for tests of what else the records contain.
import type { TestReply } from './server.ts'

/** Removes the ETag of every record from a JSON text. */
export function withoutEtags(json: string): string {
  return json.replaceAll(/"@(?:odata\.)?etag":"W\/\\"[^"]*\\"",?/g, '')
}

/** The records of a set without their ETags. */
export function recordsIn({ text }: Pick<TestReply, 'text'>) {
  return JSON.parse(withoutEtags(text)).value
}
