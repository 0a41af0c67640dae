// Unauthenticated connections: each network may have a limited number; beyond it the oldest are closed.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../lib/network.ts'
import { pendingResponse } from './failures.ts'

export interface UnauthenticatedConnectionsOptions {
  /** For each network. */
  readonly max: number
  /** Whether the address is a trusted proxy, whose connections carry requests of many clients. */
  readonly isProxy: (address: string) => boolean
}

/** Connections on which no request had a known caller yet (ADR 0015). */
export class UnauthenticatedConnections {
  readonly #options: UnauthenticatedConnectionsOptions
  readonly #byNetwork = new Map<string, NetworkConnections>()
  readonly #bySocket = new Map<Socket, NetworkConnections>()

  constructor(options: UnauthenticatedConnectionsOptions) {
    this.#options = options
  }

  watch(server: Server): void {
    server.on('connection', (socket) => this.#add(socket))
  }

  /** A request of this connection has a known caller, or the connection is closed. */
  remove(socket: Socket): void {
    const connections = this.#bySocket.get(socket)
    if (connections === undefined) return
    this.#bySocket.delete(socket)
    connections.sockets.delete(socket)
    if (connections.sockets.size === 0) this.#byNetwork.delete(connections.network)
  }

  #add(socket: Socket): void {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || this.#options.isProxy(remoteAddress)) return
    const network = networkOf(remoteAddress)
    const connections = this.#byNetwork.get(network) ?? this.#open(network)
    connections.sockets.add(socket)
    this.#bySocket.set(socket, connections)
    socket.once('close', () => this.remove(socket))
    this.#closeSoon(connections)
  }

  #open(network: string): NetworkConnections {
    const connections: NetworkConnections = { network, sockets: new Set(), isClosing: false }
    this.#byNetwork.set(network, connections)
    return connections
  }

  /** Clients that connect together get time to send their requests. */
  #closeSoon(connections: NetworkConnections): void {
    if (connections.isClosing || connections.sockets.size <= this.#options.max) return
    connections.isClosing = true
    setTimeout(() => {
      connections.isClosing = false
      this.#closeOldest(connections, isSilent)
      this.#closeOldest(connections, isReceiving)
      this.#closeSoon(connections)
    }, graceMs).unref()
  }

  #closeOldest({ sockets }: NetworkConnections, canClose: (socket: Socket) => boolean): void {
    for (const socket of sockets) {
      if (sockets.size <= this.#options.max) return
      if (!canClose(socket)) continue
      this.remove(socket)
      socket.destroy()
    }
  }
}

interface NetworkConnections {
  readonly network: string
  /** The oldest first. */
  readonly sockets: Set<Socket>
  /** Whether the oldest are about to be closed. */
  isClosing: boolean
}

/** Whether the client has sent no whole request since the last reply. */
function isSilent(socket: Socket): boolean {
  return pendingResponse(socket)?.req.complete !== true && socket.writableLength === 0
}

/** Whether the client is silent, or receives a reply. */
function isReceiving(socket: Socket): boolean {
  return pendingResponse(socket)?.headersSent !== false
}

const graceMs = 1000
