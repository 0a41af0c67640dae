// The token of a link that was sent by e-mail.
import { useWindowEvent } from '@mantine/hooks'
import { useState } from 'react'

/** A URL fragment is not sent to servers, and therefore not logged. */
export function useLinkToken(): string {
  const [token] = useState(() => window.location.hash.slice(1))
  // Another link that is opened in the same tab: browsers do not load the page for a new fragment.
  useWindowEvent('hashchange', () => window.location.reload())
  return token
}
