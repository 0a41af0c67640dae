// `dagsverk import`: CSV and Excel files, on every database.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { array, assert, asyncProperty, constantFrom, string } from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { department, employee, project, site } from '../../src/model/directory.ts'
import { columnHeadersOf } from '../../src/model/import-headers.ts'
import { planRead } from '../../src/engine/planner/plan-read.ts'
import { mapColumns, suggestFields } from '../../src/imports/columns.ts'
import { directoryImportTarget } from '../../src/imports/directory.ts'
import { revenueImportTarget } from '../../src/imports/revenue.ts'
import { readTable } from '../../src/imports/read-table.ts'
import { ApiError } from '../../src/errors/api-error.ts'
import { serviceSchema } from '../../src/model/service-schema.ts'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import { standardDialect } from '../../src/engine/odata/dialect.ts'
import { findCompany } from '../../src/store/accounts/companies.ts'
import { statement } from '../../src/store/statement.ts'
import { csvLine } from '../../src/engine/formats/csv/csv.ts'
import { databases } from '../support/databases.ts'
import { seed } from '../support/random.ts'
import { useTestServer } from '../support/server.ts'
import { workbook, workbookOf, zip } from '../support/workbook.ts'
import { openTerminal, useTerminal } from './terminal.ts'

describe.each(databases)('import on $name', (database) => {
  const server = useTestServer(database, 'import')
  const terminal = useTerminal(() => ({ DAGSVERK_DATABASE_URL: server.url, DAGSVERK_MASTER_KEY: server.masterKey }))
  let companies = 0
  let company = ''

  const newCompany = async () => {
    companies += 1
    company = `Fjord ${companies}`
    await terminal.run('company', 'add', company)
  }
  beforeEach(newCompany)

  const write = (name: string, content: string | Buffer): string => {
    writeFileSync(join(terminal.folder, name), content)
    return name
  }

  const run = (what: string, file: string, ...flags: string[]) =>
    terminal.run('import', what, file, '--company', company, ...flags)

  const done = (what: string, file: string, ...flags: string[]) =>
    terminal.json('import', what, file, '--company', company, ...flags)

  const resources = { Ansatt: employee, Avdeling: department, Prosjekt: project, Anlegg: site }

  /** The records of a set as a read gives them, by the declared names. */
  const records = async (set: keyof typeof resources): Promise<Record<string, unknown>[]> => {
    const { id } = (await findCompany(server.store, company)) ?? { id: 0 }
    const plan = planRead(resources[set], new Map([['$top', '200000']]), {
      schema: serviceSchema,
      companyId: id as CompanyId,
      grantedScopes: new Set(['directory:read', 'directory:personal']),
      zone: 'Europe/Oslo',
      dialect: standardDialect,
      dates: 'date',
      naming: 'declared',
      clock: () => 0,
    })
    const rows = await server.store.readRows(plan, 'json')
    const texts: unknown[] = []
    if ('whole' in rows) texts.push(...rows.whole.flat())
    else for await (const batch of rows.chunks) texts.push(...batch.flat())
    return texts.map((text) => JSON.parse(String(text)))
  }

  // SQLite has fixed statistics (ADR 0014).
  if (database.name === 'PostgreSQL')
    test('after a large import the planner statistics are updated', async () => {
      const lines = Array.from({ length: 1000 }, (_, at) => `${at};Anlegg ${at}\r\n`)
      await done('sites', write('many.csv', `Anleggsnr;Navn\r\n${lines.join('')}`))
      const pages = statement<{ reltuples: number }>(
        () => sql`select reltuples from pg_class where oid = '"site"'::regclass`,
      )
      expect((await server.store.first(pages, {}))?.reltuples).toBe(1000)
    })

  test('Norwegian CSV: Windows-1252, semicolons, decimal comma, dd.mm.yyyy', async () => {
    await done('departments', write('a.csv', 'Avdelingsnr;Navn\r\n10;Trevare\r\n'))
    const text =
      'Ansattnr;Fornavn;Etternavn;Avd;Fødselsdato;Stillings %;Aktiv;E-post;Notat;Rart\r\n' +
      '7;Kåre;Ås;10;1.5.1990;37,5 %;Ja;k@å.no;"To\nlinjer; og ""sitat""";x\r\n' +
      ';;;;;;;;;\r\n' +
      '8;Ola;Øy;;;1 000,25;nei;;;\r\n'
    const file = write('ansatte.csv', Buffer.from(text, 'latin1'))
    const { stderr } = await run('employees', file, '--dry-run')
    expect(stderr).toContain('Fødselsdato → Fodt')
    expect(stderr).toContain('Rart is ignored')
    expect(await records('Ansatt')).toEqual([])
    expect(await done('employees', file)).toMatchObject({ new: 2, changed: 0, invalid: 0 })
    expect(await records('Ansatt')).toMatchObject([
      {
        Id: 7,
        Fornavn: 'Kåre',
        Etternavn: 'Ås',
        AvdelingId: '10',
        Fodt: '1990-05-01',
        Stillingsprosent: 37.5,
        Aktiv: true,
        Epost: 'k@å.no',
        Notat: 'To\nlinjer; og "sitat"',
      },
      { Id: 8, Stillingsprosent: 1000.25, Aktiv: false, Fodt: null },
    ])
  })

  const encodings: [string, (text: string) => Buffer][] = [
    ['UTF-8', (text) => Buffer.from(text)],
    ['UTF-8 with a mark', (text) => Buffer.from(`\uFEFF${text}`)],
    ['UTF-16', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 without a mark', (text) => Buffer.from(text, 'utf16le')],
    ['UTF-16 of the other order', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['Windows-1252', (text) => Buffer.from(text, 'latin1')],
  ]
  test.each(encodings.flatMap(([name, encode]) => [';', ',', '\t'].map((delimiter) => ({ name, encode, delimiter }))))(
    '$name with $delimiter between the cells is read',
    async ({ encode, delimiter }) => {
      const text = `Id;Navn;Poststed\n007;Blåbærvegen;Å\nA 1;"Sør;""nord""";Ø`.replaceAll(';', delimiter)
      await done('sites', write('s.csv', encode(text)))
      expect(await records('Anlegg')).toMatchObject([
        { Id: '007', Navn: 'Blåbærvegen', Poststed: 'Å' },
        { Id: 'A 1', Navn: `Sør${delimiter}"nord"`, Poststed: 'Ø' },
      ])
    },
  )

  test('an Excel workbook: numbers, dates, booleans, and text that looks like a number', async () => {
    await done('departments', write('d.csv', 'Id,Name\n007,Kiosk\n'))
    const file = write(
      'ansatte.xlsx',
      workbook([
        ['Employee number', 'First name', 'Department', 'Hired', 'Position percent', 'Active'],
        [7, 'Kåre & co', '007', new Date('2020-02-29'), 37.5, true],
        [null, null, null, null, null, null],
        [8, 'Ola', null, null, 0.1, false],
      ]),
    )
    expect(await done('employees', file)).toMatchObject({ new: 2 })
    expect(await records('Ansatt')).toMatchObject([
      { Id: 7, Fornavn: 'Kåre & co', AvdelingId: '007', AnsattDato: '2020-02-29', Aktiv: true },
      { Id: 8, Stillingsprosent: 0.1, Aktiv: false },
    ])
    expect((await records('Ansatt'))[0]?.['Stillingsprosent']).toBe(37.5)
  })

  test('a repeated import changes nothing; empty cells clear fields only with --empty-clears', async () => {
    const file = write('a.csv', 'Id;Navn;E-post\n1;A;a@b.no\n2;B;\n')
    await done('departments', file)
    const before = await records('Avdeling')
    expect(await done('departments', file)).toMatchObject({ new: 0, changed: 0, unchanged: 2 })
    expect(await records('Avdeling')).toEqual(before)
    const next = write('b.csv', 'Id;Navn;E-post\n1;C;\n3;D;\n')
    expect(await done('departments', next)).toMatchObject({ new: 1, changed: 1, unchanged: 0 })
    expect(await records('Avdeling')).toMatchObject([{ Navn: 'C', Epost: 'a@b.no' }, {}, {}])
    await done('departments', next, '--empty-clears')
    expect(await records('Avdeling')).toMatchObject([{ Navn: 'C', Epost: null }, {}, {}])
  })

  test('without an id the external id identifies the record', async () => {
    const file = write('a.csv', 'Ekstern id;Fornavn\nL1;Kari\nL2;Ola\n')
    expect(await done('employees', file)).toMatchObject({ new: 2 })
    const next = write('b.csv', 'Ekstern id;Fornavn\nL2;Ole\nL3;Per\n')
    expect(await done('employees', next)).toMatchObject({ new: 1, changed: 1 })
    expect(await records('Ansatt')).toMatchObject([
      { Id: 1, EksternId: 'L1', Fornavn: 'Kari' },
      { Id: 2, EksternId: 'L2', Fornavn: 'Ole' },
      { Id: 3, EksternId: 'L3', Fornavn: 'Per' },
    ])
    await done('employees', write('c.csv', 'Id;Ekstern id\n9;L1\n'))
    const { errors } = JSON.parse(
      (await run('employees', write('d.csv', 'Ekstern id;Fornavn\nL1;X\nL9;Y\nL9;Z'), '--json')).stdout,
    )
    expect(errors).toMatchObject([
      { line: 2, problems: [{ code: 'InvalidValue', column: 'Ekstern id' }] },
      { line: 4, problems: [{ message: expect.stringContaining('line 3 has the same key') }] },
    ])
    // Text keys are never generated.
    const sites = await run('sites', write('e.csv', 'Ekstern id;Navn\nS1;X'), '--json')
    expect(JSON.parse(sites.stdout).errors).toMatchObject([{ problems: [{ code: 'MissingField' }] }])
  })

  test('one invalid row stops the import, unless --good-rows is given; rejected rows go to a file', async () => {
    const text = 'Id;Navn;Hovedavdeling\n1;A;\n2;=1+1;9\n2;B;\n3;@x;1\n4;+47 22 22 22 22;\n"";uten;\n5;-3,5;2\n'
    const file = write('a.csv', text)
    const refused = await run('departments', file, '--errors', 'feil.csv', '--language', 'nb')
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('Nothing was stored')
    expect(await records('Avdeling')).toEqual([])
    const written = readFileSync(join(terminal.folder, 'feil.csv'), 'utf8')
    expect(written).toContain('\uFEFF"Id";"Navn";"Hovedavdeling";"Linje";"Feil"\r\n')
    expect(written).toContain(`"2";"'=1+1";"9";"3";"Hovedavdeling «9» finnes ikke."`)
    expect(written).toContain('"5";"-3,5";"2";"8"')
    const cells = written.split(/[;\r\n]+/)
    expect(cells.filter((cell) => /^"[=+@\t\r]/.test(cell))).toEqual([])

    const good = await done('departments', file, '--good-rows')
    expect(good).toMatchObject({ new: 3, invalid: 4, stored: true })
    expect((await records('Avdeling')).map(({ Navn }) => Navn)).toEqual(['A', '@x', '+47 22 22 22 22'])

    // The corrected file is accepted with the added columns.
    const repaired = written.replace('"2";"\'=1+1";"9"', '"2";"\'=1+1";"1"').split('\r\n')
    const again = write('repaired.csv', [repaired[0], repaired[1], ''].join('\r\n'))
    expect(await done('departments', again)).toMatchObject({ new: 1, invalid: 0 })
    expect(await records('Avdeling')).toContainEqual(expect.objectContaining({ Id: '2', Navn: '=1+1' }))
  })

  test('--mapping assigns columns to fields', async () => {
    const file = write('a.csv', 'Kode;Betegnelse;Navn;Type\n1;A;B;x\n')
    await done('projects', file, '--mapping', 'Betegnelse=Navn', 'navn=-', '--mapping', 'Type=Status')
    expect(await records('Prosjekt')).toMatchObject([{ Id: '1', Navn: 'A', Status: 'x' }])
    for (const [pair, says] of [
      ['Betegnels=Navn', 'Did you mean "Betegnelse"'],
      ['Betegnelse=Nvan', 'Did you mean "Navn"'],
      ['Betegnelse=Navn', 'both mapped to Navn'],
      ['Betegnelse', 'Use "Header=Field"'],
    ] as const)
      expect((await run('projects', file, '--mapping', pair)).stderr).toContain(says)
  })

  test.each(['employees', 'departments', 'projects', 'sites'])(
    'the template of %s is recognized in both languages, column by column',
    async (what) => {
      for (const language of ['nb', 'en']) {
        const { stdout } = await terminal.run('import', 'template', what, '--language', language)
        const { stderr, exitCode } = await run(what, write('t.csv', stdout), '--dry-run')
        expect(exitCode, stderr).toBe(0)
        expect(stderr).not.toContain('is ignored')
        expect(stderr.match(/→/g)).toHaveLength(stdout.split(';').length)
      }
    },
  )

  test('imports 100,000 rows', async () => {
    const rows = Array.from({ length: 100_000 }, (_, index) => `${index + 1};Fornavn ${index};${index}`)
    const file = write('mange.csv', `Id;Fornavn;EksternId\n${rows.join('\n')}\n`)
    expect(await done('employees', file)).toMatchObject({ new: 100_000, invalid: 0 })
  })

  test('invalid cells are reported with their column', async () => {
    const cells = [`1;${'x'.repeat(1_000_000)}`, '2;a\u0000b', '3;\u0007', '-1;neg', '2147483648;stor']
    const text = `Id;Fornavn\n${cells.join('\n')}\n9;god\n`
    const { stdout } = await run('employees', write('a.csv', text), '--json')
    const problems = JSON.parse(stdout).errors.flatMap(
      ({ line, problems: [first] }: { line: number; problems: { code: string; column: string }[] }) =>
        `${line} ${first?.code} ${first?.column}`,
    )
    expect(problems).toEqual([
      '2 ValueTooLong Fornavn',
      '3 InvalidCharacter Fornavn',
      '4 InvalidCharacter Fornavn',
      '5 NumberOutOfRange Id',
      '6 NumberOutOfRange Id',
    ])
    expect(await records('Ansatt')).toEqual([])
  })

  test('a cell without a header is an error, and its row is not stored', async () => {
    const file = write('a.csv', 'Id;Fornavn\n1;Ola;Nordmann\n2;Kari;;\n')
    const { stdout } = await run('employees', file, '--json', '--good-rows')
    const { errors } = JSON.parse(stdout)
    expect(errors).toMatchObject([{ line: 2, problems: [{ code: 'InvalidValue', column: null }] }])
    expect(errors[0].problems[0].message).toContain('"Nordmann"')
    expect(await records('Ansatt')).toMatchObject([{ Id: 2 }])
  })

  test('where the rejected rows cannot be written, the import is reported and says how to get them', async () => {
    const file = write('a.csv', 'Id;Navn;Hovedavdeling\n1;A;\n2;B;9\n')
    const { exitCode, stdout, stderr } = await run('departments', file, '--good-rows', '--errors', 'none/feil.csv')
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/new +1\n[^]*stored +yes/)
    expect(stderr).toMatch(
      /line 3: [^]*could not be written to .*none.feil\.csv: ENOENT[^]* Use --dry-run with another/,
    )
    expect(stderr).not.toContain('were written')
    expect(await records('Avdeling')).toMatchObject([{ Id: '1' }])
  })

  test('property names of objects are ordinary headers', async () => {
    const file = write('a.csv', 'Id;__proto__;constructor;toString\n1;a;b;c\n')
    expect((await run('sites', file)).stderr).toContain('__proto__ is ignored')
    expect(await records('Anlegg')).toMatchObject([{ Id: '1' }])
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  test('file contents cannot control the terminal, and the input file is not overwritten', async () => {
    const file = write('a.csv', 'Id;\u001B[2J;Hovedavdeling\n1;x;\u009Bx\n')
    const { stderr } = await run('departments', file)
    // oxlint-disable-next-line no-control-regex
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/)
    const before = readFileSync(join(terminal.folder, file), 'utf8')
    symlinkSync(join(terminal.folder, file), join(terminal.folder, 'link.csv'))
    for (const errors of [`./${file}`, 'link.csv']) {
      const refused = await run('departments', file, '--errors', errors)
      expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('must not be the input file')])
    }
    expect(readFileSync(join(terminal.folder, file), 'utf8')).toBe(before)
  })

  test('with several companies --company is required', async () => {
    await newCompany()
    const file = write('a.csv', 'Id\n1\n')
    const { exitCode, stderr } = await terminal.run('import', 'sites', file)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('--company')
    await done('sites', file)
    expect(await records('Anlegg')).toHaveLength(1)
    company = `Fjord ${companies - 1}`
    expect(await records('Anlegg')).toEqual([])
  })
})

const sender = { companyId: 1 as CompanyId }

describe('a file that cannot be read is refused in words', () => {
  const problemOf = async (bytes: Buffer | string): Promise<string> => {
    try {
      const table = await readTable(Buffer.from(bytes), sender)
      mapColumns(directoryImportTarget(employee), table.headers)
      return 'none'
    } catch (error) {
      if (error instanceof ApiError) return error.message
      throw error
    }
  }

  test.each<[string, Buffer | string, string]>([
    ['nothing', '', 'the header row is missing'],
    ['a mark alone', '\uFEFF', 'the header row is missing'],
    ['blank lines', '\n\r\n;;;\n', 'the header row is missing'],
    ['no column of a key', 'Fornavn;Navn\nA;B', 'no column is mapped to Id or EksternId'],
    ['a header twice', 'Id;Fornavn;fornavn\n1;A;B', 'both mapped to Fornavn'],
    ['two names of one field', 'Id;First name;Fornavn\n1;A;B', 'both mapped to Fornavn'],
    ['an open quote', 'Id;Fornavn\n1;"A\n2;B\n', 'is never closed'],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'old Excel format'],
    ['a ZIP of something else', zip([{ name: 'a', bytes: Buffer.from('b') }]), 'not an Excel workbook'],
    ['a broken ZIP', Buffer.from('PK\u0003\u0004 and no more'), 'not an Excel workbook'],
    ['a thousand columns and one', Array(1001).fill('x').join(';'), 'more than 1000 columns'],
  ])('%s', async (_, bytes, says) => {
    expect(await problemOf(bytes)).toContain(says)
  })

  test('more than 100,000 rows', async () => {
    const problem = await problemOf(`Id\n${'1\n'.repeat(100_001)}`)
    expect(problem).toContain('more than 100000 rows')
  })

  test('a file of more than 32 MiB', async () => {
    const problem = await problemOf(Buffer.alloc(32 * 1024 * 1024 + 1, 'a'))
    expect(problem).toContain('larger than')
  })

  test('a workbook that unpacks to more than 50 MB, also with a false size', async () => {
    const bytes = Buffer.alloc(60 * 1024 * 1024)
    expect(await problemOf(zip([{ name: 'a', bytes }]))).toContain('bytes when decompressed')
    expect(await problemOf(zip([{ name: 'a', bytes, claimedBytes: 10 }]))).toContain('bytes when decompressed')
  })

  test('a workbook of more than 1,000 parts', async () => {
    const parts = Array.from({ length: 1001 }, (_, index) => ({ name: `a${index}`, bytes: Buffer.from('x') }))
    expect(await problemOf(zip(parts))).toContain('more than 1000 parts')
  })

  test('a truncated sheet, and one with an XML entity', async () => {
    expect(await problemOf(workbookOf('<worksheet><sheetData><row><c'))).not.toBe('none')
    const bomb = workbookOf(
      '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]><worksheet><sheetData>' +
        '<row r="1"><c r="A1" t="inlineStr"><is><t>&b;</t></is></c></row></sheetData></worksheet>',
    )
    expect(await problemOf(bomb)).not.toBe('none')
  })

  test('a missing file', async () => {
    const terminal = openTerminal()
    onTestFinished(() => terminal.close())
    await terminal.run('migrate')
    await terminal.run('company', 'add', 'Fjord')
    const { exitCode, stderr } = await terminal.run('import', 'sites', 'ingen.csv')
    expect([exitCode, existsSync(join(terminal.folder, 'ingen.csv'))]).toEqual([1, false])
    expect(stderr).toContain('ingen.csv cannot be read')
  })
})

test('any table survives writing and reading, and no cell is a formula', async () => {
  const cell = string({ unit: constantFrom(...'abø 1;,"\'=+-@\t\n\rＡ＝'.split('')), maxLength: 8 })
  const table = array(array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 })
  await assert(
    asyncProperty(table, async (rows) => {
      // Blank lines are skipped.
      const lines = [['Id', 'b'], ...rows.map((row) => ['x', ...row])]
      const text = lines.map(csvLine).join('')
      const cells = text.match(/"(?:[^"]|"")*"/g) ?? []
      expect(cells.filter((one) => /^"[=@\t\r＝]/.test(one))).toEqual([])
      const read = await readTable(Buffer.from(`\uFEFF${text}`), sender)
      const unguarded = (one: string) => one.replace(/^'(?=[=+\-@\t\r\n＝])/, '')
      expect(read.lines.map(({ cells }) => cells.map(unguarded))).toEqual(
        lines.slice(1).map((row) => row.map(unguarded)),
      )
    }),
    { seed, numRuns: 300 },
  )
}, 60_000)

test.each([
  [employee, 'Gateadresse;Zip;Sted;Mail;Ekstern referanse;Avd nr;Kommentar'],
  [project, 'Avd;Leder;Remark;External reference'],
])('the alternative headers that resources share are read', (resource, headers) => {
  const suggested = suggestFields(directoryImportTarget(resource), headers.split(';'))
  expect(suggested).not.toContain(null)
})

test.each([employee, department, project, site, revenueImportTarget.resource])(
  'every field of $wire that can be written has a header',
  (resource) => {
    const written = Object.entries(resource.fields).filter(([, field]) => !('readOnly' in field))
    expect(Object.keys(columnHeadersOf(resource)).sort()).toEqual(written.map(([name]) => name).sort())
  },
)
