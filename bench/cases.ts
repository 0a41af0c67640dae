// What is asked of the servers: for each case, the same question in the words of each of them, and what its answer must hold.
import { employees, projectOf, projects } from './directory.ts'
import {
  amountOf,
  companyName,
  companyPassword,
  dateOf,
  daysOf,
  departmentOf,
  departments,
  randomOf,
  rowsOfCompany,
  type Size,
} from './rows.ts'

/** Who understands the request. The floor answers anything. */
export type Dialect = 'dagsverk' | 'cap' | 'floor'

export interface Exchange {
  readonly request: Buffer
  /** What a right answer shows; any other ends the run. */
  readonly contains: Buffer
  readonly braces: number
}

export interface Case {
  readonly about: string
  readonly connections: number
  /** How many different requests are prepared and then sent in turn. */
  readonly variety: number
  readonly ask: Record<Dialect, (draw: Draw) => Exchange>
}

/** One drawing of lots: the same seed gives each dialect the same question. */
interface Draw {
  readonly size: Size
  readonly company: number
  readonly random: (below: number) => number
}

export type CaseName = keyof typeof cases

export const cases = {
  point: {
    about: 'point read: date, type and department',
    connections: 32,
    variety: 4096,
    ask: {
      dagsverk: (draw) => find(draw, point(draw)),
      cap: (draw) => list(draw, point(draw)),
      floor,
    },
  },
  page100: {
    about: 'page of 100 from a date on, by date and department',
    connections: 32,
    variety: 1024,
    ask: {
      dagsverk: (draw) => find(draw, page(draw, 100)),
      cap: (draw) => list(draw, page(draw, 100)),
      floor,
    },
  },
  first100: {
    about: 'first 100 in the default order',
    connections: 32,
    variety: 64,
    ask: {
      dagsverk: (draw) => find(draw, first(draw, 100)),
      cap: (draw) => list(draw, first(draw, 100)),
      floor,
    },
  },
  page10k: {
    about: 'page of 10,000 from a date on, by date and department',
    connections: 4,
    variety: 64,
    ask: {
      dagsverk: (draw) => find(draw, page(draw, 10_000)),
      cap: (draw) => list(draw, page(draw, 10_000)),
      floor,
    },
  },
  expand100: {
    about: '100 employees from a key on, with their department',
    connections: 32,
    variety: 1024,
    ask: {
      dagsverk: (draw) => askService(draw, '/ansatt/Ansatt', employeesFrom(draw, 'Avdeling')),
      cap: (draw) => askService(draw, `${capRoot}/Ansatt`, employeesFrom(draw, 'avdeling')),
      floor,
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
      floor,
    },
  },
  upsert: {
    about: 'single durable upsert of an existing cell',
    connections: 32,
    variety: 8192,
    ask: { dagsverk: (draw) => setPerDate(draw, 1), cap: put, floor },
  },
  list10k: {
    about: 'list upsert of 10,000 existing cells',
    connections: 2,
    variety: 8,
    ask: {
      dagsverk: (draw) => setPerDate(draw, 10_000),
      cap: (draw) => upsertList(draw, 10_000),
      floor,
    },
  },
  list100k: {
    about: 'list upsert of 100,000 existing cells',
    connections: 1,
    variety: 1,
    ask: {
      dagsverk: (draw) => setPerDate(draw, 100_000),
      cap: (draw) => upsertList(draw, 100_000),
      floor,
    },
  },
  stream: {
    about: 'every record of one company',
    connections: 1,
    variety: 1,
    ask: {
      dagsverk: (draw) => find(draw, everything(draw)),
      cap: (draw) => list(draw, everything(draw)),
      floor,
    },
  },
} satisfies Record<string, Case>

export const isCaseName = (text: string): text is CaseName => Object.hasOwn(cases, text)

/** The requests of a case, ready to be sent in turn. The same seed gives the same questions in each dialect. */
export function exchangesOf(
  name: CaseName,
  dialect: Dialect,
  size: Size,
  seed: number,
): Exchange[] {
  const chosen: Case = cases[name]
  const random = randomOf(seed)
  return Array.from({ length: chosen.variety }, (_, i) =>
    chosen.ask[dialect]({ size, company: 1 + (i % size.companies), random }),
  )
}

/** How many records the list of this case holds: fewer than its name says where the database is small. */
export const listLength = (size: Size, rows: number): number => Math.min(rows, rowsOfCompany(size))

