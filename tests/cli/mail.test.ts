// `dagsverk mail`: test messages and the list of queued mail.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startMailServer, type MailServer } from '../support/mail-server.ts'
import { useTerminal } from './terminal.ts'

const terminal = useTerminal({ DAGSVERK_MAIL_FROM: 'dagsverk@eksempel.no' })
let server: MailServer
beforeEach(async () => {
  server = await startMailServer()
  writeFileSync(join(terminal.folder, 'smtp-url'), `${server.url}\n`, { mode: 0o600 })
})
afterEach(() => server.stop())

const configured = ['--smtp-url-file', 'smtp-url']

test('a test message is sent immediately, in the requested language', async () => {
  const sent = await terminal.run('mail', 'test', 'kari@eksempel.no', ...configured)
  expect(sent).toMatchObject({ exitCode: 0, stderr: 'The mail server accepted a message to kari@eksempel.no.\n' })
  await terminal.run('mail', 'test', 'ola@eksempel.no', '--language', 'nb', ...configured)
  expect(server.received.map(({ to, subject }) => [to, subject])).toEqual([
    ['kari@eksempel.no', 'Test message from Dagsverk'],
    ['ola@eksempel.no', 'Testmelding fra Dagsverk'],
  ])
})

test('a rejection of the mail server is reported with its reply code', async () => {
  server.rejection = { code: 554, text: 'we know you' }
  const refused = await terminal.run('mail', 'test', 'kari@eksempel.no', ...configured)
  expect(refused.exitCode).toBe(69)
  expect(refused.stderr).toMatch(/rejected the message \(EENVELOPE RCPT TO 554\).*we know you/s)
})

test('without a mail server the error names the settings', async () => {
  const refused = await terminal.run('mail', 'test', 'kari@eksempel.no')
  expect(refused.exitCode).toBe(78)
  expect(refused.stderr).toContain('DAGSVERK_SMTP_URL')
  expect((await terminal.run('mail', 'test', 'kari', ...configured)).exitCode).toBe(2)
})

test('queued mail is listed without its content', async () => {
  expect((await terminal.run('migrate')).exitCode).toBe(0)
  expect(await terminal.json('mail', 'list')).toEqual([])
})

test('the URL of the mail server is shown without its password', async () => {
  terminal.environment = { ...terminal.environment, DAGSVERK_SMTP_URL: 'smtps://drift:hemmelig@post.eksempel.no' }
  const { stdout } = await terminal.run('config', 'show')
  expect(stdout).toContain('smtps://drift:***@post.eksempel.no')
  expect(stdout).not.toContain('hemmelig')
})
