// Ports that tests choose before a server listens on them.
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port that is free, and is given to no connection meanwhile: systems choose those from 32,768 up. */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_768)
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return freePort()
  }
  await once(server.close(), 'close')
  return port
}
