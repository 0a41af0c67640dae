// ADR 0038: while guesses from many networks fill the hash queue, those who are known are served first.
import { describe, expect, test } from 'vitest'
import { yieldToEventLoop } from '../../src/lib/yield-to-event-loop.ts'
import { databases } from '../support/databases.ts'
import { useTestServer, type CallOptions, type TestReply } from '../support/server.ts'
import { findCookie, ownPage, sessionPath } from './session-client.ts'

const guessCount = 30

describe.each(databases)('a flood of guesses on $name', (database) => {
  const server = useTestServer(database, 'guesses', {
    // Guesses of unknown names arrive faster than they are hashed.
    hashCost: { memoryKiB: 64 * 1024, passes: 4 },
    settings: { allowHttp: '10.0.0.0/8' },
  })

  const signIn = (
    { email, password }: { readonly email: string; readonly password: string },
    address: string,
    headers: CallOptions['headers'] = {},
  ) =>
    server.call('POST', sessionPath, {
      as: null,
      address,
      json: { email, password },
      headers: { ...ownPage, ...headers },
    })

  const hashCount = () => {
    const { hashesRunning, hashesWaiting } = server.hashLoad()
    return hashesRunning + hashesWaiting
  }

  test('known browsers, known networks and passwords that were correct before overtake it, unknown browsers do not', async () => {
    const addUser = () => server.addUser([{ company: server.tenantA, role: 'viewer' }])
    const [kari, ola, per] = [await addUser(), await addUser(), await addUser()]
    const chosen = 'fire helt andre ord'
    await server.addCredential(server.tenantA, { kind: 'password', chosen })
    const read = (address: string) =>
      server.call('GET', '/dev/Omsetning/Finn?$top=1', {
        as: null,
        address,
        headers: { 'x-firma': server.tenantA.name, 'x-passord': chosen },
      })
    const cookie = findCookie(await signIn(kari, '10.1.0.1'))
    expect((await signIn(ola, '10.2.0.1')).status).toBe(204)
    expect((await read('10.3.0.1')).status).toBe(200)
    // The session has ended for want of use, and the password is not cached any more.
    server.clock.now = () => (Date.now() + 61 * 60_000) * 1000

    const order: string[] = []
    const note = async (name: string, call: Promise<TestReply>) => {
      const { status } = await call
      order.push(name)
      return status
    }
    const guesses = Array.from({ length: guessCount }, (_, index) =>
      note(
        'guess',
        signIn({ email: `ingen${index}@eksempel.no`, password: 'feil' }, `10.9.${index}.1`),
      ),
    )
    while (order.length + hashCount() < guessCount) await yieldToEventLoop()
    const statuses = await Promise.all([
      note('unknown', signIn(per, '10.8.0.1')),
      note('network', signIn(ola, '10.2.0.1')),
      note('browser', signIn(kari, '10.8.0.2', { cookie })),
      note('password', read('10.8.0.3')),
    ])
    expect(statuses).toEqual([204, 204, 204, 200])
    expect(new Set(await Promise.all(guesses))).toEqual(new Set([401]))
    const overtaken = (name: string) =>
      order.slice(order.indexOf(name)).filter((one) => one === 'guess').length
    for (const name of ['network', 'browser', 'password'])
      expect(overtaken(name), `${name} in ${order.join(' ')}`).toBeGreaterThan(guessCount / 3)
    // Two hashes are computed at a time.
    expect(overtaken('unknown')).toBeLessThan(2)
  })
})
