// What the clients without types of their own are called with here.

declare module 'odata-csdl' {
  export function xml2json(xml: string, options?: { strict?: boolean }): unknown
}

declare module 'odata-openapi' {
  export function csdl2openapi(
    csdl: unknown,
    options?: { host?: string; basePath?: string },
  ): unknown
}
