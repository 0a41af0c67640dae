// An integration process: `exportLoop` with a file as its receiver, which ignores known keys, and a crash at a
// named point.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { connect } from '../../src/client/client.ts'

function setting(name: string): string {
  return process.env[name] ?? ''
}

const file = setting('RECEIVER')
const client = connect({ url: setting('URL'), key: setting('KEY'), attempts: 40 })

/** The number of lines that it processes before it crashes. */
let remainingLines = Number(setting('LINES') || Infinity)
const crashPoint = setting('CRASH_AT')

function crash() {
  return process.kill(process.pid, 'SIGKILL')
}

function receivedKeys(): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
}

const { counts } = await client.exportLoop(
  async ({ Id, Eksportnokkel }) => {
    remainingLines -= 1
    if (remainingLines < 0 && crashPoint === 'before') crash()
    if (!receivedKeys().includes(Eksportnokkel)) appendFileSync(file, `${Eksportnokkel}\n`)
    if (remainingLines < 0 && crashPoint === 'after') crash()
    return { externalId: `V-${Id}` }
  },
  {
    claims: setting('CLAIMS') !== 'no',
    max: 8,
    reportEvery: 4,
    leaseSeconds: 1,
    onReport: () => {
      if (remainingLines < 0 && crashPoint === 'report') crash()
    },
  },
)
process.stdout.write(JSON.stringify(counts))
