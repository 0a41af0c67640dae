// The benchmark cases: for each, the equivalent request in the dialect of every server, and the expected reply.
import { employees, projectOf, projects } from './directory.ts'
import {
  amountOf,
  companyName,
  companyPassword,
  dateOf,
  daysOf,
  departmentOf,
  departments,
  exportLines,
  randomOf,
  rowsOfCompany,
  usageOf,
  type Size,
} from './rows.ts'

/** The servers that understand the request. The floor replies to anything. */
export type Dialect = 'dagsverk' | 'cap' | 'floor'

export interface Exchange {
  readonly request: Buffer
  /** The properties of a correct reply; any other ends the run. */
  readonly contains: Buffer
  readonly braces: number
}

export interface Case {
  readonly about: string
  readonly connections: number
  /** How many different requests are prepared and then sent in turn. */
  readonly variety: number
  readonly ask: Partial<Record<Dialect, (draw: Draw) => Exchange>>
  /** A read sent to each company beforehand, because the requests depend on its reply. */
  readonly before?: (company: number) => string
}

/** One set of random choices: the same seed gives every dialect the same request. */
interface Draw {
  readonly size: Size
  readonly company: number
  readonly random: (below: number) => number
  /** The earlier replies. */
  readonly known: unknown
}

export type CaseName = keyof typeof cases

export const cases = {
  point: {
    about: 'point read: date, type and department',
    connections: 32,
    variety: 4096,
    ask: reads(point),
  },
  page100: {
    about: 'page of 100 from a date on, by date and department',
    connections: 32,
    variety: 1024,
    ask: reads((draw) => page(draw, 100)),
  },
  from100: {
    about: 'first 100 from a date on, by date',
    connections: 64,
    variety: 1024,
    ask: reads((draw) => ({ ...page(draw, 100), orderBy: 'Dato' })),
  },
  range100: {
    about: 'first 100 of a month that begins at any date, by date',
    connections: 64,
    variety: 1024,
    ask: reads(month),
  },
  department100: {
    about: 'first 100 of one department, by date',
    connections: 64,
    variety: 1024,
    ask: reads(department),
  },
  changes100: {
    about: 'the 100 records that changed last, as a client that polls asks for them',
    connections: 64,
    variety: 64,
    ask: { dagsverk: changes },
    before: (company) =>
      dagsverkPath(company, 'Finn', [
        '$select=InntektsPlanId,SistEndretDato',
        '$orderby=SistEndretDato desc',
        `$top=${changedRecords + 1}`,
      ]),
  },
  export1400: {
    about: `the export list, ${exportLines} lines`,
    connections: 64,
    variety: 64,
    ask: { dagsverk: exported },
  },
  first100: {
    about: 'first 100 in the default order',
    connections: 32,
    variety: 64,
    ask: reads((draw) => first(draw, 100)),
  },
  page10k: {
    about: 'page of 10,000 from a date on, by date and department',
    connections: 4,
    variety: 64,
    ask: reads((draw) => page(draw, 10_000)),
  },
  expand100: {
    about: '100 employees from a key on, with their department',
    connections: 32,
    variety: 1024,
    ask: {
      dagsverk: (draw) => askService(draw, '/ansatt/Ansatt', employeesFrom(draw, 'Avdeling')),
      cap: (draw) => askService(draw, `${capRoot}/Ansatt`, employeesFrom(draw, 'avdeling')),
    },
  },
  expand2: {
    about: '100 projects from a key on, with their department and their site',
    connections: 32,
    variety: 1024,
    ask: {
      dagsverk: (draw) =>
        askService(draw, '/prosjekt/Prosjekt', projectsFrom(draw, 'Avdeling', 'Anlegg')),
      cap: (draw) =>
        askService(draw, `${capRoot}/Prosjekt`, projectsFrom(draw, 'avdeling', 'anlegg')),
    },
  },
  upsert: {
    about: 'single durable upsert of an existing cell',
    connections: 32,
    variety: 8192,
    ask: { dagsverk: (draw) => setPerDate(draw, 1), cap: put },
  },
  list10k: {
    about: 'list upsert of 10,000 existing cells',
    connections: 2,
    variety: 8,
    ask: lists(10_000),
  },
  list100k: {
    about: 'list upsert of 100,000 existing cells',
    connections: 1,
    variety: 1,
    ask: lists(100_000),
  },
  stream: {
    about: 'every record of one company',
    connections: 1,
    variety: 1,
    ask: reads(everything),
  },
} satisfies Record<string, Case>

export function isCaseName(text: string): text is CaseName {
  return Object.hasOwn(cases, text)
}

export const caseNames = Object.keys(cases).filter(isCaseName)

/**
 * The requests of a case, ready to be sent in turn. The same seed gives the same requests in each
 * dialect. `known` contains each company's reply to `before`, the first company's first.
 */
export function exchangesOf(
  name: CaseName,
  dialect: Dialect,
  { size, seed }: { readonly size: Size; readonly seed: number },
  known: readonly unknown[] = [],
): Exchange[] {
  const chosen: Case = cases[name]
  const ask = dialect === 'floor' ? floor : chosen.ask[dialect]
  if (ask === undefined) throw new Error(`${name} is not asked of ${dialect}`)
  const random = randomOf(seed)
  return Array.from({ length: chosen.variety }, (_, i) => {
    const company = 1 + (i % size.companies)
    return ask({ size, company, random, known: known[company - 1] })
  })
}

