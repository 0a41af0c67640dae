// OpenID Connect sign-in: the provider, redirecting to it, and the outcome.
import type { ProviderRedirect } from '../../src/app/contract/session.ts'
import { replyQuery } from './reply-query.ts'

/** The provider; its name is null when none is configured. */
export const providerQuery = replyQuery(['provider'], 'oidcLogin', { staleTime: Infinity })

/** Leaves the page. */
export async function redirectToProvider(ask: () => Promise<ProviderRedirect>): Promise<void> {
  const { address } = await ask()
  window.location.assign(address)
}

/** The path to return to. */
export function getCurrentPath(): string {
  return window.location.pathname + window.location.search
}

const params = new URLSearchParams(window.location.search)

/** The error code in the return URL, read before the router removes it; null without one. */
export const ssoOutcome: string | null = params.get('sso')
