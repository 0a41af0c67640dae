// Derived requests: a request within another, from the same client.
import type { Request } from './request.ts'

/** A plain copy with the changes, without the caller; spreading an instance of a class would lose its methods. */
export function deriveRequest(request: Request, changes: Partial<Omit<Request, 'caller'>>): Request {
  return {
    method: request.method,
    path: request.path,
    search: request.search,
    header: (name) => request.header(name),
    body: () => request.body(),
    address: request.address,
    secure: request.secure,
    origin: request.origin,
    id: request.id,
    onDisconnect: (callback) => request.onDisconnect(callback),
    ...changes,
  }
}
