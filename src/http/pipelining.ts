// Pipelined requests: those of one connection are handled one after another, however many the client sends ahead.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The requests of a connection that wait for their turn. */
const waitingOf = new WeakMap<Socket, number>()

type Handle = (message: IncomingMessage, response: ServerResponse) => void

/**
 * Calls `handle` now, or in the turn of the event loop after the requests before it on its connection have their replies.
 * Node would begin all at once: hundreds fit into what it reads of a connection in a turn, which all other callers would
 * wait for. So would all of many connections, whose replies are sent in the same turn as soon as there is a batch of them.
 */
export function handleInOrder(message: IncomingMessage, response: ServerResponse, handle: Handle): void {
  // A response gets the socket when those before it are sent.
  if (response.socket === null) handleLater(message, response, handle)
  else handle(message, response)
}

function handleLater(message: IncomingMessage, response: ServerResponse, handle: Handle): void {
  const { socket } = message
  const count = (change: number) => {
    const waiting = (waitingOf.get(socket) ?? 0) + change
    waitingOf.set(socket, waiting)
    return waiting
  }
  // Node goes on reading after each request, so the connection is paused afterwards.
  if (count(1) === 1)
    setImmediate(() => {
      if (count(0) > 0) socket.pause()
    })
  response.once('socket', () => {
    if (count(-1) === 0) socket.resume()
    setImmediate(handle, message, response)
  })
}
