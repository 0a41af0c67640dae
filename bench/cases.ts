// The benchmark cases: for each, its connections and the equivalent requests in the dialect of every server.
import { employeePages, projectPages } from './directory-reads.ts'
import {
  everyRecordRequest,
  interfacePreparation,
  interfaceRequest,
  interfaceRequestKinds,
} from './interface-requests.ts'
import {
  baselineRequest,
  companyPath,
  getRequest,
  type CheckedRequest,
  type RequestBuilders,
  type RequestDialect,
  type RequestParameters,
} from './requests.ts'
import {
  changesRequest,
  departmentQuery,
  everyRecordQuery,
  firstQuery,
  latestChangesPath,
  monthQuery,
  pageQuery,
  pointQuery,
  pollRequest,
  remarkSearchRequest,
  revenueReads,
} from './revenue-reads.ts'
import { listUpserts, singleUpsert } from './revenue-writes.ts'
import { exportLines, randomOf, usageOf, type DatasetSize } from './rows.ts'

export interface BenchmarkCase {
  readonly description: string
  readonly connections: number
  /** How many different requests are prepared, and then sent in turn. */
  readonly distinctRequests: number
  /** How many consecutive requests are of one company; 1 if not given. */
  readonly requestsPerCompany?: number
  readonly requests: RequestBuilders
  /** The paths of reads sent for each company beforehand, because the requests depend on their replies. */
  readonly preparation?: (company: number) => readonly string[]
}

export type CaseName = keyof typeof cases

export const cases = {
  point: {
    description: 'point read: date, type and department',
    connections: 32,
    distinctRequests: 4096,
    requests: revenueReads(pointQuery),
  },
  page100: {
    description: 'page of 100 from a date on, by date and department',
    connections: 32,
    distinctRequests: 1024,
    requests: revenueReads((parameters) => pageQuery(parameters, 100)),
  },
  from100: {
    description: 'first 100 from a date on, by date',
    connections: 64,
    distinctRequests: 1024,
    requests: revenueReads((parameters) => ({ ...pageQuery(parameters, 100), orderBy: 'Dato' })),
  },
  range100: {
    description: 'first 100 of a month that begins at any date, by date',
    connections: 64,
    distinctRequests: 1024,
    requests: revenueReads(monthQuery),
  },
  department100: {
    description: 'first 100 of one department, by date',
    connections: 64,
    distinctRequests: 1024,
    requests: revenueReads(departmentQuery),
  },
  changes100: {
    description: 'the 100 records that changed last, as a client requests them that polls',
    connections: 64,
    distinctRequests: 64,
    requests: { dagsverk: changesRequest },
    preparation: (company) => [latestChangesPath(company)],
  },
  export1400: {
    description: `the export list, ${exportLines} lines`,
    connections: 64,
    distinctRequests: 64,
    requests: { dagsverk: exportListRequest },
  },
  first100: {
    description: 'first 100 in the default order',
    connections: 32,
    distinctRequests: 64,
    requests: revenueReads((parameters) => firstQuery(parameters, 100)),
  },
  page10k: {
    description: 'page of 10,000 from a date on, by date and department',
    connections: 4,
    distinctRequests: 64,
    requests: revenueReads((parameters) => pageQuery(parameters, 10_000)),
  },
  expand100: {
    description: '100 employees from a key on, with their department',
    connections: 32,
    distinctRequests: 1024,
    requests: employeePages,
  },
  expand2: {
    description: '100 projects from a key on, with their department and their site',
    connections: 32,
    distinctRequests: 1024,
    requests: projectPages,
  },
  upsert: {
    description: 'single durable upsert of an existing cell',
    connections: 32,
    distinctRequests: 8192,
    requests: singleUpsert,
  },
  poll100: {
    description: 'the poll of changes100, while others write',
    connections: 64,
    distinctRequests: 64,
    requests: { dagsverk: pollRequest },
    preparation: (company) => [latestChangesPath(company)],
  },
  list10k: {
    description: 'list upsert of 10,000 existing cells',
    connections: 2,
    distinctRequests: 8,
    requests: listUpserts(10_000),
  },
  list100k: {
    description: 'list upsert of 100,000 existing cells',
    connections: 1,
    distinctRequests: 1,
    requests: listUpserts(100_000),
  },
  stream: {
    description: 'every record of one company',
    connections: 1,
    distinctRequests: 1,
    requests: revenueReads(everyRecordQuery),
  },
  costly: {
    description: 'a search of the remarks of one company, which no index bounds',
    connections: 60,
    distinctRequests: 1,
    requests: { dagsverk: remarkSearchRequest },
  },
  // The last cases, because they insert records, which would be in the replies of others.
  interface: {
    description: 'every request of sections 4.1 to 4.4 of the interface',
    connections: 63,
    distinctRequests: 64 * interfaceRequestKinds,
    requestsPerCompany: interfaceRequestKinds,
    requests: { dagsverk: interfaceRequest },
    preparation: interfacePreparation,
  },
  everyRecord: {
    description: 'every record of a company, while others write',
    connections: 1,
    distinctRequests: 64,
    requests: { dagsverk: everyRecordRequest },
  },
} satisfies Record<string, BenchmarkCase>

export function isCaseName(text: string): text is CaseName {
  return Object.hasOwn(cases, text)
}

export const caseNames = Object.keys(cases).filter(isCaseName)

export interface RequestChoices {
  readonly size: DatasetSize
  readonly seed: number
  /** Of the companies that requests are sent for; 1 if not given. */
  readonly firstCompany?: number
}

/**
 * The requests of a case, in the order in which they are sent. The same seed gives the same requests in each
 * dialect. `prepared` has each company's replies to the preparatory reads, the first company's first.
 */
export function checkedRequestsOf(
  name: CaseName,
  dialect: RequestDialect,
  { size, seed, firstCompany = 1 }: RequestChoices,
  prepared: readonly (readonly unknown[])[] = [],
): CheckedRequest[] {
  const { requests, distinctRequests, requestsPerCompany = 1 }: BenchmarkCase = cases[name]
  const build = dialect === 'baseline' ? baselineRequest : requests[dialect]
  if (build === undefined) throw new Error(`${name} has no request for ${dialect}`)
  const random = randomOf(seed)
  return Array.from({ length: distinctRequests }, (_, index) => {
    const company = firstCompany + (Math.floor(index / requestsPerCompany) % (size.companies - firstCompany + 1))
    return build({ size, company, index, random, prepared: prepared[company - 1] ?? [] })
  })
}

function exportListRequest({ company }: RequestParameters): CheckedRequest {
  const { VareId, Varenavn } = usageOf(0)
  return {
    request: getRequest(companyPath(company, '/prosjekt/TransaksjonsEksport')),
    contains: Buffer.from(`"VareId":"${VareId}","Varenavn":"${Varenavn}"`),
    braces: exportLines + 1,
  }
}
