// `Accept` as docs/api.md describes it: which routes reply with 406, and which always with JSON.
import { expect, test } from 'vitest'
import { sqlite } from '../support/databases.ts'
import { useTestServer } from '../support/server.ts'

const server = useTestServer(sqlite, 'accept')

const record = { Dato: '2024-05-01', AvdelingID: '1', Omsetning: 1 }
const usage = { Dato: '2024-05-01', Varenavn: 'Kabel', Antall: 1 }

test.each([
  ['GET', '/dev/Omsetning/Finn', undefined],
  ['POST', '/dev/Omsetning/Lagre', record],
  ['POST', '/dev/Omsetning/LagreEllerOppdaterListe', [record]],
  ['POST', '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato', [record]],
  ['POST', '/omsetning/AggsertOmsetning', record],
  ['POST', '/prosjekt/Transaksjon/Batch', [usage]],
  ['GET', '/limits', undefined],
  ['GET', '/version', undefined],
])('%s %s replies with JSON where Accept names no format that it has', async (method, path, json) => {
  const headers = { accept: 'image/png' }
  const reply = await server.call(method, path, json === undefined ? { headers } : { headers, json })
  expect([reply.status, reply.headers['content-type']]).toEqual([200, expect.stringMatching(/^application\/json/)])
})

test.each(['/ansatt/ansatt', '/odata/Omsetning', '/prosjekt/TransaksjonsEksport', '/odata'])(
  'GET %s is 406 there, and JSON where it is acceptable too',
  async (path) => {
    const status = async (accept: string) => (await server.call('GET', path, { headers: { accept } })).status
    expect([await status('image/png'), await status('image/png, */*;q=0.1')]).toEqual([406, 200])
  },
)