/** A request of a company, by query-string credentials as the interface document shows them. */
export function dagsverkPath(company: number, action: string, options: string[] = []): string {
  const query = [...credentialsOf(company), ...options].map(encodeURI).join('&')
  return `/dev/Omsetning/${action}?${query}`
}

const credentialsOf = (company: number): string[] => [
  `firma=${companyName(company)}`,
  `passord=${companyPassword(company)}`,
]

export const getRequest = (path: string): Buffer =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n\r\n`)

export function bodyRequest(method: string, path: string, body: string): Buffer {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json`
  return Buffer.from(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
}

/** A read in words that are then spelled for either server. */
interface Read {
  readonly from?: { readonly comparison: 'eq' | 'ge'; readonly date: string }
  readonly departmentId?: string
  readonly isByDate: boolean
  readonly top?: number
  readonly records: number
}

function point(draw: Draw): Read {
  const place = draw.random(rowsOfCompany(draw.size))
  return {
    from: { comparison: 'eq', date: dateOf(Math.floor(place / departments)) },
    departmentId: departmentOf(place % departments),
    isByDate: false,
    records: 1,
  }
}

function page(draw: Draw, top: number): Read {
  const latestDay = Math.max(0, daysOf(draw.size) - Math.ceil(top / departments))
  const day = draw.random(latestDay + 1)
  const records = Math.min(top, rowsOfCompany(draw.size) - day * departments)
  return { from: { comparison: 'ge', date: dateOf(day) }, isByDate: true, top, records }
}

const first = (draw: Draw, top: number): Read => ({
  isByDate: false,
  top,
  records: listLength(draw.size, top),
})

const everything = (draw: Draw): Read => ({ isByDate: false, records: rowsOfCompany(draw.size) })

function find({ company }: Draw, read: Read): Exchange {
  const conditions: string[] = []
  if (read.from) conditions.push(`Dato ${read.from.comparison} datetime('${read.from.date}')`)
  if (read.departmentId) conditions.push(`ipType eq 'I'`, `AvdelingID eq '${read.departmentId}'`)
  const path = dagsverkPath(company, 'Finn', optionsOf(conditions, read))
  const shown = read.from ? `"Dato":"${read.from.date}T00:00:00"` : '"InntektsPlanId":'
  return { request: getRequest(path), contains: Buffer.from(shown), braces: read.records }
}

function list({ company }: Draw, read: Read): Exchange {
  const conditions = [`Firma eq ${company}`]
  if (read.from) conditions.push(`Dato ${read.from.comparison} ${read.from.date}`)
  if (read.departmentId) conditions.push(`ipType eq 'I'`, `AvdelingID eq '${read.departmentId}'`)
  const path = `${capRoot}/Omsetning?${optionsOf(conditions, read).map(encodeURI).join('&')}`
  const shown = read.from ? `"Dato":"${read.from.date}"` : '"InntektsPlanId":'
  return { request: getRequest(path), contains: Buffer.from(shown), braces: read.records + 1 }
}

function optionsOf(conditions: string[], read: Read): string[] {
  const options: string[] = []
  if (conditions.length > 0) options.push(`$filter=${conditions.join(' and ')}`)
  if (read.isByDate) options.push('$orderby=Dato,AvdelingID')
  if (read.top) options.push(`$top=${read.top}`)
  return options
}

/** Options of a set in OData's words; both servers answer the same members in the same envelope. */
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
  const credentials = set.startsWith(capRoot) ? [] : credentialsOf(company)
  const path = `${set}?${[...credentials, ...options].map(encodeURI).join('&')}`
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

/** Consecutive cells that the database already holds, each with a new amount. */
function existingCells(
  draw: Draw,
  length: number,
): { date: string; departmentId: string; amount: string }[] {
  const total = rowsOfCompany(draw.size)
  const count = listLength(draw.size, length)
  const start = draw.random(total)
  return Array.from({ length: count }, (_, i) => {
    const place = (start + i) % total
    return {
      date: dateOf(Math.floor(place / departments)),
      departmentId: departmentOf(place % departments),
      amount: amountOf(draw.random(0x7fffffff)),
    }
  })
}

function floor(): Exchange {
  return { request: getRequest('/'), contains: Buffer.from('"fill":'), braces: 1 }
}

const capRoot = '/odata/v4/bench'
