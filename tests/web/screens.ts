// Every screen: its path, and a selector that shows that it is ready.
import type { Page } from 'playwright-core'

export interface Screen {
  readonly name: string
  readonly path: string
  /** A key that opens it, where it has no path, and the element to press it in. */
  readonly press?: string
  readonly focus?: string
  readonly ready: string
  /** An error that the browser logs as expected. */
  readonly error?: string
}

/** Opens a screen by its URL, and waits until it is ready. */
export async function openScreen(page: Page, screen: Screen): Promise<void> {
  await page.goto(screen.path)
  await waitForScreen(page, screen)
}

/** Presses the key that opens it, if any, and waits until it is ready. */
export async function waitForScreen(page: Page, { press, focus = 'body', ready }: Screen): Promise<void> {
  await page.waitForSelector('h1')
  if (press !== undefined) await page.press(focus, press)
  await page.waitForSelector(ready)
}

/** Screens that only administrators see, or see differently. */
export const administratorScreens: readonly Screen[] = [
  { name: 'audit', path: '/app/revisjon', ready: '.cards tbody tr' },
  { name: 'export-actions', path: '/app/eksport?liste=ute', ready: '.table-scroll input[type=checkbox]' },
  { name: 'keys', path: '/app/administrasjon', ready: '.cards td' },
  { name: 'rejected-calls', path: '/app/administrasjon?vis=kall', ready: '.cards td, .state' },
  { name: 'webhooks', path: '/app/administrasjon?vis=webhooks', ready: '.cards td, .state' },
  { name: 'people', path: '/app/administrasjon?vis=personer', ready: '.cards td' },
  { name: 'import', path: '/app/import', ready: '.Imports-step h2' },
  { name: 'settings', path: '/app/administrasjon?vis=innstillinger', ready: '.Settings-form' },
]

export const screens: readonly Screen[] = [
  { name: 'today', path: '/app/i-dag', ready: '.Today-figure' },
  { name: 'approvals', path: '/app/godkjenning', ready: '.Queue-line .strong, .GroupSummaries-card' },
  { name: 'approvals-of-one-project', path: '/app/godkjenning?prosjekt=P003&merket=true', ready: '.action-count' },
  {
    name: 'approvals-by-day',
    path: '/app/godkjenning?gruppe=dag&liste=godkjent',
    ready: '.Queue-line .strong, .Queue-row .card',
  },
  {
    name: 'approvals-rejected',
    path: '/app/godkjenning?gruppe=ansatt&liste=avvist',
    ready: '.Queue-line .strong, .Queue-row .card',
  },
  { name: 'approvals-empty', path: '/app/godkjenning?kilde=ingen', ready: '.state' },
  { name: 'approvals-line', path: '/app/godkjenning?linje=300', ready: '.history li' },
  { name: 'data-quality', path: '/app/rydde', ready: '.page-section h2' },
  { name: 'material-entry', path: '/app/uttak', ready: '.MaterialEntry-form' },
  {
    name: 'material-entry-items',
    path: '/app/uttak',
    focus: '[role=combobox]',
    press: 'ArrowDown',
    ready: '[role=grid] [role=row]',
  },
  { name: 'export', path: '/app/eksport', ready: '.page-section td' },
  { name: 'export-history', path: '/app/eksport?vis=historikk', ready: '.page-section td' },
  { name: 'export-latency', path: '/app/eksport?vis=ventetid&per=uke', ready: '.chart svg' },
  { name: 'export-latency-table', path: '/app/eksport?vis=ventetid&tabell=true', ready: '.summary' },
  { name: 'export-line', path: '/app/eksport?linje=1&liste=ute', ready: '.history li' },
  { name: 'export-retrieval', path: '/app/eksport?uthenting=6', ready: '.related td' },
  { name: 'export-reconciliation', path: '/app/eksport?vis=avstemming', ready: '.panel textarea' },
  { name: 'revenue', path: '/app/omsetning', ready: '.chart svg' },
  { name: 'revenue-months', path: '/app/omsetning?per=maned', ready: '.chart svg' },
  { name: 'revenue-table', path: '/app/omsetning?per=uke&tabell=true', ready: '.table-scroll td' },
  { name: 'revenue-days', path: '/app/omsetning?vis=dager', ready: '.GridTable-cell' },
  { name: 'revenue-compared', path: '/app/omsetning?vis=dager&sammenlign=true', ready: '.GridTable-compared small' },
  { name: 'revenue-calendar', path: '/app/omsetning?vis=kalender', ready: '.Calendar-square' },
  { name: 'revenue-received', path: '/app/omsetning?vis=mottatt', ready: '.feed .table-scroll td' },
  { name: 'revenue-cell', path: '/app/omsetning?vis=dager&dag=2026-11-13&celle=2026-11-13.20', ready: '.history li' },
  { name: 'employees', path: '/app/register', ready: '.list td' },
  { name: 'employee', path: '/app/register?id=1', ready: '.fields dd' },
  { name: 'projects', path: '/app/register?liste=Prosjekt', ready: '.list td' },
  { name: 'no-match', path: '/app/register?sok=finnes%20ikke', ready: '.state' },
  {
    name: 'explore',
    path: '/app/utforsk?sett=Ansatt&expand=Avdeling(%24select%3DNavn)&top=12',
    ready: '.Explore-result td',
  },
  {
    name: 'explore-broken',
    path: `/app/utforsk?filter=${encodeURIComponent('Omsetning gt 5 adn Dato ge 2026-01-01')}`,
    ready: '.Explore-broken',
    error: '400 (Bad Request)',
  },
  { name: 'import-revenue', path: '/app/import?hva=Omsetning', ready: '.Imports-step h2' },
  { name: 'account', path: '/app/konto', ready: '.Account-sections tbody tr' },
  { name: 'help', path: '/app/hjelp', ready: '.keys' },
  { name: 'no-access', path: '/app/revisjon', ready: '.state' },
  { name: 'palette', path: '/app/i-dag', press: 'Control+k', ready: '[role=option]' },
]
