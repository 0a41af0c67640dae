// Types of clients that have none, as far as the tests need them.

declare module 'odata-csdl' {
  export function xml2json(xml: string, options?: { strict?: boolean }): unknown
}

declare module 'odata-openapi' {
  export function csdl2openapi(csdl: unknown, options?: { host?: string; basePath?: string }): unknown
}
