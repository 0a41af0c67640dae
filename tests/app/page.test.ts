// The HTML page of the app and its files: security headers, caching and size.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { screens } from '../../src/app/contract/screens.ts'
import { openRawConnection, request } from '../http/conversation.ts'
import { sqlite } from '../support/databases.ts'
import { expectError } from '../support/replies.ts'
import { useTestServer, startTestServer } from '../support/server.ts'
import { root } from '../support/repository.ts'

describe('the page of the app', () => {
  const server = useTestServer(sqlite, 'page')

  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    server.call('GET', path, { as: null, headers })

  const filesIn = (html: string): string[] =>
    [...html.matchAll(/(?:src|href)="(?<path>\/app\/assets\/[^"]+)"/g)].map(({ groups }) => groups?.path ?? '')

  test.each(['/', '/app', ...screens.map((screen) => `/app/${screen}`)])('is at %s', async (path) => {
    const { status, headers, text } = await get(path)
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(text).toContain('<div id="app">')
  })

  test('an unknown URL is an HTML page for a browser, and an error body for a program', async () => {
    const asPerson = await get('/app/finnes-ikke', { accept: 'text/html,*/*;q=0.8' })
    expect([asPerson.status, asPerson.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(asPerson.headers['content-security-policy']).toContain("default-src 'none'")
    const outsideApp = await get('/finnes-ikke', { accept: 'text/html,*/*;q=0.8' })
    expect([outsideApp.status, outsideApp.text]).toEqual([
      404,
      expect.stringContaining('<h1>There is no such page</h1>'),
    ])
    for (const path of ['/app/finnes-ikke', '/finnes-ikke']) expectError(await get(path), 404, 'NotFound')
  })

  test('the page loads from this server alone, and styles only with the nonce of the reply', async () => {
    const [one, other] = [await get('/'), await get('/')]
    const policy = one.headers['content-security-policy'] ?? ''
    const nonce = /'nonce-(?<nonce>[\w-]+)'/.exec(policy)?.groups?.nonce ?? ''
    expect(policy.replace(nonce, 'NONCE')).toBe(
      [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'nonce-NONCE'",
        "img-src 'self'",
        "manifest-src 'self'",
        "require-trusted-types-for 'script'",
        'trusted-types default',
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "object-src 'none'",
      ].join('; '),
    )
    expect(nonce.length).toBeGreaterThanOrEqual(22)
    expect(one.text).toContain(`nonce="${nonce}"`)
    expect(one.text).not.toContain('%nonce%')
    expect(other.text).not.toContain(nonce)
  })

  test.each([
    ['en', 'The browser app is not built'],
    ['nb', 'Nettleserappen er ikke bygd'],
  ])('an app that was not built says so to a browser, in %s', async (language, title) => {
    const secondInstance = await server.secondInstance({ appFolder: join(root, 'no-such-folder') })
    const accept = 'text/html,*/*;q=0.8'
    for (const path of ['/', '/app', '/app/i-dag', '/app/ukjent', '/docs']) {
      const headers = { accept, 'accept-language': language }
      const reply = await secondInstance.call('GET', path, { as: null, headers })
      expect([path, reply.status]).toEqual([path, 503])
      expect(reply.text).toContain(`<h1>${title}</h1>`)
      expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
    }
    expectError(await secondInstance.call('GET', '/', { as: null }), 503, 'AppNotBuilt')
    expect((await secondInstance.call('GET', '/dev/Omsetning/Finn')).status).toBe(200)
  })

  test('the page is not cacheable, and sends no referrer', async () => {
    const { headers } = await get('/')
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers['server'] ?? headers['x-powered-by']).toBeUndefined()
  })

  test('files with a hash in their names are cached for a year and sent precompressed', async () => {
    const { text } = await get('/')
    const files = filesIn(text)
    expect(files.length).toBeGreaterThan(2)
    for (const path of files) {
      const plain = await get(path)
      expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(plain.headers['content-encoding']).toBeUndefined()
      for (const encoding of ['br', 'gzip'])
        expect((await get(path, { 'accept-encoding': `deflate, ${encoding}` })).headers).toMatchObject({
          'content-encoding': encoding,
          vary: 'Accept-Encoding',
        })
    }
  })

  test.each([
    '/app/assets/..%2findex.html',
    '/app/assets/../../package.json',
    '/app/assets/index.html',
    '/app/assets/x.js',
    '/app/ukjent',
    '/app/data/ukjent',
  ])('%s is not a file of the app', async (path) => {
    expect((await get(path)).status).toBe(404)
  })

  test('a file of the app that an upgrade has deleted is 404', async () => {
    const appFolder = mkdtempSync(join(tmpdir(), 'dagsverk-app-'))
    onTestFinished(() => rmSync(appFolder, { recursive: true }))
    const file = join(appFolder, 'assets/old.js')
    mkdirSync(join(appFolder, 'assets'))
    writeFileSync(file, '')
    const upgraded = await startTestServer(sqlite, 'upgraded-app', { appFolder })
    onTestFinished(() => upgraded.close())
    const statusOfFile = async () => (await upgraded.call('GET', '/app/assets/old.js', { as: null })).status
    expect(await statusOfFile()).toBe(200)
    rmSync(file)
    expect(await statusOfFile()).toBe(404)
  })

  test('clients that wait with the same long file share its memory', async () => {
    const [clients, bytes] = [20, 8 * 1024 * 1024]
    const appFolder = mkdtempSync(join(tmpdir(), 'dagsverk-app-'))
    onTestFinished(() => rmSync(appFolder, { recursive: true }))
    mkdirSync(join(appFolder, 'assets'))
    writeFileSync(join(appFolder, 'assets/long.js'), Buffer.alloc(bytes))
    const ofLongFile = await startTestServer(sqlite, 'long-file', { appFolder })
    onTestFinished(() => ofLongFile.close())
    const address = await ofLongFile.http.listen(0, '127.0.0.1')
    const before = process.memoryUsage().arrayBuffers
    const waiting = Array.from({ length: clients }, () => openRawConnection(address))
    for (const client of waiting) {
      await client.send(request(['GET /app/assets/long.js HTTP/1.1', 'Host: localhost']))
      await client.waitFor(/^HTTP\/1\.1 200 OK/)
      client.pause()
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan((clients * bytes) / 2)
    for (const client of waiting) client.abort()
  })

  test('the app can be installed: manifest and worker have fixed URLs, and are revalidated', async () => {
    const manifest = await get('/app/manifest.json')
    expect(manifest.headers).toMatchObject({ 'content-type': 'application/manifest+json', 'cache-control': 'no-cache' })
    const { icons, scope, start_url: start } = manifest.json
    expect([scope, start, (await get(icons[0].src)).status]).toEqual(['/app/', '/app/i-dag', 200])
    const worker = await get('/app/sw.js')
    expect(worker.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': "default-src 'none'; connect-src 'self'",
    })
    const files = [...worker.text.matchAll(/"(\/app\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
    expect(files.length).toBeGreaterThan(20)
    for (const path of files) expect([path, (await get(path)).status]).toEqual([path, 200])
  })

  test('the first screen loads at most 220 kB of scripts, 30 kB of styles and 21 kB of fonts, compressed', async () => {
    const dist = join(root, 'web/dist')
    const html = readFileSync(join(dist, 'index.html'), 'utf8')
    const bytesOf = (ending: string) =>
      filesIn(html)
        .filter((path) => path.endsWith(ending))
        .map((path) => readFileSync(join(dist, `${path.replace('/app/', '')}.gz`)).length)
        .reduce((sum, one) => sum + one, 0)
    expect(bytesOf('.js')).toBeLessThanOrEqual(220_000)
    expect(bytesOf('.css')).toBeLessThanOrEqual(30_000)
    const [font = ''] = readdirSync(join(dist, 'assets')).filter((name) => name.startsWith('figtree-latin-wght'))
    const { headers } = await get(`/app/assets/${font}`)
    expect(headers['content-type']).toBe('font/woff2')
    expect(statSync(join(dist, 'assets', font)).size).toBeLessThanOrEqual(21_000)
  })
})