/**
 * The number of rows in the list of this case: fewer than its name says if the database is small.
 */
export function listLength(size: Size, rows: number): number {
  return Math.min(rows, rowsOfCompany(size))
}

/** A request of a company, with query-string credentials as in the interface specification. */
function companyPath(company: number, path: string, options: string[] = []): string {
  const credentials = [`firma=${companyName(company)}`, `passord=${companyPassword(company)}`]
  return `${path}?${[...credentials, ...options].map(encodeURI).join('&')}`
}

export function dagsverkPath(company: number, action: string, options: string[] = []): string {
  return companyPath(company, `/dev/Omsetning/${action}`, options)
}

export function getRequest(path: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n\r\n`)
}

export function bodyRequest(method: string, path: string, body: string): Buffer {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json`
  return Buffer.from(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}

/** A read that is then written in the dialect of either server. */
interface Read {
  readonly filter?: readonly Comparison[]
  readonly orderBy?: string
  readonly top?: number
  readonly records: number
  /** The date of the first record, where the request determines it. */
  readonly firstDate?: string
}

type Comparison =
  | readonly ['Dato', 'eq' | 'ge' | 'lt', string]
  | readonly ['ipType' | 'AvdelingID', 'eq', string]

function reads(read: (draw: Draw) => Read): Case['ask'] {
  return {
    dagsverk: (draw) => find(draw, read(draw)),
    cap: (draw) => list(draw, read(draw)),
  }
}

function point({ size, random }: Draw): Read {
  const rowNumber = random(rowsOfCompany(size))
  const firstDate = dateOf(Math.floor(rowNumber / departments))
  const filter: Comparison[] = [
    ['Dato', 'eq', firstDate],
    ['ipType', 'eq', 'I'],
    ['AvdelingID', 'eq', departmentOf(rowNumber % departments)],
  ]
  return { filter, records: 1, firstDate }
}

function page({ size, random }: Draw, top: number): Read {
  const latestDay = Math.max(0, daysOf(size) - Math.ceil(top / departments))
  const day = random(latestDay + 1)
  const firstDate = dateOf(day)
  return {
    filter: [['Dato', 'ge', firstDate]],
    orderBy: 'Dato,AvdelingID',
    top,
    records: Math.min(top, rowsOfCompany(size) - day * departments),
    firstDate,
  }
}

function month({ size, random }: Draw): Read {
  const day = random(daysOf(size))
  const firstDate = dateOf(day)
  const filter: Comparison[] = [
    ['Dato', 'ge', firstDate],
    ['Dato', 'lt', dateOf(day + 31)],
  ]
  const records = Math.min(100, rowsOfCompany(size) - day * departments)
  return { filter, orderBy: 'Dato', top: 100, records, firstDate }
}

function department({ size, random }: Draw): Read {
  const index = random(departments)
  return {
    filter: [['AvdelingID', 'eq', departmentOf(index)]],
    orderBy: 'Dato',
    top: 100,
    records: Math.min(100, Math.ceil((rowsOfCompany(size) - index) / departments)),
    firstDate: dateOf(0),
  }
}

function first(draw: Draw, top: number): Read {
  return { top, records: listLength(draw.size, top) }
}

function everything(draw: Draw): Read {
  return { records: rowsOfCompany(draw.size) }
}

function find({ company }: Draw, read: Read): Exchange {
  const path = dagsverkPath(
    company,
    'Finn',
    optionsOf(read, (date) => `datetime('${date}')`),
  )
  const { firstDate, records } = read
  const shown = firstDate === undefined ? '"InntektsPlanId":' : `"Dato":"${firstDate}T00:00:00"`
  return { request: getRequest(path), contains: Buffer.from(shown), braces: records }
}

function list({ company }: Draw, read: Read): Exchange {
  const options = optionsOf(read, (date) => date, [`Firma eq ${company}`])
  const path = `${capRoot}/Omsetning?${options.map(encodeURI).join('&')}`
  const { firstDate, records } = read
  const shown = firstDate === undefined ? '"InntektsPlanId":' : `"Dato":"${firstDate}"`
  return { request: getRequest(path), contains: Buffer.from(shown), braces: records + 1 }
}

function optionsOf(
  { filter = [], orderBy, top }: Read,
  spelled: (date: string) => string,
  also: string[] = [],
): string[] {
  const comparisons = filter.map(
    ([field, is, value]) => `${field} ${is} ${field === 'Dato' ? spelled(value) : `'${value}'`}`,
  )
  const conditions = [...also, ...comparisons]
  const options: string[] = []
  if (conditions.length > 0) options.push(`$filter=${conditions.join(' and ')}`)
  if (orderBy !== undefined) options.push(`$orderby=${orderBy}`)
  if (top !== undefined) options.push(`$top=${top}`)
  return options
}

const changedRecords = 100

function changes({ company, known }: Draw): Exchange {
  const latest = known as readonly { InntektsPlanId: number; SistEndretDato: string }[]
  const [oldest, seen] = latest.slice(-2)
  if (latest.length !== changedRecords + 1 || oldest === undefined || seen === undefined)
    throw new Error(`company ${company} has ${latest.length} records that changed`)
  const path = dagsverkPath(company, 'Finn', [
    '$select=InntektsPlanId,Omsetning,SistEndretDato',
    `$filter=SistEndretDato gt ${seen.SistEndretDato}`,
    '$orderby=SistEndretDato',
    `$top=${changedRecords}`,
  ])
  const contains = Buffer.from(`[{"InntektsPlanId":${oldest.InntektsPlanId},`)
  return { request: getRequest(path), contains, braces: changedRecords }
}

function exported({ company }: Draw): Exchange {
  const path = companyPath(company, '/prosjekt/TransaksjonsEksport')
  const { VareId, Varenavn } = usageOf(0)
  const contains = Buffer.from(`"VareId":"${VareId}","Varenavn":"${Varenavn}"`)
  return { request: getRequest(path), contains, braces: exportLines + 1 }
}

/** OData options of a set; both servers return the same fields in the same envelope. */
interface SetQuestion {
  readonly options: string[]
  readonly contains: string
  readonly braces: number
}

function employeesFrom({ random }: Draw, relation: string): SetQuestion {
  const from = 1 + random(employees - 99)
  const options = [
    '$select=Id,Fornavn,Etternavn',
    `$expand=${relation}($select=Id,Navn)`,
    `$filter=Id ge ${from}`,
    '$orderby=Id',
    '$top=100',
  ]
  return { options, contains: `"Fornavn":"Fornavn${from}"`, braces: 201 }
}

function projectsFrom({ random }: Draw, ...relations: string[]): SetQuestion {
  const from = 1 + random(projects - 99)
  const expand = relations.map((relation) => `${relation}($select=Id,Navn)`).join(',')
  const options = [
    '$select=Id,Navn',
    `$expand=${expand}`,
    `$filter=Id ge '${projectOf(from)}'`,
    '$orderby=Id',
    '$top=100',
  ]
  return { options, contains: `"Navn":"Prosjekt ${from}"`, braces: 301 }
}

function askService({ company }: Draw, set: string, question: SetQuestion): Exchange {
  const { options, contains, braces } = question
  const path = set.startsWith(capRoot)
    ? `${set}?${options.map(encodeURI).join('&')}`
    : companyPath(company, set, options)
  return { request: getRequest(path), contains: Buffer.from(contains), braces }
}

function setPerDate(draw: Draw, length: number): Exchange {
  const rows = existingCells(draw, length)
  const body = rows.map(
    (row) =>
      `{"Dato":"${row.date}T00:00:00","AvdelingID":"${row.departmentId}","Omsetning":${row.amount}}`,
  )
  const path = dagsverkPath(draw.company, 'LagreEllerOppdaterOmsetningPrDato')
  return {
    request: bodyRequest('POST', path, `[${body.join(',')}]`),
    contains: Buffer.from(`"Omsetning":${rows[0]?.amount}`),
    braces: rows.length,
  }
}

function lists(length: number): Case['ask'] {
  return {
    dagsverk: (draw) => setPerDate(draw, length),
    cap: (draw) => upsertList(draw, length),
  }
}

function put(draw: Draw): Exchange {
  const [row] = existingCells(draw, 1)
  const key = `Firma=${draw.company},Dato=${row?.date},AvdelingID='${row?.departmentId}',ipType='I'`
  const path = `${capRoot}/Omsetning(${key})`
  return {
    request: bodyRequest('PUT', path, `{"Omsetning":${row?.amount}}`),
    contains: Buffer.from(`"Omsetning":"${row?.amount}00"`),
    braces: 1,
  }
}

function upsertList(draw: Draw, length: number): Exchange {
  const rows = existingCells(draw, length)
  const body = rows.map(
    (row) =>
      `{"Firma":${draw.company},"Dato":"${row.date}","AvdelingID":"${row.departmentId}","ipType":"I","Omsetning":${row.amount}}`,
  )
  return {
    request: bodyRequest('POST', `${capRoot}/LagreListe`, `{"rader":[${body.join(',')}]}`),
    contains: Buffer.from(`"value":${rows.length}}`),
    braces: 1,
  }
}

/** Consecutive cells that the database already has, each with a new amount. */
function existingCells(
  draw: Draw,
  length: number,
): { date: string; departmentId: string; amount: string }[] {
  const total = rowsOfCompany(draw.size)
  const count = listLength(draw.size, length)
  const start = draw.random(total)
  return Array.from({ length: count }, (_, i) => {
    const rowNumber = (start + i) % total
    return {
      date: dateOf(Math.floor(rowNumber / departments)),
      departmentId: departmentOf(rowNumber % departments),
      amount: amountOf(draw.random(0x7fffffff)),
    }
  })
}

function floor(): Exchange {
  return { request: getRequest('/'), contains: Buffer.from('"fill":'), braces: 1 }
}

const capRoot = '/odata/v4/bench'
