// An integration process: `exportLoop` with a file as its receiver, which ignores known keys, and a crash at a
// named point.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { connect } from '../../src/client/client.ts'

function said(name: string): string {
  return process.env[name] ?? ''
}

const file = said('RECEIVER')
const client = connect({ url: said('URL'), key: said('KEY'), attempts: 40 })

/** The number of lines that it processes before it crashes. */
let left = Number(said('LINES') || Infinity)
const place = said('CRASH_AT')

function die() {
  return process.kill(process.pid, 'SIGKILL')
}

function taken(): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
}

const { counts } = await client.exportLoop(
  async ({ Id, Eksportnokkel }) => {
    left -= 1
    if (left < 0 && place === 'before') die()
    if (!taken().includes(Eksportnokkel)) appendFileSync(file, `${Eksportnokkel}\n`)
    if (left < 0 && place === 'after') die()
    return { externalId: `V-${Id}` }
  },
  {
    claims: said('CLAIMS') !== 'no',
    max: 8,
    reportEvery: 4,
    leaseSeconds: 1,
    onReport: () => {
      if (left < 0 && place === 'report') die()
    },
  },
)
process.stdout.write(JSON.stringify(counts))
