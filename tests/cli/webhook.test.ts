// `dagsverk webhook`: manages webhooks and their deliveries.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { useTestServer } from '../support/server.ts'
import { useTerminal } from './terminal.ts'

describe.each(databases)('webhooks at the command line on $name', (database) => {
  const server = useTestServer(database, 'cliwebhook')
  const terminal = useTerminal(() => ({ DAGSVERK_DATABASE_URL: server.url, DAGSVERK_MASTER_KEY: server.masterKey }))
  beforeEach(() => {
    terminal.clock.now = Date.now() * 1000
  })

  const run = (...args: string[]) => terminal.run('webhook', ...args)
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout)

  test('add, list, test, resend, rotate, enable and remove; the secret is printed only once', async () => {
    const { name } = await server.addCompany('KROK AS')
    const url = 'https://erp.example/hook?k=hemmelig'
    const { webhook, secret, events } = await json('add', name, url, '--events', 'export.ready')
    expect([events, secret]).toEqual(['export.ready', expect.stringMatching(/^whsec_.{44}$/)])
    const id = String(webhook)
    const listed = await run('list', name)
    expect(listed.stdout).toContain('https://erp.example/hook?…')
    expect(listed.stdout).not.toMatch(/hemmelig|whsec/)
    await run('test', name, id)
    const [delivery] = await json('deliveries', name, id)
    expect(delivery).toMatchObject({ type: 'webhook.test', attempts: 0, next: expect.any(String) })
    expect((await run('resend', name, String(delivery.id))).exitCode).toBe(0)
    const rotated = await json('rotate', name, id, '--hours', '2')
    expect(rotated.secret).not.toBe(secret)
    expect((await run('enable', name, id)).exitCode).toBe(0)
    expect((await run('remove', name, id)).exitCode).toBe(0)
    expect([await json('list', name), await json('deliveries', name)]).toEqual([[], []])
  })

  test('invalid arguments and webhooks of other companies are rejected with a message', async () => {
    const { name } = await server.addCompany('SNELLE AS')
    const { webhook } = await json('add', name, 'https://erp.example/')
    const refused = async (says: RegExp, ...args: string[]) => {
      const { exitCode, stderr } = await run(...args)
      expect(exitCode, args.join(' ')).not.toBe(0)
      expect(stderr).toMatch(says)
    }
    await refused(/url has an invalid value: must be a URL/, 'add', name, 'ftp://erp.example/')
    await refused(/url has an invalid value: must be a URL/, 'add', name, 'https://kari:ord@erp.example/')
    const notAllowed = /url has an invalid value: must use https, on a network that webhooks may call/
    for (const url of ['http://erp.example/', 'https://127.0.0.1/', 'https://10.1.0.7/'])
      await refused(notAllowed, 'add', name, url)
    await refused(notAllowed, 'add', name, 'http://10.2.0.7/', '--webhook-networks', '10.1.0.0/16')
    await refused(/Did you mean export.ready/, 'add', name, 'https://a.example', '--events', 'export.redy')
    await refused(/not a number/, 'test', name, 'x')
    const { name: other } = await server.addCompany('ANDRE AS')
    for (const act of ['test', 'enable', 'remove', 'rotate']) await refused(/no webhook/, act, other, String(webhook))
    await refused(/no delivery/, 'resend', other, '1')
    expect(await json('list', name)).toHaveLength(1)
    expect((await run('add', name, 'http://10.1.0.7/', '--webhook-networks', '10.1.0.0/16')).exitCode).toBe(0)
  })
})
