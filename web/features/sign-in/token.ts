// The token of a link that was sent by e-mail.

/** A URL fragment is not sent to servers, and therefore not logged. */
export function getTokenFromUrl(): string {
  return window.location.hash.slice(1)
}
