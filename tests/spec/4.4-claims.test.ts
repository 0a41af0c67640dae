// Claims: lines reserved for one worker for a while, and what other callers and managers see meanwhile.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { useMaterialClient, newMaterialClient } from '../support/material-client.ts'
import { useClock, useTestServer } from '../support/server.ts'

const minute = 60_000_000

describe.each(databases)('claims on $name', (database) => {
  const server = useTestServer(database, 'claims')
  const clock = useClock(server)
  const materialClient = useMaterialClient(server)
  beforeEach(async () => {
    await materialClient.approve(...(await materialClient.register(4)))
  })

  const claim = (body: object = {}) => materialClient.post('/prosjekt/TransaksjonsEksport/Batch', body)
  const onBatch = (id: number, act: string, body: object = {}) =>
    materialClient.post(`/prosjekt/TransaksjonsEksport/Batch/${id}/${act}`, body)

  test('a claim takes the first free lines, and has a number, an expiry, sums and a hash', async () => {
    const reply = await expectStatus(claim({ max: 2, filter: 'Id gt 1' }))
    expect(reply.json).toMatchObject({
      BatchId: 1,
      Sperrenummer: 1,
      AntallLinjer: 2,
      SumAntall: '4.0000',
      SumBelop: '42.0000',
      Kontrollsum: expect.stringMatching(/^[\w-]{43}$/),
      value: [
        { Id: 2, HoldesAv: expect.stringMatching(/^key:/) },
        { Id: 3, Eksportnokkel: 'T3.r1' },
      ],
    })
    expect(Date.parse(reply.json.HoldesTil)).toBe(Math.floor((clock.now + 15 * minute) / 1000))
    // A plain caller still sees all lines, and who holds which.
    const { value } = (await materialClient.exportList({ $select: 'Id,HoldesAv' })).json
    expect(value.map((line: { HoldesAv: string | null }) => line.HoldesAv !== null)).toEqual([false, true, true, false])
  })

  test('one claim at a time; after release, report or expiry the next one has a higher fencing token', async () => {
    const first = await claim({ max: 1 })
    const second = await claim()
    expect([second.status, second.json.error.code]).toEqual([409, 'ClaimAlreadyOpen'])
    expect(second.json.error.existing).toBe(first.json.BatchId)
    await onBatch(1, 'Frigi')
    const third = await claim({ max: 1 })
    expect(third.json.value[0].Id).toBe(1)
    expect(third.json.Sperrenummer).toBeGreaterThan(first.json.Sperrenummer)
    await onBatch(2, 'Resultat', { ids: [1] })
    const fourth = await claim({ max: 1, leaseSeconds: 60 })
    expect(fourth.json.value[0].Id).toBe(2)
    clock.now += 2 * minute
    const fifth = await claim({ max: 1 })
    expect(fifth.json.value[0].Id).toBe(2)
    expect(fifth.json.Sperrenummer).toBeGreaterThan(fourth.json.Sperrenummer + 1)
  })

  test('no claim is created when no line is free', async () => {
    await materialClient.acknowledge({ ids: [1, 2, 3, 4] })
    expect((await claim()).json).toEqual({ BatchId: null, AntallLinjer: 0, value: [] })
  })

  test('a heartbeat extends a claim, at most to one day; a closed claim cannot be extended', async () => {
    await claim({ leaseSeconds: 60 })
    clock.now += minute / 2
    const extended = await onBatch(1, 'Forleng', { leaseSeconds: 86_400 })
    expect(Date.parse(extended.json.HoldesTil)).toBe(Math.floor((clock.now - minute / 2 + 86_400_000_000) / 1000))
    clock.now += 2 * 86_400_000_000
    expectError(await onBatch(1, 'Forleng'), 409, 'ClaimClosed')
    expect((await onBatch(9, 'Forleng')).status).toBe(404)
  })

  test('a late report counts; lines that someone else marked are reported as such', async () => {
    await claim({ leaseSeconds: 60, max: 2 })
    clock.now += 5 * minute
    await materialClient.exportList()
    const other = await server.addCredential({ ...materialClient.company, key: '' })
    await materialClient.call('POST', '/prosjekt/TransaksjonsEksport/Eksportert', {
      as: null,
      headers: { 'tb-key': other.secret },
      json: { ids: [1] },
    })
    const reply = await onBatch(1, 'Resultat', { ids: [1, 2] })
    expect(reply.json.resultater).toMatchObject([
      { id: 1, code: 'already_exported', Av: `key:${other.id}` },
      { id: 2, code: 'exported' },
    ])
  })

  test('a claimed line cannot be withdrawn until it is free', async () => {
    await claim({ max: 1 })
    const withdraw = () => materialClient.call('POST', '/prosjekt/Transaksjon(1)/TrekkGodkjenning')
    expectError(await withdraw(), 409, 'LineClaimed')
    expect((await materialClient.transactions())[0].Status).toBe('Godkjent')
    clock.now += 16 * minute
    expect((await withdraw()).status).toBe(200)
  })

  test("another company's claim is 404", async () => {
    await claim()
    const other = await newMaterialClient(server)
    for (const act of ['Forleng', 'Resultat', 'Frigi']) {
      const path = `/prosjekt/TransaksjonsEksport/Batch/1/${act}`
      const body = act === 'Resultat' ? { ids: [1] } : {}
      expect((await other.post(path, body)).status, act).toBe(404)
    }
    expect((await onBatch(1, 'Forleng')).status).toBe(200)
  })

  test('claim requests are validated', async () => {
    for (const [body, code] of [
      [{ max: 0 }, 'NumberOutOfRange'],
      [{ max: 10_001 }, 'NumberOutOfRange'],
      [{ max: 'mange' }, 'InvalidType'],
      [{ leaseSeconds: 86_401 }, 'NumberOutOfRange'],
      [{ filter: 'Antall gt' }, 'InvalidFilter'],
    ] as const) {
      expectError(await claim(body), 400, code)
    }
    expect((await claim({ filter: 'Antall gt' })).json.error).toMatchObject({
      target: 'filter:10',
      message: expect.stringMatching(/^filter /),
    })
    expect((await claim()).json.AntallLinjer).toBe(4)
  })
})
