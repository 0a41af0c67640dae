// Malformed batches: parts cut off, doubled and mixed up get a 4xx reply, never a 500.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { useTestServer } from '../support/server.ts'
import { seed } from '../support/random.ts'

const multipart = [
  '--b',
  'Content-Type: application/http',
  'Content-ID: 1',
  '',
  'GET Avdeling?$select=Id HTTP/1.1',
  'Accept: application/json',
  '',
  '',
  '--b',
  'Content-Type: multipart/mixed; boundary=c',
  '',
  '--c',
  'Content-Type: application/http',
  'Content-ID: 2',
  '',
  'DELETE /omsetning/Omsetning(99) HTTP/1.1',
  '',
  '--c',
  'Content-Type: application/http',
  '',
  'POST AggsertOmsetning HTTP/1.1',
  'Content-Type: application/json',
  'Content-Length: 52',
  '',
  '[{"Dato":"2024-05-01","AvdelingID":"1","Omsetning":1}]',
  '--c--',
  '--b--',
].join('\r\n')

const json = JSON.stringify({
  requests: [
    { id: '1', method: 'GET', url: 'Omsetning?$top=1', headers: { accept: 'application/json' } },
    { id: '2', method: 'DELETE', url: '$1(99)', atomicityGroup: 'g', dependsOn: ['1'] },
    { id: '3', method: 'POST', url: 'AggsertOmsetning', atomicityGroup: 'g', body: [{ Omsetning: 1.5 }] },
    { id: '4', method: 'GET', url: '/omsetning/OmsetningLogg', if: 'x' },
  ],
})

const strays = [
  '',
  '"',
  '{',
  ']',
  '--b',
  '--c--',
  '\r\n',
  '\n',
  '\0',
  '$',
  '/',
  ':',
  '../',
  'é',
  '\\',
  ',"id":"1"',
  'HTTP/1.1',
  '%',
]

/** Pieces are removed, moved to the start or end of another, or replaced by special bytes. */
function malformed(text: string): fc.Arbitrary<string> {
  return fc
    .array(fc.tuple(fc.nat(text.length), fc.nat(30), fc.constantFrom(...strays)), { minLength: 1, maxLength: 4 })
    .map((cuts) =>
      cuts.reduce((left, [at, length, stray]) => left.slice(0, at) + stray + left.slice(at + length), text),
    )
}

describe.each(databases)('malformed batches on $name', (database) => {
  const server = useTestServer(database, 'torn_batch')

  test.each([
    ['multipart/mixed; boundary=b', multipart],
    ['application/json', json],
  ])('%s', async (type, whole) => {
    const send = (body: string) => server.call('POST', '/omsetning/$batch', { body, headers: { 'content-type': type } })
    expect((await send(whole)).status).toBe(200)
    await fc.assert(
      fc.asyncProperty(malformed(whole), async (body) => {
        const reply = await send(body)
        expect([200, 400]).toContain(reply.status)
        expect(reply.text).not.toMatch(/HTTP\/1.1 500|"status":500|InternalError/)
      }),
      { seed, numRuns: 400 },
    )
  })
})
