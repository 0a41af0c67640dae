// A program that uses 0.3 s of CPU time in the thread or process of its argument for each message.
import { fork } from 'node:child_process'
import { parentPort, Worker } from 'node:worker_threads'

const burnMicros = 300_000

function burn(): void {
  const started = process.cpuUsage()
  for (;;) {
    const { user, system } = process.cpuUsage(started)
    if (user + system >= burnMicros) return
  }
}

function start(target: string) {
  return fork(import.meta.filename, [target])
}
function startThread(argument: string) {
  return new Worker(import.meta.filename, { argv: [argument] })
}

const targets: Record<string, (done: () => void) => void> = {
  'main thread': (done) => {
    burn()
    done()
  },
  'live thread': (done) => startThread('stay').once('message', done),
  'ended thread': (done) => startThread('end').once('exit', done),
  'live child': (done) => start('main thread').once('message', done).send(''),
  'ended child': (done) => start('end').once('exit', done),
  grandchild: (done) => start('live child').once('message', done).send(''),
}

const [target = ''] = process.argv.slice(2)
const work = targets[target]
if (work === undefined) {
  burn()
  if (target === 'stay') parentPort?.on('message', () => {}).postMessage('burned', [])
} else {
  process.on('message', () => work(() => process.send?.('burned')))
  process.once('disconnect', () => process.exit())
}
