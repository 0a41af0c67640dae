import { mkdtemp, readdir, readFile, rename, rm, truncate, writeFile, appendFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assert, asyncProperty, integer, nat } from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openExportJournal } from './export-journal.ts'
import { readJournalRecords, readNewestFiles, readWatermarks } from './read-journal.ts'
import { formatLine, noHash, type JournalAction, type JournalRecord } from './record.ts'

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

test('a long file is not kept in memory: its first records are read before its end, which is found to be damaged', async () => {
  const journal = await opened()
  const records = Array.from({ length: 2000 }, (_, index) => act([index + 1], { requestId: 'r'.repeat(200) }))
  await journal.append(records)
  await journal.close()
  const [name = ''] = await fileNames()
  const path = join(folder, name)
  const content = await readFile(path)
  expect(content.length).toBeGreaterThan(2 * 256 * 1024)
  await writeFile(path, Buffer.concat([content.subarray(0, -3), Buffer.from('x"}\n')]))
  const read: JournalRecord[] = []
  const reading = async () => {
    for await (const record of readJournalRecords(folder)) read.push(record)
  }
  await expect(reading()).rejects.toThrow(`${name} is damaged at line 2001`)
  expect(read).toEqual(records.slice(0, -1))
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

describe('a file of several', () => {
  /** Four files with an acknowledgement each. */
  beforeEach(async () => {
    const journal = await opened({ fileBytesMax: 1 })
    for (let ledger = 1; ledger <= 4; ledger++) await journal.append([act([ledger])])
    await journal.close()
    expect(await fileNames()).toHaveLength(4)
    expect(await written()).toHaveLength(4)
  })

  const path = (number: number) => join(folder, `a-00000${number}.journal`)

  test.each([1, 2, 3])(
    'that is missing before another one is found, and the next one is named: file %i',
    async (number) => {
      await rm(path(number))
      await expect(written()).rejects.toThrow(`lacks the file that was written before ${path(number + 1)}`)
    },
  )

  test('that is missing together with its neighbour is found', async () => {
    await rm(path(2))
    await rm(path(3))
    await expect(written()).rejects.toThrow(`before ${path(4)}`)
  })

  test.each([1, 2, 3])('that was exchanged for another valid one is found: file %i', async (number) => {
    const other = await opened({ server: 'b', fileBytesMax: 1 })
    for (let ledger = 1; ledger <= 4; ledger++) await other.append([act([ledger], { requestId: 'r-2' })])
    await other.close()
    await rename(join(folder, `b-00000${number}.journal`), path(number))
    for (let rest = number + 1; rest <= 4; rest++) await rm(join(folder, `b-00000${rest}.journal`))
    await expect(written()).rejects.toThrow(/lacks the file|exchanged/)
  })

  test.each([1, 2, 3])('that lost its last lines is found: file %i', async (number) => {
    const content = await readFile(path(number), 'utf8')
    await writeFile(path(number), content.slice(0, content.indexOf('\n') + 1))
    await expect(written()).rejects.toThrow(`before ${path(number + 1)}`)
  })

  test('that was emptied is found', async () => {
    await writeFile(path(2), '')
    await expect(written()).rejects.toThrow(`before ${path(3)}`)
  })

  test('that got further valid lines is found', async () => {
    const content = await readFile(path(2), 'utf8')
    const last = content.trimEnd().split('\n').at(-1)?.split(' ')[0] ?? ''
    await appendFile(path(2), formatLine(act([9]), last).text)
    await expect(written()).rejects.toThrow(`before ${path(3)}`)
  })

  test('that does not begin with a summary is damaged', async () => {
    await writeFile(path(4), formatLine(act([9]), noHash).text)
    await expect(written()).rejects.toThrow(`${path(4)} is damaged at line 1`)
  })
})

test('what other servers append is read once, and not what a failed write of its own left', async () => {
  const [own, other] = [await opened(), await opened({ server: 'b' })]
  await own.append([act([1])])
  await other.append([act([2])])
  await own.readAppended()
  expect(own.watermarks).toEqual([{ companyId: 1, through: 2, ceiling: 0 }])
  const otherPath = join(folder, 'b-000001.journal')
  const content = await readFile(otherPath)
  await writeFile(otherPath, Buffer.alloc(content.length, '\n'))
  await other.append([act([3])])
  await own.readAppended()
  expect(own.watermarks).toEqual([{ companyId: 1, through: 3, ceiling: 0 }])
  const ownPath = join(folder, 'a-000001.journal')
  const lastHash = (await readFile(ownPath, 'utf8')).trimEnd().split('\n').at(-1)?.split(' ')[0] ?? ''
  await appendFile(ownPath, formatLine(act([4]), lastHash).text)
  await own.readAppended()
  expect(own.watermarks).toEqual([{ companyId: 1, through: 3, ceiling: 0 }])
  await own.close()
  await other.close()
})

test('a file that a crash left without lines does not hide the older ones', async () => {
  const journal = await opened()
  await journal.append([act([1, 2])])
  await journal.close()
  await writeFile(join(folder, 'a-000002.journal'), 'not finis')
  const ends = await readNewestFiles(folder, () => {})
  expect(ends).toMatchObject([{ newest: { number: 2 }, last: { number: 1 } }])
  const again = await opened()
  expect(again.watermarks).toEqual([{ companyId: 1, through: 2, ceiling: 0 }])
  expect((await readWatermarks(folder)).all).toEqual(again.watermarks)
  await again.append([act([3])])
  await again.close()
  expect(await fileNames()).toHaveLength(3)
  expect(await written()).toEqual([act([1, 2]), act([3])])
})

describe('what a failed write left', () => {
  const [first, second] = [() => join(folder, 'a-000001.journal'), () => join(folder, 'a-000002.journal')]
  const opening = (previousHash: string) =>
    ({ kind: 'opening', database: 'mine', previousHash, companies: [] }) as const

  test.each([
    ['the line', (hash: string) => appendFile(first(), formatLine(act([2]), hash).text)],
    ['a part of the line', () => appendFile(first(), 'not finis')],
    ['the first line of the next file', (hash: string) => appendFile(second(), formatLine(opening(hash), noHash).text)],
  ])('is no damage, and lines before it are still verified: %s', async (_, leave) => {
    const journal = await opened({ fileBytesMax: 1 })
    await journal.append([act([1])])
    const content = await readFile(first(), 'utf8')
    // The name of the next file is taken.
    await appendFile(second(), '')
    await expect(journal.append([act([2])])).rejects.toThrow('EEXIST')
    await leave(content.trimEnd().split('\n').at(-1)?.split(' ')[0] ?? '')
    await journal.append([act([2])])
    await journal.append([act([3])])
    await journal.close()
    expect(await fileNames()).toHaveLength(4)
    expect((await written()).slice(-2)).toEqual([act([2]), act([3])])
    await writeFile(first(), content.slice(0, content.indexOf('\n') + 1))
    await expect(written()).rejects.toThrow('lacks the file')
  })
})

test('the journal of another database is rejected', async () => {
  const journal = await opened()
  await journal.append([act([1])])
  await journal.close()
  await expect(opened({ database: 'theirs' })).rejects.toThrow('belongs to another database')
})
