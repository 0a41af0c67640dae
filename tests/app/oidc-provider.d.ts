// Types of `oidc-provider`, which has none, as far as the tests need them.
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  export interface Account {
    readonly accountId: string
    readonly claims: () => Promise<Readonly<Record<string, unknown>>>
  }

  export class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
  }
}
