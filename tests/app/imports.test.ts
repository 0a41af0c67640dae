// Imports in the app: mapping, dry run, run, error file and undo.
import { describe, expect, test } from 'vitest'
import { revenueImportTarget } from '../../src/imports/revenue.ts'
import { columnHeadersOf } from '../../src/model/import-headers.ts'
import { listDeliveries } from '../../src/store/notifications/deliveries.ts'
import { insertWebhook } from '../../src/store/notifications/webhooks.ts'
import { databases } from '../support/databases.ts'
import { expectError } from '../support/replies.ts'
import { recordsIn } from '../support/etags.ts'
import { whileRowsFail } from '../support/failing-rows.ts'
import { useClock, useTestServer } from '../support/server.ts'
import { workbook, workbookOf } from '../support/workbook.ts'
import { type SessionClient, openSession, openSessionAs, ownPage, useSession } from './session-client.ts'

const at = '/app/data/import'
const day = 24 * 60 * 60_000_000

describe.each(databases)('imports on $name', (database) => {
  const server = useTestServer(database, 'app-imports')
  const clock = useClock(server)
  const { company, session: admin } = useSession(server, 'admin')

  const send = (path: string, body: string | Buffer, who = admin, on = server) =>
    on.call('POST', `${at}/${path}`, {
      as: null,
      body,
      headers: { cookie: who.cookie, 'x-csrf-token': who.csrf, 'content-type': 'application/octet-stream', ...ownPage },
    })

  /** The lines of the reply: progress, and finally the result. */
  const rows = async (set: string, body: string | Buffer, query: Readonly<Record<string, string>>, who = admin) => {
    const reply = await send(`${set}/rader?${new URLSearchParams(query).toString()}`, body, who)
    if (reply.status !== 200) return reply.json
    const lines = reply.text.trim().split('\n')
    return JSON.parse(lines.at(-1) ?? '')
  }

  const run = async (set: string, body: string | Buffer, fields: string, more = {}) =>
    (await rows(set, body, { fields, dry: 'false', file: 'fil.csv', ...more })).report

  const undo = (id: number, who = admin) => who.send('POST', `${at}/angre`, { run: String(id) })

  const read = async (set: string, query = '') =>
    recordsIn(await server.call('GET', `/odata/${set}?${query}`, { as: company }))

  const patch = (address: string, json: object) => server.call('PATCH', address, { as: company, json })

  const departments = 'Avdelingsnr;Navn;Hovedavdeling\n20;Jernvare;10\n10;Byggevarer;\n'

  test('columns are guessed, with their fields and the first rows; unknown ones stay unmapped', async () => {
    const body = 'Ansattnr;Fornavn;Skostørrelse;Given name\n7;Kåre;44;K\n'
    const { json } = await send('ansatt/kolonner', body)
    expect(json).toMatchObject({
      headers: ['Ansattnr', 'Fornavn', 'Skostørrelse', 'Given name'],
      guessed: ['Id', 'Fornavn', null, null],
      rows: 1,
      first: [{ line: 2, cells: ['7', 'Kåre', '44', 'K'] }],
      needs: [['Id', 'EksternId']],
    })
    expect(json.fields).toContainEqual({ wire: 'Fodt', type: 'date', nb: 'Fødselsdato', en: 'Date of birth' })
  })

  test('a dry run returns what would be stored and stores nothing; the run stores it', async () => {
    const dry = await rows('avdeling', departments, { fields: 'Id,Navn,HovedavdelingId' })
    expect(dry.report).toEqual({
      isStored: false,
      inserted: 2,
      changed: 0,
      unchanged: 0,
      invalidCount: 0,
      invalid: [],
      errors: null,
      run: null,
    })
    expect(await read('Avdeling')).toEqual([])
    expect((await admin.get(at)).json.runs).toEqual([])
    const done = await run('avdeling', departments, 'Id,Navn,HovedavdelingId')
    expect(done).toMatchObject({ isStored: true, inserted: 2, run: 1 })
    expect(await read('Avdeling', '$select=Id,HovedavdelingId')).toEqual([
      { Id: '10', HovedavdelingId: null },
      { Id: '20', HovedavdelingId: '10' },
    ])
    const again = await run('avdeling', departments, 'Id,Navn,HovedavdelingId')
    expect(again).toMatchObject({ isStored: true, inserted: 0, unchanged: 2, run: null })
  })

  test('one invalid row rejects the file unless valid rows are requested; the repaired error file imports', async () => {
    const body = 'Nr;Navn;Hovedavdeling\n1;En;\n2;To;99\n'
    const refused = await run('avdeling', body, 'Id,Navn,HovedavdelingId')
    expect(refused).toMatchObject({ isStored: false, inserted: 1, invalidCount: 1, run: null })
    expect(refused.invalid[0]).toMatchObject({ line: 3 })
    expect(refused.invalid[0].problems).toEqual(['Hovedavdeling "99" does not exist.'])
    expect(await read('Avdeling')).toEqual([])
    const good = await run('avdeling', body, 'Id,Navn,HovedavdelingId', { takes: 'good' })
    expect(good).toMatchObject({ isStored: true, inserted: 1, invalidCount: 1 })
    const repaired = good.errors.replace('"99"', '"1"')
    const columns = await send('avdeling/kolonner', repaired)
    const fields = columns.json.guessed.map((one: string | null) => one ?? '').join(',')
    expect(await run('avdeling', repaired, fields)).toMatchObject({ isStored: true, inserted: 1 })
    expect(await read('Avdeling', '$select=Id,HovedavdelingId')).toEqual([
      { Id: '1', HovedavdelingId: null },
      { Id: '2', HovedavdelingId: '1' },
    ])
  })

  test('an unexpected error is logged with the request, and without the content of the file', async () => {
    let log = ''
    const logged = await server.secondInstance({ print: (text) => void (log += text) })
    let requestId = ''
    await whileRowsFail(server, 'importRun', 'insert', company, async () => {
      const query = 'fields=Id,Navn,HovedavdelingId&dry=false&file=hemmelig.csv'
      const { text, headers } = await send(`avdeling/rader?${query}`, departments, admin, logged)
      requestId = headers['x-request-id'] ?? ''
      const { error } = JSON.parse(text.trim().split('\n').at(-1) ?? '')
      expect(error).toMatchObject({ code: 'InternalError', requestId })
    })
    expect(JSON.parse(log)).toMatchObject({
      level: 50,
      id: requestId,
      code: 'InternalError',
      companyId: company.id,
      credentialId: expect.stringMatching(/^user:\d+$/),
      err: { message: 'fault', stack: expect.stringContaining('fault') },
    })
    expect(log).not.toMatch(/Jernvare|hemmelig/)
    expect(await read('Avdeling')).toEqual([])
  })

  test('undo deletes what the import added and restores what it changed', async () => {
    await run('avdeling', 'Id;Navn;E-post\n10;Før;a@b.no\n', 'Id,Navn,Epost')
    const { run: id } = await run(
      'avdeling',
      'Id;Navn;Hovedavdeling;E-post\n10;Etter;;c@d.no\n20;Ny;10;\n30;Nyere;20;\n',
      'Id,Navn,HovedavdelingId,Epost',
    )
    const [listed] = (await admin.get(at)).json.runs
    expect(listed).toMatchObject({
      id,
      resource: 'Avdeling',
      file: 'fil.csv',
      inserted: 2,
      changed: 1,
      isUndoable: true,
    })
    expect((await undo(id)).json).toEqual({ undone: 3, kept: [], keptCount: 0 })
    expect(await read('Avdeling', '$select=Id,Navn,Epost')).toEqual([{ Id: '10', Navn: 'Før', Epost: 'a@b.no' }])
    expect((await undo(id)).json.error.code).toBe('ImportNotUndoable')
    const actions = (await admin.get('/app/data/revisjon')).json.rows.map(({ action }: { action: string }) => action)
    expect(actions).toEqual(['import-undo', 'import', 'import', 'sign-in'])
  })

  test('undo leaves records that were changed since or are referred to', async () => {
    const { run: id } = await run('avdeling', 'Id;Navn\n10;A\n20;B\n30;C\n', 'Id,Navn')
    await patch("/ansatt/avdeling('20')", { Navn: 'Endret' })
    await server.call('POST', '/ansatt/ansatt', { as: company, json: { Id: 1, AvdelingId: '30' } })
    const { json } = await undo(id)
    expect(json.undone).toBe(1)
    expect(json.kept.toSorted((a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1))).toEqual([
      { key: '20', why: 'changed' },
      { key: '30', why: 'referenced' },
    ])
    expect(await read('Avdeling', '$select=Id,Navn')).toEqual([
      { Id: '20', Navn: 'Endret' },
      { Id: '30', Navn: 'C' },
    ])
  })

  test('an import older than thirty days cannot be undone', async () => {
    const { run: id } = await run('anlegg', 'Id;Navn\n1;A\n', 'Id,Navn')
    const signedIn = clock.now
    clock.now += 30 * day
    const later = await openSessionAs(server, company, 'admin')
    expect((await undo(id, later)).json.error.code).toBe('ImportNotUndoable')
    expect((await later.get(at)).json.runs[0]).toMatchObject({ id, isUndoable: false })
    clock.now = signedIn
    expect(await read('Anlegg')).toHaveLength(1)
  })

  test('the import log of an anonymized employee contains no personal data', async () => {
    await run('ansatt', 'Id;Fornavn;Mobil\n7;Kåre;111\n', 'Id,Fornavn,Mobil')
    const { run: id } = await run('ansatt', 'Id;Fornavn;Mobil\n7;Kåre;222\n', 'Id,Fornavn,Mobil')
    await server.call('DELETE', '/ansatt/ansatt(7)', { as: company })
    await server.call('POST', '/ansatt/ansatt', { as: company, json: { Id: 7 } })
    expect((await undo(id)).json).toEqual({ undone: 0, kept: [], keptCount: 0 })
    expect(await read('Ansatt', '$select=Id,Fornavn')).toEqual([{ Id: 7, Fornavn: null }])
  })

  const revenue = async () =>
    (await read('Omsetning', '$select=Dato,AvdelingID,Omsetning,Merknad&$orderby=Dato')).map(
      (row: Record<string, unknown>) => Object.values(row),
    )

  test('a revenue file sets the cells of its rows, skips unchanged ones, and can be undone', async () => {
    const first = 'Dato;Avdeling;Salg\n1.5.2026;10;1 000,50\n2.5.2026;10;2000\n'
    expect(await run('omsetning', first, 'Dato,AvdelingID,Omsetning')).toMatchObject({ inserted: 2, run: 1 })
    const second = 'Dato;Avdeling;Salg;Merknad\n1.5.2026;10;1000,5;\n2.5.2026;10;7;rettet\n3.5.2026;10;9;\n'
    const fields = 'Dato,AvdelingID,Omsetning,Merknad'
    const report = await run('omsetning', second, fields)
    expect(report).toMatchObject({ inserted: 1, changed: 1, unchanged: 1, run: 2 })
    expect(await revenue()).toEqual([
      ['2026-05-01', '10', 1000.5, null],
      ['2026-05-02', '10', 7, 'rettet'],
      ['2026-05-03', '10', 9, null],
    ])
    expect((await undo(2)).json).toEqual({ undone: 2, kept: [], keptCount: 0 })
    expect(await revenue()).toEqual([
      ['2026-05-01', '10', 1000.5, null],
      ['2026-05-02', '10', 2000, null],
    ])
    const log = await read('OmsetningLogg', '$select=Handling,Etter&$orderby=Id desc&$top=2')
    expect(log.map(({ Handling }: { Handling: string }) => Handling).toSorted()).toEqual(['sett', 'slett'])
  })

  test('a revenue file sends one event to webhooks, and so does its undo', async () => {
    const hook = {
      companyId: company.id,
      url: 'http://127.0.0.1:1/',
      types: 'revenue.changed',
      secret: '',
      createdAt: 0,
    }
    await server.store.inSystemTransaction((writer) => insertWebhook(writer, hook))
    const lines = Array.from({ length: 600 }, (_, index) => `1.5.2026;${index};1\n`)
    const report = await run('omsetning', `Dato;Avdeling;Salg\n${lines.join('')}`, 'Dato,AvdelingID,Omsetning')
    expect(await listDeliveries(server.store, company.id, 0)).toHaveLength(1)
    expect((await undo(report.run)).json).toMatchObject({ undone: 600 })
    expect(await listDeliveries(server.store, company.id, 0)).toHaveLength(2)
  })

  test('an undone revenue file deletes and restores in the order of the log, whose timestamps rise', async () => {
    const fields = 'Dato,AvdelingID,Omsetning'
    const head = 'Dato;Avdeling;Salg\n'
    const rows = Array.from({ length: 9 }, (_, at) => `${at + 1}.5.2026;10;1\n`)
    await run('omsetning', head + rows.join(''), fields)
    const report = await run('omsetning', `${head}9.5.2026;10;2\n10.5.2026;10;2\n`, fields)
    expect((await undo(report.run)).json).toEqual({ undone: 2, kept: [], keptCount: 0 })
    const log = await read('OmsetningLogg', '$select=Tid&$orderby=Id')
    const times = log.map(({ Tid }: { Tid: string }) => Tid)
    expect(times).toHaveLength(13)
    expect(times).toEqual(times.toSorted())
  })

  test('a revenue row without its cell is invalid, and so is a second row of a cell', async () => {
    const body = 'Dato;Avdeling;Salg\n1.5.2026;;5\n;10;5\n2.5.2026;10;x\n3.5.2026;10;1\n3.5.2026;10;2\n'
    const report = await run('omsetning', body, 'Dato,AvdelingID,Omsetning', { takes: 'good' })
    expect(report).toMatchObject({ isStored: true, inserted: 1, invalidCount: 4 })
    expect(report.invalid.map(({ line }: { line: number }) => line)).toEqual([2, 3, 4, 6])
    expect(await revenue()).toEqual([['2026-05-03', '10', 1, null]])
  })

  test('two rows of one record, one by its key and one by its external id, are a duplicate', async () => {
    await run('avdeling', 'Id;EksternId;Navn\n10;X10;Oslo\n', 'Id,EksternId,Navn')
    const twice = 'Id;EksternId;Navn\n10;;Oslo sentrum\n;X10;Oslo øst\n'
    const dry = await rows('avdeling', twice, { fields: 'Id,EksternId,Navn' })
    expect(dry.report).toMatchObject({ changed: 1, invalidCount: 1, invalid: [{ line: 3 }] })
    const stored = await run('avdeling', twice, 'Id,EksternId,Navn', { takes: 'good' })
    expect(stored).toMatchObject({ isStored: true, changed: 1, invalidCount: 1 })
    expect(await read('Avdeling')).toMatchObject([{ Id: '10', Navn: 'Oslo sentrum' }])
  })

  test('concurrent workbooks are unpacked one after the other', async () => {
    const countProcesses = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length
    const before = countProcesses()
    let most = 0
    const sampling = setInterval(() => (most = Math.max(most, countProcesses() - before)), 1)
    const far = workbookOf('<worksheet><sheetData><row r="9"><c r="C9"><v>1</v></c></row></sheetData></worksheet>')
    const replies = await Promise.all([1, 2, 3, 4].map(() => send('omsetning/kolonner', far)))
    clearInterval(sampling)
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(most).toBe(1)
    await expect.poll(() => countProcesses() - before).toBe(0)
  })

  test('a workbook of another company waits for one workbook, however many one company sends', async () => {
    const other = await openSessionAs(server, await server.addCompany('IMPORT'), 'admin')
    const file = workbook([['Dato'], ['2026-05-01']])
    const order: string[] = []
    const sent = async (name: string, who: SessionClient) => {
      expect((await send('omsetning/kolonner', file, who)).status).toBe(200)
      order.push(name)
    }
    const own = Array.from({ length: 5 }, () => sent('own', admin))
    await expect.poll(() => process.getActiveResourcesInfo().includes('ProcessWrap')).toBe(true)
    await Promise.all([...own, sent('other', other)])
    expect(order.indexOf('other')).toBeLessThan(3)
  })

  test('a workbook over its time or memory limit is rejected, and does not delay a small one', async () => {
    const order: string[] = []
    const sent = async (name: string, file: Buffer) => {
      const reply = await send('omsetning/kolonner', file)
      order.push(name)
      return reply
    }
    const far = '<sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    // The part makes it one of the large files; the last cell of a sheet fills the memory.
    const picture = { name: 'xl/media/image1.png', bytes: Buffer.alloc(6_000_000) }
    const long = sent('large', workbookOf(`<worksheet>${far}</worksheet>`, [picture]))
    const quick = await sent('small', workbook([['Dato'], ['2026-05-01']]))
    expect([quick.status, order]).toEqual([200, ['small']])
    const { status, json } = await long
    expect([status, json.error.code]).toEqual([400, 'UnreadableFile'])
    expect(json.error.message).toContain('too much time or memory')
    // A slow machine reaches the time limit of 60 s before that of the memory.
  }, 150_000)

  test('too many rows are rejected before they are all read', async () => {
    expectError(await send('omsetning/kolonner', `Dato\n${'x\n'.repeat(8_000_000)}`), 400, 'TooManyItems')
  })

  test('an approver cannot undo imports of other departments, not even a part', async () => {
    const fields = 'Dato,AvdelingID,Omsetning'
    const body = 'Dato;Avdeling;Salg\n2026-05-01;10;5\n2026-05-01;20;6\n'
    const { run: id } = await run('omsetning', body, fields)
    const person = await server.addUser([{ company, role: 'approver', departments: ['10'] }])
    const approver = await openSession(server, person)
    expect((await undo(id, approver)).json.error).toMatchObject({ code: 'InvalidValue', target: 'AvdelingID' })
    expect(await revenue()).toHaveLength(2)
    expect((await undo(id)).json).toMatchObject({ undone: 2, keptCount: 0 })
  })

  test('an approver imports revenue of the own departments, and nothing of the directory', async () => {
    const person = await server.addUser([{ company, role: 'approver', departments: ['10'] }])
    const approver = await openSession(server, person)
    const body = 'Dato;Avdeling;Salg\n1.5.2026;10;5\n1.5.2026;20;5\n'
    const query = { fields: 'Dato,AvdelingID,Omsetning', dry: 'false', takes: 'good' }
    const { report } = await rows('omsetning', body, query, approver)
    expect(report).toMatchObject({ inserted: 1, invalidCount: 1 })
    expect(await revenue()).toEqual([['2026-05-01', '10', 5, null]])
    for (const path of ['ansatt/kolonner', 'ansatt/rader?fields=Id'])
      expect((await send(path, 'Id\n1\n', approver)).json.error.code).toBe('RoleMissing')
    const { run: id } = await run('anlegg', 'Id\n1\n', 'Id')
    expect((await undo(id, approver)).json.error.code).toBe('RoleMissing')
    expect((await approver.get(at)).json).toMatchObject({ subjects: ['Omsetning'], runs: [{ resource: 'Omsetning' }] })
    const outsider = await openSessionAs(server, server.tenantB, 'admin')
    expect((await undo(id, outsider)).json.error.code).toBe('NotFound')
    expect((await outsider.get(at)).json.runs).toEqual([])
  })

  test('an invalid file, field or set is rejected, and nothing changes', async () => {
    for (const [path, body, code] of [
      ['ansatt/kolonner', '', 'UnreadableFile'],
      ['ansatt/rader?fields=Fornavn', 'Fornavn\nA\n', 'UnreadableFile'],
      ['ansatt/rader?fields=Id,Id', 'Id;Nr\n1;2\n', 'UnreadableFile'],
      ['ansatt/rader?fields=Ukjent', 'Id\n1\n', 'UnreadableFile'],
      ['ansatt/rader?fields=Id&takes=some', 'Id\n1\n', 'InvalidValue'],
      ['omsetning/rader?fields=Dato,AvdelingID', 'Dato;Avdeling\n1.5.2026;1\n', 'UnreadableFile'],
      ['transaksjon/kolonner', 'Id\n1\n', 'NotFound'],
    ] as const)
      expect([path, (await send(path, body)).json.error?.code]).toEqual([path, code])
    expect((await undo(99)).json.error.code).toBe('NotFound')
    expect((await admin.send('POST', `${at}/angre`, { run: 'x' })).json.error.code).toBe('InvalidValue')
    expect(await read('Ansatt')).toEqual([])
  })

  test('a template is a header row in either language', async () => {
    const nb = await admin.get(`${at}/Omsetning/mal`)
    const en = await admin.get(`${at}/Omsetning/mal`, { language: 'en' })
    const { resource } = revenueImportTarget
    const headers = Object.values(columnHeadersOf(resource))
    expect([nb.text, en.text]).toEqual([
      `\uFEFF${headers.map(([header]) => `"${header}"`).join(';')}\r\n`,
      `\uFEFF${headers.map(([, header]) => `"${header}"`).join(';')}\r\n`,
    ])
    expect(nb.text).toMatch(/^\uFEFF"Dato";"Avdeling";"Omsetning";/)
    expect(nb.headers['content-disposition']).toBe('attachment; filename="omsetning-nb.csv"')
    const columns = await send('omsetning/kolonner', en.text)
    const names = Object.keys(columnHeadersOf(resource))
    expect(columns.json.guessed).toEqual(names.map((name) => resource.fields[name]?.wire))
  })

  test('twenty thousand rows report their progress, and can be undone', async () => {
    const body = ['Id;Navn', ...Array.from({ length: 20_000 }, (_, id) => `${id + 1};N`)].join('\n')
    const reply = await send('anlegg/rader?fields=Id,Navn&dry=false', body)
    const lines = reply.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const steps = new Set(lines.map(({ step }: { step?: string }) => step))
    expect(steps).toEqual(new Set(['reading', 'storing', undefined]))
    expect(lines.at(-1).report).toMatchObject({ inserted: 20_000, run: 1 })
    expect((await undo(1)).json).toMatchObject({ undone: 20_000, keptCount: 0 })
    expect(await read('Anlegg')).toEqual([])
  })
})
