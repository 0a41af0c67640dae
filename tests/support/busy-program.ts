// A program that uses 0.3 s of CPU time in the thread or process of its argument for each message.
import { fork } from 'node:child_process'
import { parentPort, Worker } from 'node:worker_threads'

const burnedMicros = 300_000

function burn(): void {
  const begun = process.cpuUsage()
  for (;;) {
    const { user, system } = process.cpuUsage(begun)
    if (user + system >= burnedMicros) return
  }
}

function start(place: string) {
  return fork(import.meta.filename, [place])
}
function startThread(argument: string) {
  return new Worker(import.meta.filename, { argv: [argument] })
}

const places: Record<string, (done: () => void) => void> = {
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

const [place = ''] = process.argv.slice(2)
const work = places[place]
if (work === undefined) {
  burn()
  if (place === 'stay') parentPort?.on('message', () => {}).postMessage('burned', [])
} else {
  process.on('message', () => work(() => process.send?.('burned')))
  process.once('disconnect', () => process.exit())
}
