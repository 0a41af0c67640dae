// `dagsverk export`: fetch, mark, history, reconcile and undo, while a server is running.
import { execFileSync, spawn } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { newMaterialClient, useMaterialClient, usage } from '../support/material-client.ts'
import { useTestServer } from '../support/server.ts'
import { useTerminal } from './terminal.ts'

describe.each(databases)('export at the command line on $name', (database) => {
  const server = useTestServer(database, 'cliexport')
  const materialClient = useMaterialClient(server)
  const terminal = useTerminal(() => ({ DAGSVERK_DATABASE_URL: server.url, DAGSVERK_MASTER_KEY: server.masterKey }))
  let ids: number[]
  beforeEach(async () => {
    terminal.clock.now = Date.now() * 1000
    ids = await materialClient.register(3)
    await materialClient.approve(...ids)
  })

  const args = (what: string, ...more: string[]) => ['export', what, ...more, '--company', materialClient.company.name]
  const run = (what: string, ...more: string[]) => terminal.run(...args(what, ...more))
  const json = async (what: string, ...more: string[]) => {
    const ended = await run(what, ...more, '--json')
    return { ...ended, json: JSON.parse(ended.stdout) }
  }
  const write = (name: string, content: string): string => {
    writeFileSync(join(terminal.folder, name), content)
    return name
  }
  const read = (name: string) => readFileSync(join(terminal.folder, name), 'utf8')
  const exported = (id: number) => expect.objectContaining({ id, next: expect.any(String) })

  test('fetch writes the lines of the export list as JSON and logs the retrieval', async () => {
    const { json: stderr } = await json('fetch', 'lines.json')
    expect(stderr).toMatchObject({ lines: 3, quantity: '6.0000', amount: '63.0000' })
    const listed = (await materialClient.exportList()).json.value
    expect(JSON.parse(read('lines.json'))).toEqual(listed)
    expect(readdirSync(terminal.folder).filter((name) => name.startsWith('lines.json'))).toEqual(['lines.json'])
    expect(await materialClient.listedIds()).toEqual(ids)
    const history = (await json('history', String(ids[0]))).json
    expect(history[0]).toMatchObject({ what: 'retrieved', by: 'operator' })
  })

  test('fetch follows a link and writes to a pipe, and replaces neither', async () => {
    const link = join(terminal.folder, 'link.json')
    symlinkSync(write('target.json', ''), link)
    expect((await run('fetch', 'link.json')).exitCode).toBe(0)
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(JSON.parse(read('target.json'))).toHaveLength(3)
    const pipe = join(terminal.folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'ignore'] })
    const lines = text(reader.stdout)
    try {
      expect((await run('fetch', 'pipe')).exitCode).toBe(0)
      expect(lstatSync(pipe).isFIFO()).toBe(true)
      expect(JSON.parse(await lines)).toHaveLength(3)
    } finally {
      reader.kill()
    }
  })

  test('fetch writes CSV without formulas, with semicolons, decimal commas and a byte order mark', async () => {
    const evil = { ...usage, Merknad: '=1+1;"x"', EksternId: '@cmd', Antall: -2.5 }
    const [{ id }] = (await materialClient.registerBatch([evil])).json.resultater
    await materialClient.approve(id)
    expect((await run('fetch', 'lines.csv', '--bom')).exitCode).toBe(0)
    const text = read('lines.csv')
    expect(text).toMatch(/^\uFEFF"Id";"Dato";/)
    const line = text.split('\r\n').find((one) => one.startsWith(`"${id}";`))
    expect(line).toContain(`"'=1+1;""x"""`)
    expect(line).toContain(`"'@cmd"`)
    expect(line).toContain('"-2,5"')
    expect(line).toContain(`"T${id}.r1"`)
    expect((await run('fetch', 'plain.csv')).exitCode).toBe(0)
    expect(read('plain.csv').startsWith('"Id"')).toBe(true)
  })

  test('mark accepts the fetched file, and is idempotent', async () => {
    await run('fetch', 'lines.json')
    expect((await json('mark', '--file', 'lines.json', '--dry-run')).json).toEqual({ exported: 3 })
    expect(await materialClient.listedIds()).toEqual(ids)
    const first = await json('mark', '--file', 'lines.json', '--external-batch', 'V-117')
    expect(first.json).toEqual({ exported: 3 })
    expect(await materialClient.listedIds()).toEqual([])
    expect((await json('mark', ...ids.map(String))).json).toEqual({ already_exported: 3 })
    const history = (await json('history', String(ids[2]))).json
    expect(history.at(0)).toMatchObject({ what: 'retrieved', by: 'operator' })
    expect(history.at(-1)).toMatchObject({ what: 'acknowledged', by: 'operator', more: 'V-117' })
  })

  test('mark reads CSV columns, and prints the ids it did not mark', async () => {
    const list = write('taken.csv', `Id;externalId\n${ids[0]};B-1\n${ids[1]};B-2\n999999;B-3\n`)
    const ended = await json('mark', '--file', list)
    expect(ended.json).toEqual({ exported: 2, not_found: 1 })
    expect([ended.exitCode, ended.stderr]).toEqual([1, expect.stringContaining('999999: not_found')])
    const { json: found } = await json('reconcile', write('theirs.json', '["B-1","B-2"]'), '--by=external')
    expect(found).toEqual({ both: 2, onlyOurs: [], onlyTheirs: [] })
    expect(await materialClient.listedIds()).toEqual(ids.slice(2))
  })

  test('reconcile lists both, only ours and only theirs with an action, and exits with 1 on differences', async () => {
    await materialClient.acknowledge({ ids: ids.slice(0, 2) })
    const list = write('have.csv', `${ids[0]}\n${ids[2]}\n888888\n`)
    const ended = await json('reconcile', list)
    expect(ended.exitCode).toBe(1)
    expect(ended.json).toEqual({
      both: 1,
      onlyOurs: [exported(ids[1] ?? 0)],
      onlyTheirs: [
        expect.objectContaining({ id: ids[2], state: 'ready', next: expect.stringContaining('mark') }),
        expect.objectContaining({ id: 888_888, state: 'unknown' }),
      ],
    })
    const keys = write('keys.json', JSON.stringify([{ Eksportnokkel: `T${ids[0]}.r1` }]))
    expect((await json('reconcile', keys, '--to', '2020-01-01')).json).toMatchObject({ both: 1, onlyOurs: [] })
    const words = await run('reconcile', list)
    expect(words.stdout).toMatch(/only theirs +2/)
  })

  test('undo previews lines and sums, and executes with --yes and a reason', async () => {
    await materialClient.acknowledge({ items: ids.map((id) => ({ id, externalId: `V-${id}` })) })
    const preview = await json('undo', String(ids[0]), String(ids[1]))
    expect(preview.json).toMatchObject([
      { id: ids[0], code: 'undone', quantity: '2', amount: '21', externalId: `V-${ids[0]}` },
      { id: ids[1], code: 'undone' },
    ])
    expect(preview.stderr).toContain('2 lines would return to the export list: quantity 4.0000, amount 42.0000')
    expect(await materialClient.listedIds()).toEqual([])
    const silent = await run('undo', String(ids[0]), '--yes')
    expect([silent.exitCode, silent.stderr]).toEqual([2, expect.stringContaining('--reason')])
    expect(await materialClient.listedIds()).toEqual([])
    const done = await run('undo', String(ids[0]), '--yes', '--reason', 'wrong year')
    expect(done.exitCode).toBe(0)
    expect((await materialClient.exportList()).json.value).toMatchObject([
      { Id: ids[0], Eksportnokkel: `T${ids[0]}.r1.g2` },
    ])
    expect((await run('history', String(ids[0]))).stdout).toContain('wrong year')
  })

  test('history of a time span lists retrievals and acknowledgements by request', async () => {
    await materialClient.exportList()
    await materialClient.acknowledge({ ids })
    const { json: history } = await json('history', '--from', '2020-01-01')
    expect(history).toMatchObject([
      { what: 'retrieved', lines: '3' },
      { what: 'acknowledged', lines: `3: ${ids[0]} to ${ids[2]}` },
    ])
    expect((await json('history', '--to', '2020-01-01')).json).toEqual([])
  })

  // 25 hours apart: their dates always differ.
  test.each([
    ['Pacific/Kiritimati', 'Pacific/Pago_Pago'],
    ['Pacific/Pago_Pago', 'Pacific/Kiritimati'],
  ])('a day of the history is that of the company in %s', async (timezone, otherZone) => {
    Object.assign(materialClient, await newMaterialClient(server, { timezone }))
    await materialClient.exportList()
    const [{ at }] = (await json('history', '--from', '2020-01-01')).json
    const listed = async (zone: string) => {
      const day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(new Date(at))
      return (await json('history', '--from', day, '--to', day)).json.length
    }
    expect([await listed(timezone), await listed(otherZone)]).toEqual([1, 0])
  })

  test('invalid input is reported with its position, and changes nothing', async () => {
    const refusals: [string[], RegExp][] = [
      [['mark', 'x'], /^dagsverk: "x" is not the Id of a line/],
      [['mark'], /Specify ids/],
      [['mark', '1', '--file', write('ids.json', JSON.stringify(ids))], /Use ids or --file, not both/],
      [['mark', '--file', 'missing.json'], /missing\.json cannot be read: ENOENT/],
      [['mark', '--file', write('bad.json', '[1,')], /cannot be read/],
      [['mark', '--file', write('odd.json', '[{"a":1}]')], /entry 1 has no line id/],
      [['mark', '--file', write('wide.csv', 'a;b\n1;2\n')], /no column is called Id/],
      [['mark', '1', '--destination', '77'], /no destination 77/],
      [['history', '--from', 'today'], /"today" is not a date/],
      [['history', '-1x'], /./],
      [['fetch', 'x.json', '--format', 'xml'], /./],
    ]
    for (const [words, says] of refusals) {
      const [what = '', ...more] = words
      const { exitCode, stderr } = await run(what, ...more)
      expect([words, exitCode === 0, stderr]).toEqual([words, false, expect.stringMatching(says)])
    }
    expect(await materialClient.listedIds()).toEqual(ids)
  })
})
