import { mkdtemp, readdir, readFile, rm, truncate, writeFile, appendFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assert, asyncProperty, integer, nat } from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openExportJournal } from './export-journal.ts'
import { readJournalRecords } from './read-journal.ts'
import type { JournalAction, JournalRecord } from './record.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dagsverk-journal-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true })
})

function act(ledgers: readonly number[], more: Partial<JournalAction> = {}): JournalAction {
  return {
    kind: 'acknowledge',
    companyId: 1,
    through: Math.max(...ledgers),
    at: 1_700_000_000_000_000,
    destinationId: 1,
    requestId: 'r-1',
    entries: ledgers.map((ledger) => ({
      ledger,
      lineId: ledger * 10,
      revision: 2,
      generation: 1,
      source: 'lager "æ"\n',
      externalId: null,
    })),
    ...more,
  }
}

function opened(more: { server?: string; fileBytesMax?: number; database?: string } = {}) {
  return openExportJournal({ folder, server: 'a', database: 'mine', ...more })
}

async function written(): Promise<JournalRecord[]> {
  return Array.fromAsync(readJournalRecords(folder))
}

async function fileNames() {
  return (await readdir(folder)).sort()
}

test('appended records are read in order, over any number of starts', async () => {
  const records: JournalRecord[] = []
  for (let start = 0; start < 3; start++) {
    const journal = await opened()
    const acknowledged = act([2 * start + 1, 2 * start + 2])
    const ceiling = { kind: 'ceiling', companyId: 1, ceiling: 10_000 * (start + 1) } as const
    await journal.append([acknowledged, ceiling])
    await journal.close()
    records.push(acknowledged, ceiling)
  }
  expect(await written()).toEqual(records)
  const { watermarks } = await opened()
  expect(watermarks).toEqual([{ companyId: 1, through: 6, ceiling: 30_000 }])
})

test('a start without writes creates no file', async () => {
  await (await opened()).close()
  expect(await fileNames()).toEqual([])
})

test('concurrently appended records are all written, each once', async () => {
  const journal = await opened()
  await Promise.all(Array.from({ length: 50 }, (_, index) => journal.append([act([index + 1])])))
  await journal.close()
  expect((await written()).length).toBe(50)
  expect(await fileNames()).toHaveLength(1)
})

test('a full file is followed by another, and the newest summarizes the older ones', async () => {
  const journal = await opened({ fileBytesMax: 500 })
  for (let ledger = 1; ledger <= 20; ledger++) await journal.append([act([ledger])])
  await journal.close()
  const [oldest = '', ...newer] = await fileNames()
  expect(newer.length).toBeGreaterThan(3)
  await rm(join(folder, oldest))
  const again = await opened()
  expect(again.watermarks).toEqual([{ companyId: 1, through: 20, ceiling: 0 }])
})

test('each server writes its own files, and a start reads those of all', async () => {
  const [a, b] = [await opened({ server: 'a' }), await opened({ server: 'b' })]
  await a.append([act([1, 4])])
  await b.append([act([2]), act([1], { companyId: 2 })])
  await Promise.all([a.close(), b.close()])
  const journal = await opened({ server: 'c' })
  expect(journal.watermarks).toEqual([
    { companyId: 1, through: 4, ceiling: 0 },
    { companyId: 2, through: 1, ceiling: 0 },
  ])
  expect(journal.watermarkOf(3)).toEqual({ companyId: 3, through: 0, ceiling: 0 })
})

test('an incomplete line after a crash was never acknowledged: it is skipped and never continued', async () => {
  const journal = await opened()
  await journal.append([act([1])])
  await journal.append([act([2])])
  await journal.close()
  const [name = ''] = await fileNames()
  const whole = await readFile(join(folder, name))
  await truncate(join(folder, name), whole.length - 20)
  const again = await opened()
  expect(again.watermarks[0]?.through).toBe(1)
  await again.append([act([2])])
  await again.close()
  expect(await written()).toEqual([act([1]), act([2])])
  expect(await fileNames()).toHaveLength(2)
})

test('any changed byte is detected, and reported with file and line', async () => {
  const journal = await opened()
  for (let ledger = 1; ledger <= 4; ledger++) await journal.append([act([ledger])])
  await journal.close()
  const [name = ''] = await fileNames()
  const path = join(folder, name)
  const whole = await readFile(path)
  await assert(
    asyncProperty(nat(whole.length - 2), integer({ min: 1, max: 255 }), async (at, flip) => {
      const damaged = Buffer.from(whole)
      damaged[at] = (damaged[at] ?? 0) ^ flip
      await writeFile(path, damaged)
      await expect(opened()).rejects.toThrow(`${name} is damaged at line `)
    }),
    { numRuns: 200 },
  )
})

test('after a failed write a new file is started, and the records can be appended again', async () => {
  const journal = await opened({ fileBytesMax: 1 })
  await journal.append([act([1])])
  // The name of the next file is taken.
  await appendFile(join(folder, 'a-000002.journal'), '')
  await expect(journal.append([act([2])])).rejects.toThrow('EEXIST')
  await journal.append([act([2])])
  await journal.close()
  expect(await written()).toEqual([act([1]), act([2])])
})

test('the journal of another database is rejected', async () => {
  const journal = await opened()
  await journal.append([act([1])])
  await journal.close()
  await expect(opened({ database: 'theirs' })).rejects.toThrow('belongs to another database')
})
