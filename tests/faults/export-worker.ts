// An integration as a process of its own: `exportLoop` around a receiver, and a death at a place that is named.
// Receiver: a file with a line per voucher, which takes no key a second time.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { connect } from '../../src/client/client.ts'

function said(name: string): string {
  return process.env[name] ?? ''
}

const file = said('RECEIVER')
const client = connect({ url: said('URL'), key: said('KEY'), attempts: 40 })

/** So many lines are handled before it dies. */
let left = Number(said('LINES') || Infinity)
const place = said('DIES')

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
