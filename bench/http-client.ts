// A small HTTP/1.1 client on bare sockets, much cheaper than the servers that it measures.
import { connect, type Socket } from 'node:net'

export interface HttpReply {
  readonly status: number
  /** The number of `{` in the body: one for each record, and one for an envelope. */
  readonly braces: number
  readonly bytes: number
  /** The first part of the body, enough to find a value in a short reply. */
  readonly start: Buffer
}

type State = 'head' | 'body' | 'size' | 'data' | 'dataEnd' | 'trailer'

const startBytesMax = 4096
const brace = 0x7b
const lineFeed = 0x0a
const empty = Buffer.alloc(0)

/** One keep-alive connection with at most one pending request. */
export class HttpConnection {
  readonly #socket: Socket
  #state: State = 'head'
  #head: Buffer = empty
  #left = 0
  #status = 0
  #braces = 0
  #bytes = 0
  #start: Buffer = empty
  #onReply: ((reply: HttpReply) => void) | undefined

  private constructor(socket: Socket, onFailure: (failure: Error) => void) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => {
      for (let at = 0; at < chunk.length;) at = this.#take(chunk, at)
    })
    socket.on('error', onFailure)
    socket.on('close', () => {
      if (this.#onReply !== undefined) onFailure(new Error('connection closed before the reply ended'))
    })
  }

  /** Opens a connection to this machine. `onFailure` is called when it breaks, also later. */
  static open(port: number, onFailure: (failure: Error) => void): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('error', reject)
      socket.once('connect', () => {
        socket.off('error', reject)
        resolve(new HttpConnection(socket, onFailure))
      })
    })
  }

  send(request: Buffer, onReply: (reply: HttpReply) => void): void {
    this.#onReply = onReply
    this.#braces = 0
    this.#bytes = 0
    this.#start = empty
    this.#socket.write(request)
  }

  close(): void {
    this.#onReply = undefined
    this.#socket.destroy()
  }

  /** Parses one part of the reply at `at`, and returns where the next begins. */
  #take(chunk: Buffer, at: number): number {
    if (this.#state === 'head') return this.#takeHead(chunk, at)
    if (this.#state === 'size') return this.#takeSize(chunk, at)
    if (this.#state === 'body' || this.#state === 'data') return this.#takeBody(chunk, at)
    return this.#takeLineEnd(chunk, at)
  }

  #takeHead(chunk: Buffer, at: number): number {
    const bufferedBytes = this.#head.length
    this.#head = bufferedBytes === 0 ? chunk.subarray(at) : Buffer.concat([this.#head, chunk.subarray(at)])
    const end = this.#head.indexOf('\r\n\r\n')
    if (end === -1) return chunk.length
    const head = this.#head.toString('latin1', 0, end)
    this.#head = empty
    this.#status = Number(head.slice(9, 12))
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)
    if (length?.[1] === undefined) {
      this.#state = 'size'
      this.#left = 0
    } else {
      this.#state = 'body'
      this.#left = Number(length[1])
      if (this.#left === 0) this.#end()
    }
    return at + end + 4 - bufferedBytes
  }

  #takeBody(chunk: Buffer, at: number): number {
    const end = Math.min(chunk.length, at + this.#left)
    const bytes = chunk.subarray(at, end)
    if (this.#start.length === 0) this.#start = bytes
    else if (this.#start.length < startBytesMax) this.#start = Buffer.concat([this.#start, bytes])
    for (let i = bytes.indexOf(brace); i !== -1; i = bytes.indexOf(brace, i + 1)) this.#braces++
    this.#bytes += bytes.length
    this.#left -= bytes.length
    if (this.#left === 0) {
      if (this.#state === 'body') this.#end()
      else this.#state = 'dataEnd'
    }
    return end
  }

  #takeSize(chunk: Buffer, at: number): number {
    for (let i = at; i < chunk.length; i++) {
      const byte = chunk[i] ?? 0
      if (byte === lineFeed) {
        this.#state = this.#left === 0 ? 'trailer' : 'data'
        return i + 1
      }
      const digit = Number.parseInt(String.fromCharCode(byte), 16)
      if (!Number.isNaN(digit)) this.#left = this.#left * 16 + digit
    }
    return chunk.length
  }

  #takeLineEnd(chunk: Buffer, at: number): number {
    const end = chunk.indexOf(lineFeed, at)
    if (end === -1) return chunk.length
    if (this.#state === 'trailer') this.#end()
    else this.#state = 'size'
    return end + 1
  }

  #end(): void {
    const onReply = this.#onReply
    this.#state = 'head'
    this.#onReply = undefined
    onReply?.({ status: this.#status, braces: this.#braces, bytes: this.#bytes, start: this.#start })
  }
}
