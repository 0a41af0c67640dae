// The command line of the benchmark: its arguments, and messages for wrong ones.
import { parseArgs } from 'node:util'
import { caseNames, isCaseName, type CaseName } from './cases.ts'

export interface Options {
  /** Checks that all of it works, instead of measuring. */
  readonly isSmoke: boolean
  readonly rounds: number
  readonly seconds: number
  readonly rows: number
  readonly only: Part[]
  readonly postgres: string | undefined
  readonly hasPeer: boolean
  /** The sizes of the growth curve, in rows. */
  readonly sizes: number[]
  /** Cases to profile instead of measuring. */
  readonly profile: CaseName[]
}

export type Part = CaseName | 'start' | 'growth'

/**
 * Enough for the server to treat a read as in a large database; at 80,000 rows most reads count as
 * cheap.
 */
const smokeRows = '120000'

export const usage = `Measures Dagsverk against its goals. Only ratios inside one interleaved run count.

  npm run bench -- [options]

  --rounds N         rounds of each contest                    (8)
  --seconds N        length of one measurement                 (2)
  --rows N           revenue rows, spread over 10 companies    (1000000)
  --only A,B,…       point page100 from100 range100 department100 changes100 export1400 first100
                     page10k expand100 expand2 upsert list10k                          contests
                     stream list100k                   a small caller beside a large one
                     start                             start to ready, idle memory
                     growth                            cost of a request by rows; only when named
  --sizes N,N,…      sizes of the growth curve                 (10000,1000000,10000000)
  --postgres URL     measures PostgreSQL as well; its user must be allowed to create databases
  --profile A,B,…    instead of measuring, shows where the time of these cases goes
  --smoke            instead of measuring, sends a few requests of each case to a small database of ${smokeRows}
                     rows and looks at every answer; without CAP, unless --peer is given
  --no-peer          leaves the CAP server out
  --help             this text

Examples
  npm run bench                                            everything but growth
  npm run bench -- --rounds 2 --rows 100000 --seconds 1    a quick look
  npm run bench -- --only point,upsert --no-peer           only against the floor and ourselves
  npm run bench -- --only growth --sizes 10000,1000000     is a request as cheap in a large database?
  npm run bench -- --smoke                                 does everything that is measured still work?
  npm run bench -- --profile point,upsert                  where does the time go?
  npm run bench -- --postgres postgres://postgres@127.0.0.1/postgres

Filled databases are kept in bench/data, results in bench/results. The exit code is 1 where a case could not be measured,
a request was refused or an answer was wrong.`

const parts: readonly Part[] = [...caseNames, 'start', 'growth']

/** Null when help is requested. Throws with a message for the user. */
export function optionsFrom(args: string[]): Options | null {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      rounds: { type: 'string', default: '8' },
      seconds: { type: 'string', default: '2' },
      rows: { type: 'string' },
      only: { type: 'string', default: parts.filter((part) => part !== 'growth').join(',') },
      sizes: { type: 'string', default: '10000,1000000,10000000' },
      postgres: { type: 'string' },
      profile: { type: 'string', default: '' },
      smoke: { type: 'boolean', default: false },
      peer: { type: 'boolean' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  return {
    rounds: positive('--rounds', values.rounds),
    seconds: positive('--seconds', values.seconds),
    rows: rowsIn('--rows', values.rows ?? (values.smoke ? smokeRows : '1000000')),
    only: values.only.split(',').map(partFrom),
    postgres: values.postgres,
    isSmoke: values.smoke,
    hasPeer: values.peer ?? !values.smoke,
    sizes: values.sizes.split(',').map((size) => rowsIn('--sizes', size)),
    profile: values.profile.split(',').filter(Boolean).map(caseFrom),
  }
}

function partFrom(text: string): Part {
  const part = parts.find((each) => each === text)
  if (part === undefined) throw new Error(`--only knows ${parts.join(', ')}, not "${text}"`)
  return part
}

function caseFrom(text: string): CaseName {
  if (isCaseName(text)) return text
  throw new Error(`--profile knows ${caseNames.join(', ')}, not "${text}"`)
}

function rowsIn(name: string, text: string): number {
  const rows = positive(name, text)
  if (rows >= 10_000 && rows % 1000 === 0) return rows
  throw new Error(`${name} takes thousands, at least 10000, not ${text}`)
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (value > 0) return value
  throw new Error(`${name} takes a number above 0, not "${text}"`)
}
