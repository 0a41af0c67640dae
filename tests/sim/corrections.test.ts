// Corrections after export: after any sequence of actions, the receiver's books equal what is approved.
// DAGSVERK_TEST_WALKS=10000 sets the number of random walks per database; SEED repeats a run.
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { expectError } from '../support/replies.ts'
import { newMaterialClient, usage, type MaterialClient } from '../support/material-client.ts'
import { useTestServer } from '../support/server.ts'
import { randomFrom, seededRandom, type SeededRandom } from '../support/random.ts'

const walks = Number(process.env['DAGSVERK_TEST_WALKS'] ?? 60)

interface Line {
  readonly Id: number
  readonly TransaksjonId: number
  readonly Linjetype: string
  readonly ReversererId: number | null
  readonly ErstatterId: number | null
  readonly Eksportnokkel: string
  readonly Antall: number
  readonly Belop: number
  readonly Revisjon: number
}

describe.each(databases)('corrections on $name', (database) => {
  const server = useTestServer(database, 'corrections')

  const clientWithCorrections = async (): Promise<MaterialClient> => {
    const materialClient = await newMaterialClient(server)
    await materialClient.setDestination({ corrections: 'lines' })
    return materialClient
  }
  const lines = async (materialClient: MaterialClient): Promise<Line[]> =>
    (await materialClient.exportList()).json.value
  const undoOrClose = ({ Id }: Line) => ({ ids: [Id], grunn: 'feil' })
  const one = (id: number, act = '') => `/prosjekt/Transaksjon(${id})${act}`

  describe('one transaction', () => {
    const exported = async () => {
      const materialClient = await clientWithCorrections()
      const [id = 0] = await materialClient.register(1)
      await materialClient.approve(id)
      await materialClient.acknowledge({ ids: [id] })
      return { materialClient, id }
    }

    test('an exported line that is undone while its transaction awaits approval is offered after it, with the new content alone', async () => {
      const { materialClient, id } = await exported()
      await materialClient.call('PATCH', one(id), { json: { Antall: 5 } })
      const undo = await materialClient.post('/prosjekt/TransaksjonsEksport/Angre', { ids: [id], grunn: 'feil' })
      expect(undo.json.antall).toEqual({ undone: 1 })
      expect(await lines(materialClient)).toEqual([])
      await materialClient.approve(id)
      expect(await lines(materialClient)).toMatchObject([{ Id: id, Linjetype: 'Original', Antall: 5 }])
    })

    test('a transaction whose line was closed is not changed until the line is undone', async () => {
      const materialClient = await clientWithCorrections()
      const [id = 0] = await materialClient.register(1)
      await materialClient.approve(id)
      await materialClient.post('/prosjekt/TransaksjonsEksport/Lukk', { ids: [id], grunn: 'ført for hånd' })
      const edit = () => materialClient.call('PATCH', one(id), { json: { Antall: 5 } })
      expect([(await edit()).status, (await materialClient.call('DELETE', one(id))).status]).toEqual([409, 409])
      await materialClient.post('/prosjekt/TransaksjonsEksport/Angre', { ids: [id], grunn: 'feil' })
      expect(await lines(materialClient)).toMatchObject([{ Id: id, Antall: 2 }])
    })

    test('a reversal that was closed counts as booked, so that what is approved next is offered', async () => {
      const { materialClient, id } = await exported()
      await materialClient.call('POST', one(id, '/TrekkGodkjenning'))
      const [reversal] = await lines(materialClient)
      const close = { ids: [reversal?.Id], grunn: 'ført for hånd' }
      await materialClient.post('/prosjekt/TransaksjonsEksport/Lukk', close)
      await materialClient.approve(id)
      expect(await lines(materialClient)).toMatchObject([{ Linjetype: 'Erstatning', Antall: 2 }])
    })

    test('an edit awaits approval, and is exported as an exact reversal and a replacement', async () => {
      const { materialClient, id } = await exported()
      const edited = await materialClient.call('PATCH', one(id), { json: { Antall: 5, Salgspris: 1 } })
      expect(edited.json).toMatchObject({ Status: 'Registrert', Antall: 5 })
      expect(await lines(materialClient)).toEqual([])
      await materialClient.approve(id)
      expect(await lines(materialClient)).toMatchObject([
        {
          Id: 2,
          TransaksjonId: id,
          Linjetype: 'Reversering',
          ReversererId: id,
          Antall: -2,
          Belop: -21,
          Salgspris: 10.5,
          Eksportnokkel: 'T1.r1.rev',
          Dato: '2024-05-01',
        },
        { Id: 3, Linjetype: 'Erstatning', ErstatterId: id, Antall: 5, Belop: 5, Revisjon: 2 },
      ])
      expect((await materialClient.acknowledge({ ids: [2, 3] })).json.antall).toEqual({ exported: 2 })
      expect((await materialClient.transactions())[0].Status).toBe('Eksportert')
      expect(await lines(materialClient)).toEqual([])
    })

    test('several changes before the next retrieval result in one pair, or none if the original is restored', async () => {
      const { materialClient, id } = await exported()
      for (const Antall of [5, 6, 7]) {
        await materialClient.call('PATCH', one(id), { json: { Antall } })
        await materialClient.approve(id)
        await materialClient.call('POST', one(id, '/TrekkGodkjenning'))
      }
      await materialClient.approve(id)
      // Only these two were retrieved: the others were withdrawn before anybody saw them.
      expect(await lines(materialClient)).toMatchObject([{ Antall: -2 }, { Antall: 7 }])
      const back = await exported()
      await back.materialClient.call('PATCH', one(1), { json: { Antall: 5 } })
      await back.materialClient.approve(1)
      await back.materialClient.call('POST', one(1, '/TrekkGodkjenning'))
      await back.materialClient.call('PATCH', one(1), { json: { Antall: 2 } })
      await back.materialClient.approve(1)
      expect(await lines(back.materialClient)).toEqual([])
      expect((await back.materialClient.transactions())[0].Status).toBe('Eksportert')
    })

    test('a withdrawal and a deletion are exported as the reversal alone', async () => {
      for (const act of ['TrekkGodkjenning', 'delete']) {
        const { materialClient, id } = await exported()
        if (act === 'delete') await materialClient.call('DELETE', one(id))
        else await materialClient.call('POST', one(id, `/${act}`))
        expect(await lines(materialClient)).toMatchObject([{ Linjetype: 'Reversering', Antall: -2 }])
      }
    })

    test('a change between retrieval and acknowledgement is acknowledged as retrieved, then corrected', async () => {
      const materialClient = await clientWithCorrections()
      await materialClient.register(1)
      await materialClient.approve(1)
      await materialClient.exportList()
      await materialClient.call('POST', one(1, '/TrekkGodkjenning'))
      await materialClient.call('PATCH', one(1), { json: { Antall: 9 } })
      const acknowledged = await materialClient.acknowledge({ ids: [1] })
      expect(acknowledged.json.resultater).toEqual([{ id: 1, code: 'exported_with_correction' }])
      expect(await lines(materialClient)).toMatchObject([{ Linjetype: 'Reversering', Antall: -2 }])
      await materialClient.approve(1)
      expect(await lines(materialClient)).toMatchObject([{ Antall: -2 }, { Antall: 9 }])
    })

    test('reversal and replacement stay together across $top, and in a claim whatever its filter', async () => {
      const { materialClient, id } = await exported()
      await materialClient.approve(...(await materialClient.register(2)))
      await materialClient.call('PATCH', one(id), { json: { Antall: 5, ProsjektId: 'P2' } })
      await materialClient.approve(id)
      expect(await materialClient.listedIds()).toEqual([2, 3, 4, 5])
      const some = (query: Record<string, string>) => materialClient.listedIds({ $select: 'Id', ...query })
      expect(await some({ $top: '2' })).toEqual([2, 3])
      expect(await some({ $top: '3' })).toEqual([2, 3, 4, 5])
      expect(await some({ $top: '1', $orderby: 'Id desc' })).toEqual([5, 4])
      expect(await some({ $top: '1', $filter: "Linjetype eq 'Erstatning'" })).toEqual([5])
      const claim = async (body: object) => {
        const { json } = await materialClient.post('/prosjekt/TransaksjonsEksport/Batch', body)
        return { id: json.BatchId, lines: json.value.map(({ Id }: { Id: number }) => Id) }
      }
      const release = (batch: number) => materialClient.post(`/prosjekt/TransaksjonsEksport/Batch/${batch}/Frigi`)
      for (const body of [{ max: 3 }, { filter: 'Id lt 5' }]) {
        const claimed = await claim(body)
        expect(claimed.lines).toEqual([2, 3, 4, 5])
        await release(claimed.id)
      }
      const byProject = await claim({ filter: "ProsjektId eq 'P2'" })
      expect(byProject.lines).toEqual([4, 5])
      expectError(await materialClient.call('POST', one(id, '/TrekkGodkjenning')), 409, 'LineClaimed')
      await release(byProject.id)
      // Where the reversal is parked, the replacement waits for it, and blocks no other line.
      for (let turn = 0; turn < 5; turn++) await materialClient.acknowledge({ failed: [{ id: 4 }] })
      expect((await claim({ max: 1, filter: 'Id gt 3' })).lines).toEqual([])
      const others = await claim({ max: 2 })
      expect(others.lines).toEqual([2, 3])
      await materialClient.acknowledge({ ids: [5] })
      const alerts = await materialClient.call('GET', '/prosjekt/TransaksjonsEksport/Varsler')
      expect(alerts.json.value).toMatchObject([{ Varsel: 'HalfCorrection', Id: 5 }])
    })

    test('an exported replacement whose reversal failed is an alert, however many lines are between them in the request', async () => {
      const { materialClient, id } = await exported()
      await materialClient.call('PATCH', one(id), { json: { Antall: 5 } })
      await materialClient.approve(id)
      const [reversal = 0, replacement = 0] = await materialClient.listedIds()
      const unknown = Array.from({ length: 1000 }, (_, index) => 10_000 + index)
      await materialClient.acknowledge({ ids: [replacement, ...unknown], failed: [{ id: reversal }] })
      const alerts = await materialClient.call('GET', '/prosjekt/TransaksjonsEksport/Varsler')
      expect(alerts.json.value).toMatchObject([{ Varsel: 'HalfCorrection', Id: replacement }])
    })

    test('corrections require the right to approve; a batch that sends the row again does not bypass it', async () => {
      const { materialClient, id } = await exported()
      const clerk = await server.addCredential({ ...materialClient.company, key: '' }, { scopes: 'material:write' })
      const headers = { 'tb-key': clerk.secret }
      const reply = await materialClient.call('PATCH', one(id), { as: null, headers, json: { Antall: 5 } })
      expect([reply.status, reply.json.error.code]).toEqual([403, 'ScopeMissing'])
      expect((await materialClient.transactions())[0]).toMatchObject({ Antall: 2, Status: 'Eksportert' })
    })
  })

  test(
    'after random walks, booked and waiting lines sum up to what is approved, and every reversal has one exported original',
    async () => {
      const random = seededRandom()
      for (let left = walks; left > 0; left--)
        await walk(await clientWithCorrections(), randomFrom(random.below(2 ** 31)))
    },
    60_000 + walks * 1000,
  )

  const walk = async (materialClient: MaterialClient, random: SeededRandom): Promise<void> => {
    const history: string[] = []
    const why = () => `seed ${random.seed}: ${history.join('; ')}`
    const [id = 0] = await materialClient.register(1)
    let quantity: number = usage.Antall
    let approved = 0
    const received = new Map<number, Line>()
    const booked = new Map<number, Line>()
    const keys = new Set<string>()
    for (let step = 0; step < 14; step++) {
      const state: string | undefined = (await materialClient.transactions())[0]?.Status
      const act = random.pick([
        'edit',
        'approve',
        'approve',
        'withdraw',
        'reject',
        'undo',
        'close',
        'delete',
        'list',
        'acknowledge',
        'acknowledge',
      ])
      if (act === 'delete' && random.below(4) > 0) continue
      history.push(`${act} (${state})`)
      if (act === 'edit') {
        const next = 1 + random.below(3)
        const { status } = await materialClient.call('PATCH', one(id), { json: { Antall: next } })
        if (status === 200) quantity = next
      } else if (act === 'approve') {
        const { status } = await materialClient.call('POST', one(id, '/Godkjenn'))
        if (status === 200) approved = quantity
      } else if (act === 'withdraw') {
        const { status } = await materialClient.call('POST', one(id, '/TrekkGodkjenning'))
        if (status === 200) approved = 0
      } else if (act === 'reject') {
        // Of a change that awaits approval: the receiver keeps what was approved before.
        await materialClient.call('POST', one(id, '/Avvis'), { json: { grunn: 'feil' } })
      } else if (act === 'undo') {
        if (booked.size === 0) continue
        const line = random.pick([...booked.values()])
        const { json } = await materialClient.post('/prosjekt/TransaksjonsEksport/Angre', undoOrClose(line))
        const { code } = (json.error ?? json).resultater[0]
        history.push(`${line.Id} ${code}`)
        if (code === 'undone') {
          // The receiver deletes it. Where its transaction awaits approval, nothing is approved any more.
          booked.delete(line.Id)
          received.delete(line.Id)
          if (line.Linjetype !== 'Reversering' && (state === 'Registrert' || state === 'Avvist')) approved = 0
        }
      } else if (act === 'close') {
        const offered = await lines(materialClient)
        if (offered.length === 0) continue
        const line = random.pick(offered)
        const { json } = await materialClient.post('/prosjekt/TransaksjonsEksport/Lukk', undoOrClose(line))
        history.push(`${line.Id} ${json.resultater[0].code}`)
        // A person has booked it.
        received.set(line.Id, line)
        booked.set(line.Id, line)
        keys.add(line.Eksportnokkel)
      } else if (act === 'delete') {
        const { status } = await materialClient.call('DELETE', one(id))
        if (status === 204) approved = 0
      } else if (act === 'list') for (const line of await lines(materialClient)) received.set(line.Id, line)
      else if (received.size > 0) {
        const line = random.pick([...received.values()])
        const { json } = await materialClient.acknowledge({ ids: [line.Id] })
        const { code } = (json.error ?? json).resultater[0]
        history.push(`${line.Id} ${code}`)
        if (code.startsWith('exported')) {
          expect(booked.has(line.Id), why()).toBe(false)
          expect(keys, why()).not.toContain(line.Eksportnokkel)
          keys.add(line.Eksportnokkel)
          booked.set(line.Id, line)
        } else expect(code, why()).toBe('already_exported')
      }
      const waiting = await lines(materialClient)
      // What this retrieval returned has been received, too.
      for (const line of waiting) received.set(line.Id, line)
      const sum = [...booked.values(), ...waiting].reduce((total, line) => total + line.Antall, 0)
      // An exported transaction that was edited counts unchanged until the edit is approved.
      expect(sum, why()).toBe(approved)
      const all = new Map([...waiting, ...received.values()].map((line) => [line.Id, line]))
      for (const line of [...booked.values(), ...waiting])
        if (line.ReversererId !== null) {
          const original = all.get(line.ReversererId)
          expect(original?.Antall, why()).toBe(-line.Antall)
        }
    }
  }
})
