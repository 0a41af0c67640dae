// `dagsverk user forget`: deletes the account and anonymizes the employee records, on every database.
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { department, employee } from '../../src/model/directory.ts'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import { findCompany } from '../../src/store/accounts/companies.ts'
import { findRecords } from '../../src/store/directory/directory-records.ts'
import { openStore } from '../../src/store/open-store.ts'
import { databases } from '../support/databases.ts'
import { openTerminal } from './terminal.ts'

test.each(databases)('no personal data is left: $name', async (database) => {
  const { url, drop } = await database.make('forget')
  const terminal = openTerminal({ DAGSVERK_DATABASE_URL: url, DAGSVERK_MASTER_KEY: randomBytes(32).toString('base64') })
  const write = (name: string, text: string) => {
    writeFileSync(join(terminal.folder, name), text)
    return name
  }
  for (const company of ['Fjord', 'Vidde']) await terminal.run('company', 'add', company)
  const add = ['--company', 'Fjord', '--role', 'viewer']
  await terminal.json('user', 'add', 'kari@fjord.example', ...add)
  await terminal.json('user', 'add', 'ola@fjord.example', ...add)
  const people = 'Id;Fornavn;E-post\n1;Kari;Kari@Fjord.example\n2;Kari;kari@fjord.example\n3;Ola;o@x\n'
  for (const company of ['Fjord', 'Vidde'])
    await terminal.json('import', 'employees', write('p.csv', people), '--company', company)
  const heads = write('d.csv', 'Id;Ansvarlig\n10;2\n')
  await terminal.json('import', 'departments', heads, '--company', 'Fjord')

  const store = await openStore({ url, canCreate: false })
  const employees = async (name: string) => {
    const { id } = (await findCompany(store, name)) ?? { id: 0 }
    return store.inTransaction(id as CompanyId, async (transaction) => [
      ...(await findRecords(transaction, employee, [1, 2, 3])).values(),
      ...(await findRecords(transaction, department, ['10'])).values(),
    ])
  }
  const before = [await employees('Fjord'), await employees('Vidde')]
  expect(await terminal.json('user', 'forget', 'KARI@fjord.example', '--dry-run')).toEqual({
    account: true,
    employees: 2,
    forgotten: false,
  })
  expect([await employees('Fjord'), await employees('Vidde')]).toEqual(before)

  expect(await terminal.json('user', 'forget', 'KARI@fjord.example')).toMatchObject({ employees: 2 })
  // One is deleted, the other is anonymized because a department refers to it.
  const left = await employees('Fjord')
  expect(left).toMatchObject([{ id: 2, firstName: null, email: null }, { id: 3 }, { id: '10' }])
  expect(await employees('Vidde')).toEqual(before[1])
  const members = await terminal.json('user', 'list', '--company', 'Fjord')
  expect(members.map(({ email }: { email: string }) => email)).toEqual(['ola@fjord.example'])
  const again = await terminal.run('user', 'forget', 'kari@fjord.example')
  expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('There is no account or employee')])
  // Another company must be named; a new account can use the address.
  const there = ['--company', 'Vidde'] as const
  expect(await terminal.json('user', 'forget', 'kari@fjord.example', ...there)).toMatchObject({
    account: false,
    employees: 2,
  })
  await terminal.json('user', 'add', 'kari@fjord.example', ...add)

  await store.close()
  terminal.close()
  await drop()
})
