// OpenID Connect sign-in: the provider, redirecting to it, and the outcome.
import type { ProviderRedirect } from '../../src/app/contract/session.ts'
import { queryOptions } from '@tanstack/react-query'
import { get } from './client.ts'

/** The provider's name; null when none is configured. */
export const providerQuery = queryOptions({
  queryKey: ['provider'],
  queryFn: async () => (await get('oidcLogin')).name,
  staleTime: Infinity,
})

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
