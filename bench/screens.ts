// Measures the approvals screen in a browser: load, render and key latency, minus an empty page of the same
// build. Run: npm start builds the app; then node bench/screens.ts [--sizes 200,100000] [--rounds 5]
import { parseArgs } from 'node:util'
import { chromium, type Page } from 'playwright-core'
import { startSandbox } from './sandbox.ts'
import { median, rangeOf } from './statistics.ts'

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '200,100000' },
    rounds: { type: 'string', default: '5' },
    postgres: { type: 'string' },
    /** Every line is an anomaly, of which a thousand are above the list. */
    anomalies: { type: 'boolean', default: false },
    browser: { type: 'string', default: '/usr/bin/chromium' },
  },
})

/** Lines of one project, which are approved together. */
const projectLines = 1_000
const callLines = 10_000

const server = await startSandbox(options.postgres)

function dayOf(days: number): string {
  return new Date(Date.UTC(2025, 0, 1 + days)).toISOString().slice(0, 10)
}

async function post(path: string, body: unknown): Promise<void> {
  const reply = await fetch(server.address + path, {
    method: 'POST',
    headers: { 'tb-key': 'test2-key', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error((await reply.text()).slice(0, 500))
}

function projectOf(line: number): string {
  return `M${String(Math.floor(line / projectLines)).padStart(4, '0')}`
}

/** The projects are in the directory: unknown ones would be anomalies, unless all lines are to be some. */
async function register(first: number, count: number): Promise<void> {
  for (let line = first; line < first + count && !options.anomalies; line++)
    if (line % projectLines === 0)
      await post('/prosjekt/Prosjekt', { id: projectOf(line), navn: `Prosjekt ${projectOf(line)}` })
  const rows = Array.from({ length: count }, (_, index) => ({
    // Each line of an item has another date: duplicates would be anomalies.
    Dato: dayOf(Math.floor((first + index) / 500)),
    VareId: `V${(first + index) % 500}`,
    Varenavn: 'Skrue 4x40',
    Antall: 1 + ((first + index) % 9),
    Salgspris: 12.5,
    ProsjektId: projectOf(first + index),
  }))
  await post('/prosjekt/Transaksjon/Batch', rows)
}

/** Milliseconds from the start of the navigation until the first frame that contains it. */
async function loaded(page: Page, path: string, selector: string): Promise<number> {
  await page.goto(path, { waitUntil: 'commit' })
  return inPage(page, `${until(`document.querySelector(${JSON.stringify(selector)})`)}; return performance.now()`)
}

/** Milliseconds from a key press until the first frame that shows its effect. */
function pressed(page: Page, key: string, selector: string): Promise<number> {
  return timed(
    page,
    `document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true }))`,
    `document.querySelector(${JSON.stringify(selector)})`,
  )
}

/** Milliseconds from a jump within the list until its lines are fetched and drawn. */
function jumped(page: Page, share: number): Promise<number> {
  return timed(
    page,
    `window.scrollTo(0, document.documentElement.scrollHeight * ${share})
     await new Promise(requestAnimationFrame); await new Promise(requestAnimationFrame)`,
    "document.querySelector('.Queue-line') && !document.querySelector('.Queue-table .skeleton')",
  )
}

function timed(page: Page, act: string, isShown: string): Promise<number> {
  return inPage(page, `const began = performance.now(); ${act}; ${until(isShown)}; return performance.now() - began`)
}

/** Sent to the browser as text, because this program has no DOM types. */
function inPage(page: Page, code: string): Promise<number> {
  return page.evaluate<number>(`(async () => { ${code} })()`)
}

function until(isShown: string): string {
  return `while (!(${isShown})) await new Promise(requestAnimationFrame)`
}

type Times = Map<string, number[]>

function recordTime(times: Times, what: string, milliseconds: number): void {
  const recorded = times.get(what) ?? []
  recorded.push(milliseconds)
  times.set(what, recorded)
}

const emptyLoad = 'empty page: load'
const emptyKey = 'empty page: a key'

async function measureScreen(page: Page, times: Times): Promise<void> {
  recordTime(times, emptyLoad, await loaded(page, '/app/hjelp', '.keys'))
  recordTime(times, emptyKey, await pressed(page, '?', '[role=dialog] .keys'))
  const queue = '/app/godkjenning?gruppe=ingen'
  recordTime(times, 'queue: load', await loaded(page, queue, '.Queue-line .strong'))
  recordTime(times, 'queue: jump to the middle', await jumped(page, 0.5))
  recordTime(times, 'queue: jump to the end', await jumped(page, 0.99))
  await page.evaluate('window.scrollTo(0, 0)')
  await page.waitForSelector('.Queue-line .strong')
  await pressed(page, 'j', '.Queue-table [tabindex="0"]')
  await pressed(page, 'j', '.Queue-table [tabindex="0"]')
  recordTime(times, 'queue: tick a line', await pressed(page, 'x', '.action-bar'))
}

async function approve(page: Page, times: Times): Promise<void> {
  await loaded(page, '/app/godkjenning', '.Queue-line .strong')
  await page.locator('.Queue-groupTick[aria-label$=" M0000"]').click()
  await page.waitForSelector('.action-bar')
  const count = await page.textContent('.action-count')
  recordTime(
    times,
    `queue: approve ${count?.split(' merket')[0] ?? ''}`,
    await pressed(page, 'a', '.outcome .alert strong'),
  )
  recordTime(
    times,
    'queue: its list after that',
    await timed(page, '', `!document.querySelector('.Queue-groupTick[aria-label$=" M0000"]')`),
  )
}

function printTimes(size: number, times: Times): void {
  console.log(`\n${size.toLocaleString('en')} lines wait`)
  const load = median(times.get(emptyLoad) ?? [])
  const key = median(times.get(emptyKey) ?? [])
  for (const [what, all] of times) {
    const over = what.endsWith('load') ? load : key
    const [least, most] = rangeOf(all).map(Math.round)
    const ratio = (median(all) / over).toFixed(2)
    console.log(`  ${what.padEnd(28)} ${ratio.padStart(6)}   ${Math.round(median(all))} ms (${least}–${most})`)
  }
}

const browser = await chromium.launch({
  executablePath: options.browser,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
})
try {
  const context = await browser.newContext({
    baseURL: server.address,
    viewport: { width: 1280, height: 860 },
    locale: 'nb-NO',
    serviceWorkers: 'block',
  })
  const page = await context.newPage()
  await page.goto('/app/hjelp')
  await page.fill('input[name=email]', 'leder@test2.example')
  await page.fill('input[name=password]', 'test2')
  await page.click('button[type=submit]')
  await page.waitForSelector('.keys')
  console.log('Relative to the empty page: loads to its load, the rest to its response to a key.')
  let waiting = 0
  for (const size of options.sizes.split(',').map(Number)) {
    while (waiting < size) {
      const count = Math.min(callLines, size - waiting)
      await register(waiting, count)
      waiting += count
    }
    const times: Times = new Map()
    // The first navigation fills the browser's cache.
    await measureScreen(page, new Map())
    for (let round = 0; round < Number(options.rounds); round += 1) await measureScreen(page, times)
    // A group of anomalies cannot be approved in one go.
    if (size >= projectLines && !options.anomalies) await approve(page, times)
    printTimes(size, times)
  }
} finally {
  await browser.close()
  server.stop()
}
