// ADR 0038: while guesses from many networks fill the hash queue, those who are known are served first.
// DAGSVERK_TEST_ATTACKERS=2000 sets the number of attackers, and prints the time of a sign-in.
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { defaultHashCost } from '../../src/auth/passwords/password-hash.ts'
import { useTestServer, type CallOptions } from '../support/server.ts'
import { findCookie, ownPage, sessionPath } from './session-client.ts'

const measuredAttackers = process.env['DAGSVERK_TEST_ATTACKERS']
/** Far more than are computed and wait at a time: where each guessed again at once, their replies would be most of the work. */
const attackers = Number(measuredAttackers ?? 1000)
/** Replies to each attacker during a sign-in; 23 on SQLite and 5 on PostgreSQL where rejected guesses were answered at once. */
const rejectionsMax = 2
/** A full queue has a position for about one unknown caller of ten, so that one round alone proves little. */
const roundCount = 5

describe.each(databases)('a flood of guesses on $name', (database) => {
  const server = useTestServer(database, 'guesses', {
    // Guesses of unknown names arrive faster than they are hashed.
    hashCost: defaultHashCost,
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

  let networks = 0
  /** A network without a sign-in so far: a sign-in makes it known to the company. */
  const unknownNetwork = () => `10.8.${networks++}.1`

  test('known browsers, known networks and passwords that were correct before are served while guesses keep the queue full, unknown ones are rejected', async () => {
    server.clock.now = () => Date.now() * 1000
    const addUser = () => server.addUser([{ company: server.tenantA, role: 'viewer' }])
    const [kari, ola] = [await addUser(), await addUser()]
    const unknown = await Promise.all(Array.from({ length: roundCount }, addUser))
    const chosen = `fire helt andre ord ${networks}`
    await server.addCredential(server.tenantA, { kind: 'password', chosen })
    const read = (address: string) =>
      server.call('GET', '/dev/Omsetning/Finn?$top=1', {
        as: null,
        address,
        headers: { 'x-firma': server.tenantA.name, 'x-passord': chosen },
      })
    let cookie = findCookie(await signIn(kari, '10.1.0.1'))
    expect((await signIn(ola, '10.2.0.1')).status).toBe(204)
    expect((await read('10.3.0.1')).status).toBe(200)

    const replies = new Map<number, number>()
    const count = (status: number) => replies.get(status) ?? 0
    let [isOver, sent] = [false, 0]
    const guess = async (): Promise<void> => {
      const index = sent++
      const address = `10.${100 + (index % 100)}.${Math.floor(index / 100) % 250}.${Math.floor(index / 25_000) + 1}`
      const { status } = await signIn({ email: `ingen${index}@eksempel.no`, password: 'feil' }, address)
      replies.set(status, count(status) + 1)
      if (!isOver) return guess()
    }
    const flood = Array.from({ length: attackers }, guess)
    const times: number[] = []
    try {
      await expect.poll(() => server.hashLoad().hashesWaiting).toBe(64)
      for (let round = 1; round <= roundCount; round += 1) {
        // The session has ended for want of use, and the password is not cached any more.
        server.clock.now = () => (Date.now() + round * 61 * 60_000) * 1000
        const known = {
          browser: async () => {
            const reply = await signIn(kari, unknownNetwork(), { cookie })
            cookie = findCookie(reply)
            return reply
          },
          network: () => signIn(ola, '10.2.0.1'),
          password: () => read(unknownNetwork()),
        }
        for (const [name, call] of Object.entries(known)) {
          const [hashed, rejected] = [count(401), count(503)]
          const start = performance.now()
          expect((await call()).status, name).toBe(name === 'password' ? 200 : 204)
          if (name !== 'password') times.push(Math.round(performance.now() - start))
          expect(count(503) - rejected, name).toBeLessThan(rejectionsMax * attackers)
          if (measuredAttackers !== undefined) continue
          // Without the order there would be 64, all that wait. Hashes go on while the database reads and writes for the
          // sign-in, so on PostgreSQL there are up to 14 between its request and its reply.
          expect(count(401) - hashed, name).toBeLessThan(32)
          expect(server.hashLoad().hashesWaiting, name).toBeGreaterThan(50)
        }
      }
      const signIns = await Promise.all(unknown.map((person) => signIn(person, unknownNetwork())))
      expect(signIns.map(({ status }) => status)).toContain(503)
    } finally {
      isOver = true
      await Promise.all(flood)
    }
    expect([...replies.keys()].toSorted((one, other) => one - other)).toEqual([401, 503])
    if (measuredAttackers !== undefined)
      process.stdout.write(`sign-ins beside ${attackers} attackers: ${times.join(', ')} ms\n`)
  })
})
