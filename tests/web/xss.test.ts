// XSS: hostile texts on every screen that shows user input; and sign-in over plain HTTP.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { startSandbox } from '../support/sandbox.ts'
import { isDriverMessage, openBrowser, openContext, signIn } from './browser.ts'
import { useBrowser } from './browser-fixture.ts'

const payloads = [
  '<script>window.hit=1</script>',
  '<img src=x onerror="window.hit=1">',
  '<svg onload=window.hit=1>',
  '"><img src=x onerror=window.hit=1>',
  "'><svg/onload=window.hit=1>",
  '</title><script>window.hit=1</script>',
  '</script><script>window.hit=1</script>',
  '<iframe srcdoc="<script>parent.hit=1</script>">',
  '<a href="javascript:window.hit=1">x</a>',
  'javascript:window.hit=1',
  '<style>@import "https://evil.example/x.css"</style>',
  '<link rel=stylesheet href=https://evil.example/x.css>',
  '<base href=https://evil.example/>',
  '<form action=https://evil.example><button>x</button></form>',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '{{constructor.constructor("window.hit=1")()}}',
  '${window.hit=1}',
  '<math><mtext><img src=x onerror=window.hit=1>',
  '<details open ontoggle=window.hit=1>',
  '<object data="data:text/html,<script>parent.hit=1</script>">',
  '<input autofocus onfocus=window.hit=1>',
  '<video><source onerror=window.hit=1>',
  '\u202Egpj.exe<img src=x onerror=window.hit=1>',
  '&lt;script&gt;window.hit=1&lt;/script&gt;',
  '<noscript><p title="</noscript><img src=x onerror=window.hit=1>">',
  '<template><img src=x onerror=window.hit=1></template>',
  '__proto__',
  'constructor',
  '<b onmouseover=window.hit=1>b</b>',
  '=HYPERLINK("https://evil.example")',
]

describe.runIf(isAvailable('chromium'))('a hostile text', () => {
  const browserFixture = useBrowser()
  const post = browserFixture.call
  let page: Page
  const consoleErrors: string[] = []

  beforeAll(async () => {
    page = await browserFixture.newPage()
    page.on('console', (message) => {
      const text = message.text()
      if (['error', 'warning'].includes(message.type()) && !text.includes('401') && !isDriverMessage(text))
        consoleErrors.push(text)
    })
    page.on('dialog', (dialog) => {
      consoleErrors.push(dialog.message())
      void dialog.dismiss()
    })
    page.on('request', (request) => {
      if (!request.url().startsWith(browserFixture.address)) consoleErrors.push(request.url())
    })
    await post(
      '/dev/Omsetning/LagreEllerOppdaterListe',
      payloads.map((text) => ({ Dato: '2026-11-12', AvdelingID: text.slice(0, 50), Omsetning: 1, Merknad: text })),
    )
    await post(
      '/prosjekt/Transaksjon/Batch',
      payloads.map((text) => ({
        Dato: '2026-11-12',
        Antall: 1,
        Varenavn: text,
        VareId: text.slice(0, 50),
        Enhet: text.slice(0, 20),
        Merknad: text,
        Kilde: text.slice(0, 50),
        EksternId: text.slice(0, 100),
      })),
    )
    for (const agent of payloads.filter((text) => /^[\x20-\x7e]*$/.test(text)))
      await fetch(`${browserFixture.address}/app/okt`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Origin: browserFixture.address,
          'Sec-Fetch-Site': 'same-origin',
          'User-Agent': agent,
        },
        body: JSON.stringify({ email: 'leder@test.example', password: 'test' }),
      })
    await signIn(page)
  })

  test.each([
    ['today', '/app/i-dag', '.task'],
    ['the chart', '/app/omsetning', '.legend'],
    ['the table', '/app/omsetning?tabell=true', '.table-scroll td'],
    ['the grid', '/app/omsetning?vis=dager&dag=2026-11-12', '.GridTable-cell'],
    [
      'a cell',
      `/app/omsetning?vis=dager&dag=2026-11-12&celle=${encodeURIComponent('2026-11-12.<svg onload=window.hit=1>')}`,
      '.record',
    ],
    ['the approvals', '/app/godkjenning?gruppe=ingen&avvik=true', '.Queue-line .strong'],
    ['the approvals by day', '/app/godkjenning?gruppe=dag', '.Queue-line .strong'],
    ['a line', '/app/godkjenning?linje=310', '.history li'],
    ['a search', `/app/register?sok=${encodeURIComponent(payloads[1] ?? '')}`, '.state'],
    ['the account', `/app/konto?sso=${encodeURIComponent(payloads[1] ?? '')}`, '#sessions'],
    ['a query parameter', `/app/omsetning?avd=${encodeURIComponent(payloads[0] ?? '')}`, '.summary'],
  ])('is rendered as text in %s', async (_, path, ready) => {
    await page.goto(path)
    await page.waitForSelector(ready)
    await page.waitForLoadState('networkidle')
    await expect.poll(() => page.evaluate(() => 'hit' in window)).toBe(false)
    await expect.poll(() => page.locator('main script, main iframe, main form[action]').count()).toBe(0)
    expect(consoleErrors.splice(0)).toEqual([])
  })

  test('text with a direction override is shown in the order it is stored', async () => {
    const reversed = payloads.find((text) => text.startsWith('\u202E')) ?? ''
    const source = encodeURIComponent(reversed.slice(0, 50))
    await page.goto(`/app/godkjenning?gruppe=ingen&kilde=${source}`)
    await page
      .getByRole('checkbox', { name: /^Merk gpj\.exe<img/ })
      .first()
      .waitFor()
  })
})

describe.runIf(isAvailable('chromium'))('plain HTTP on another host than localhost', () => {
  test('the sign-in explains why it does not work, and links to HTTPS', async () => {
    const sandbox = await startSandbox(['--sandbox-public'], { DAGSVERK_ALLOWED_HOSTS: 'tavle.example' })
    const browser = await openBrowser('--host-resolver-rules=MAP tavle.example 127.0.0.1')
    try {
      const address = sandbox.address.replace('127.0.0.1', 'tavle.example')
      const page = await (await openContext(browser, address)).newPage()
      await page.goto('/app/omsetning')
      await page.waitForSelector('.public-notice')
      await expect.poll(() => page.locator('input[type=password]').count()).toBe(0)
      await expect
        .poll(() => page.getAttribute('.public-notice a', 'href'))
        .toMatch(/^https:\/\/tavle\.example:\d+\/app\/omsetning$/)
    } finally {
      await browser.close()
      await sandbox.stop()
    }
  })
})
