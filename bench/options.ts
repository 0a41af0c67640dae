// The command line of the benchmark: its arguments, and messages for wrong ones.
import { parseArgs } from 'node:util'
import { caseNames, isCaseName, type CaseName } from './cases.ts'

export interface BenchmarkOptions {
  /** Checks that all of it works, instead of measuring. */
  readonly isSmoke: boolean
  readonly rounds: number
  readonly seconds: number
  readonly mixedSeconds: number
  readonly rows: number
  readonly only: readonly Part[]
  readonly postgres: string | undefined
  readonly hasPeer: boolean
  /** The sizes of the growth curve, in rows. */
  readonly sizes: readonly number[]
  /** How many material lines wait, in turn. */
  readonly lines: readonly number[]
  /** Cases to profile instead of measuring. */
  readonly profile: readonly CaseName[]
}

export type Part = CaseName | 'start' | 'material' | 'mixed' | 'neighbours' | 'growth'

/**
 * Enough for the server to treat a read as in a large database; at 80,000 rows most reads count as
 * cheap.
 */
const smokeRows = '120000'
const smokeLineCounts = '1000'

export const defaultLineCounts = '10000,100000,1000000'
const defaultSizes = '10000,1000000,10000000'

export const usage = `Measures Dagsverk against its goals. Only ratios inside one interleaved run count.

  npm run bench -- [options]

  --rounds N         rounds of each comparison                 (8)
  --seconds N        length of one measurement                 (2)
  --rows N           revenue rows, spread over 10 companies    (1000000)
  --only A,B,…       point page100 from100 range100 department100 changes100 export1400 first100
                     page10k expand100 expand2 upsert list10k                       comparisons
                     stream list100k     a small client beside a large request
                     start               start to ready, idle memory
                     material            lines from registration to acknowledgement
                     mixed               writers, pollers and a stream side by side
                     neighbours          point reads and upserts of others while one company floods the server
                     interface           every request of sections 4.1 to 4.4, 64 connections,
                                         for --rounds times --seconds
                     growth              cost of a request by rows; only when named, or with --all
  --all              everything, growth too: the whole table of goals, with --postgres
  --neighbours       the same as --only neighbours
  --sizes N,N,…      sizes of the growth curve                 (${defaultSizes})
  --lines N,N,…      waiting lines of the part material        (${defaultLineCounts})
  --mixed-seconds N  length of the part mixed                  (120)
  --postgres URL     measures PostgreSQL as well; its user must be allowed to create databases
  --profile A,B,…    instead of measuring, shows where the time of these cases goes
  --smoke            instead of measuring, sends a few requests of each case to a small database of ${smokeRows}
                     rows and checks every reply; without CAP, unless --peer is given
  --no-peer          leaves the CAP server out
  --help             this text

Examples
  npm run bench                                            everything but growth
  npm run bench -- --rounds 2 --rows 100000 --seconds 1    a quick look
  npm run bench -- --only point,upsert --no-peer           only against the baseline and ourselves
  npm run bench -- --only growth --sizes 10000,1000000     is a request as cheap in a large database?
  npm run bench -- --only interface --seconds 10           is any request of the interface rejected?
  npm run bench -- --smoke                                 does everything that is measured still work?
  npm run bench -- --profile point,upsert                  where does the time go?
  npm run bench -- --all --postgres postgres://postgres@127.0.0.1/postgres

Filled databases are kept in bench/data, results in bench/results. The exit code is 1 where a case could not be measured,
a request was rejected or a reply was wrong.`

/** Cases that others are measured with. */
const auxiliaryCases: readonly CaseName[] = ['poll100', 'everyRecord', 'costly']

const parts: readonly Part[] = [
  ...caseNames.filter((name) => !auxiliaryCases.includes(name)),
  'start',
  'material',
  'mixed',
  'neighbours',
  'growth',
]

/** Null when help is requested. Throws with a message for the user. */
export function optionsFrom(args: string[]): BenchmarkOptions | null {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      rounds: { type: 'string' },
      seconds: { type: 'string', default: '2' },
      'mixed-seconds': { type: 'string' },
      rows: { type: 'string' },
      only: { type: 'string' },
      all: { type: 'boolean', default: false },
      neighbours: { type: 'boolean', default: false },
      sizes: { type: 'string', default: defaultSizes },
      lines: { type: 'string' },
      postgres: { type: 'string' },
      profile: { type: 'string', default: '' },
      smoke: { type: 'boolean', default: false },
      peer: { type: 'boolean' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  const { smoke: isSmoke } = values
  const defaultParts = values.all ? parts : parts.filter((part) => part !== 'growth')
  const only = values.neighbours ? 'neighbours' : values.only
  return {
    isSmoke,
    rounds: positive('--rounds', values.rounds ?? (isSmoke ? '1' : '8')),
    seconds: positive('--seconds', values.seconds),
    mixedSeconds: positive('--mixed-seconds', values['mixed-seconds'] ?? (isSmoke ? '2' : '120')),
    rows: rowsIn('--rows', values.rows ?? (isSmoke ? smokeRows : '1000000')),
    only: only === undefined ? defaultParts : only.split(',').map(partFrom),
    postgres: values.postgres,
    hasPeer: values.peer ?? !isSmoke,
    sizes: values.sizes.split(',').map((size) => rowsIn('--sizes', size)),
    lines: (values.lines ?? (isSmoke ? smokeLineCounts : defaultLineCounts))
      .split(',')
      .map((count) => positive('--lines', count)),
    profile: values.profile.split(',').filter(Boolean).map(caseFrom),
  }
}

function partFrom(text: string): Part {
  const part = parts.find((each) => each === text)
  if (part === undefined) throw new Error(`--only accepts ${parts.join(', ')}, not "${text}"`)
  return part
}

function caseFrom(text: string): CaseName {
  if (isCaseName(text)) return text
  throw new Error(`--profile accepts ${caseNames.join(', ')}, not "${text}"`)
}

function rowsIn(name: string, text: string): number {
  const rows = positive(name, text)
  if (rows >= 10_000 && rows % 1000 === 0) return rows
  throw new Error(`${name} accepts thousands, at least 10000, not ${text}`)
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (value > 0) return value
  throw new Error(`${name} accepts a number above 0, not "${text}"`)
}
