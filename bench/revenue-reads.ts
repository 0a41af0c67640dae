// Benchmark requests that read revenue, in the dialect of either server.
import {
  capPath,
  getRequest,
  revenuePath,
  type CheckedRequest,
  type RequestBuilders,
  type RequestParameters,
} from './requests.ts'
import { dateOf, daysOf, departmentOf, departments, listLength, rowsOfCompany } from './rows.ts'

/** A query of revenue records, which is then written in either dialect. */
export interface RecordQuery {
  readonly filter?: readonly FilterTerm[]
  readonly orderBy?: string
  readonly top?: number
  readonly records: number
  /** The date of the first record, where the request determines it. */
  readonly firstDate?: string
}

type FilterTerm = readonly ['Dato', 'eq' | 'ge' | 'lt', string] | readonly ['ipType' | 'AvdelingID', 'eq', string]

export function revenueReads(query: (parameters: RequestParameters) => RecordQuery): RequestBuilders {
  return {
    dagsverk: (parameters) => findRequest(parameters, query(parameters)),
    cap: (parameters) => capRequest(parameters, query(parameters)),
  }
}

export function pointQuery({ size, random }: RequestParameters): RecordQuery {
  const rowNumber = random(rowsOfCompany(size))
  const firstDate = dateOf(Math.floor(rowNumber / departments))
  const filter: FilterTerm[] = [
    ['Dato', 'eq', firstDate],
    ['ipType', 'eq', 'I'],
    ['AvdelingID', 'eq', departmentOf(rowNumber % departments)],
  ]
  return { filter, records: 1, firstDate }
}

/** `top` records from a date on, by date and department. */
export function pageQuery({ size, random }: RequestParameters, top: number): RecordQuery {
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

export function monthQuery({ size, random }: RequestParameters): RecordQuery {
  const day = random(daysOf(size))
  const firstDate = dateOf(day)
  const filter: FilterTerm[] = [
    ['Dato', 'ge', firstDate],
    ['Dato', 'lt', dateOf(day + 31)],
  ]
  const records = Math.min(100, rowsOfCompany(size) - day * departments)
  return { filter, orderBy: 'Dato', top: 100, records, firstDate }
}

export function departmentQuery({ size, random }: RequestParameters): RecordQuery {
  const index = random(departments)
  return {
    filter: [['AvdelingID', 'eq', departmentOf(index)]],
    orderBy: 'Dato',
    top: 100,
    records: Math.min(100, Math.ceil((rowsOfCompany(size) - index) / departments)),
    firstDate: dateOf(0),
  }
}

export function firstQuery({ size }: RequestParameters, top: number): RecordQuery {
  return { top, records: listLength(size, top) }
}

export function everyRecordQuery({ size }: RequestParameters): RecordQuery {
  return { records: rowsOfCompany(size) }
}

const changedRecords = 100

/** The read that `changesRequest` depends on: the stamps of the latest changes. */
export function latestChangesPath(company: number): string {
  return revenuePath(company, 'Finn', [
    '$select=InntektsPlanId,SistEndretDato',
    '$orderby=SistEndretDato desc',
    `$top=${changedRecords + 1}`,
  ])
}

/** The records that changed last, as a client requests them that polls for changes. */
export function changesRequest(parameters: RequestParameters): CheckedRequest {
  const { latest, request } = changesPoll(parameters)
  const oldest = latest.at(-2)?.InntektsPlanId
  return { request, contains: Buffer.from(`[{"InntektsPlanId":${oldest},`), braces: changedRecords }
}

/** The same poll while others write: 100 records changed since, but which is not known. */
export function pollRequest(parameters: RequestParameters): CheckedRequest {
  const { request } = changesPoll(parameters)
  return { request, contains: Buffer.from('[{"InntektsPlanId":'), braces: changedRecords }
}

/** Finds nothing, in all records of the company. */
export function remarkSearchRequest({ company }: RequestParameters): CheckedRequest {
  const path = revenuePath(company, 'Finn', ["$filter=contains(Merknad,'finnes ikke')"])
  return { request: getRequest(path), contains: Buffer.from('[]'), braces: 0 }
}

function changesPoll({ company, prepared }: RequestParameters) {
  const [latest] = prepared as [readonly { InntektsPlanId: number; SistEndretDato: string }[]]
  const since = latest.at(-1)?.SistEndretDato
  if (latest.length !== changedRecords + 1 || since === undefined)
    throw new Error(`company ${company} has ${latest.length} changed records`)
  const path = revenuePath(company, 'Finn', [
    '$select=InntektsPlanId,Omsetning,SistEndretDato',
    `$filter=SistEndretDato gt ${since}`,
    '$orderby=SistEndretDato',
    `$top=${changedRecords}`,
  ])
  return { latest, request: getRequest(path) }
}

function findRequest({ company }: RequestParameters, query: RecordQuery): CheckedRequest {
  const options = optionsOf(query, (date) => `datetime('${date}')`)
  const { firstDate, records } = query
  const expected = firstDate === undefined ? '"InntektsPlanId":' : `"Dato":"${firstDate}T00:00:00"`
  return {
    request: getRequest(revenuePath(company, 'Finn', options)),
    contains: Buffer.from(expected),
    braces: records,
  }
}

function capRequest({ company }: RequestParameters, query: RecordQuery): CheckedRequest {
  const options = optionsOf(query, (date) => date, [`Firma eq ${company}`])
  const { firstDate, records } = query
  const expected = firstDate === undefined ? '"InntektsPlanId":' : `"Dato":"${firstDate}"`
  return { request: getRequest(capPath('Omsetning', options)), contains: Buffer.from(expected), braces: records + 1 }
}

function optionsOf(
  { filter = [], orderBy, top }: RecordQuery,
  dateLiteral: (date: string) => string,
  conditions: readonly string[] = [],
): string[] {
  const comparisons = filter.map(
    ([field, operator, value]) => `${field} ${operator} ${field === 'Dato' ? dateLiteral(value) : `'${value}'`}`,
  )
  const all = [...conditions, ...comparisons]
  return [
    ...(all.length > 0 ? [`$filter=${all.join(' and ')}`] : []),
    ...(orderBy === undefined ? [] : [`$orderby=${orderBy}`]),
    ...(top === undefined ? [] : [`$top=${top}`]),
  ]
}
