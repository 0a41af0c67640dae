// Owner of the data folder: what root writes there would lock out the server of its owner.
import { chownSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isAvailable } from '../support/requirements.ts'
import { useTerminal } from './terminal.ts'

/** No program of this machine runs as this user, and no list has its name. */
const owner = 54_321

describe.runIf(isAvailable('root'))('root', () => {
  const terminal = useTerminal({ DAGSVERK_PORT: '0', DAGSVERK_LOG_LEVEL: 'silent' })

  const at = (path: string) => join(terminal.folder, path)
  const contentOf = (folder: string) =>
    readdirSync(at(folder), { recursive: true, encoding: 'utf8' }).map((name) => {
      const { uid, mtimeMs } = statSync(join(at(folder), name))
      return { name, uid, mtimeMs }
    })

  function handOver(folder: string) {
    for (const path of ['.', ...readdirSync(at(folder))]) chownSync(join(at(folder), path), owner, owner)
  }

  test.each([
    ['restore', ['restore', 'a.backup']],
    ['migrate', ['migrate']],
    ['migrate', ['migrate', 'status']],
    ['serve', ['serve']],
    ['company add', ['company', 'add', 'Fjell']],
    ['key list', ['key', 'list', 'Fjord']],
    ['export status', ['export', 'status']],
    ['backup', ['backup', 'b.backup']],
    ['doctor', ['doctor']],
  ])('%s changes nothing in a folder of another user, and names the command', async (name, args) => {
    await terminal.json('migrate')
    await terminal.json('company', 'add', 'Fjord')
    await terminal.json('backup', 'a.backup')
    handOver('data')
    const before = contentOf('data')
    const { exitCode, stdout, stderr } = await terminal.run(...args)
    expect([exitCode, stdout]).toEqual([78, ''])
    expect(stderr).toContain(`${at('data')} belongs to '#${owner}'`)
    expect(stderr).toContain(`sudo -E -u '#${owner}' dagsverk ${name} …`)
    expect(contentOf('data')).toEqual(before)
  })

  test('it creates no database in an empty folder of another user', async () => {
    mkdirSync(at('data'))
    handOver('data')
    for (const command of ['serve', 'migrate', 'restore none.backup']) {
      const { exitCode, stderr } = await terminal.run(...command.split(' '))
      expect([exitCode, stderr]).toEqual([78, expect.stringContaining('sudo -E -u')])
    }
    expect(readdirSync(at('data'))).toEqual([])
  })

  test.each([
    ['the database', { DAGSVERK_DATABASE_URL: 'sqlite:other/dagsverk.db' }],
    ['the export journal', { DAGSVERK_EXPORT_JOURNAL: 'other' }],
  ])('the folder of %s counts too', async (_, settings) => {
    mkdirSync(at('other'))
    handOver('other')
    terminal.environment = { ...terminal.environment, ...settings }
    const { exitCode, stderr } = await terminal.run('migrate')
    expect([exitCode, stderr]).toEqual([78, expect.stringContaining(`${at('other')} belongs to`)])
    expect(readdirSync(terminal.folder)).toEqual(['other'])
  })

  test('the owner is called by the name that this machine lists', async () => {
    const nobody = /^nobody:[^:]*:(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[1]
    mkdirSync(at('data'))
    chownSync(at('data'), Number(nobody), 0)
    expect((await terminal.run('migrate')).stderr).toContain('sudo -E -u nobody dagsverk migrate …')
  })

  test('commands that open no file of the folder run', async () => {
    mkdirSync(at('data'))
    handOver('data')
    expect((await terminal.run('config', 'show')).exitCode).toBe(0)
    expect((await terminal.run('health', '--port', '1')).exitCode).toBe(69)
    const sandbox = terminal.start(['serve', '--sandbox'])
    await sandbox.stderr(/serves on/)
    sandbox.stop()
    expect((await sandbox.ended).exitCode).toBe(0)
  })
})
