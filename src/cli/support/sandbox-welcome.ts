// Welcome message of a sandbox: accounts, and curl examples to copy.
import type { SandboxAccount } from '../../sandbox/accounts.ts'
import { materialCount } from '../../sandbox/material.ts'
import { lastReportedDay, sampleDepartment } from '../../sandbox/sandbox.ts'

/** `date`: the date of the sandbox, which is the first day without data. */
export function formatSandboxWelcome(address: string, accounts: readonly SandboxAccount[], date: string): string {
  const [first] = accounts
  if (first === undefined) throw new Error('a sandbox without companies')
  return `
This is a sandbox with generated data, identical at every start with --sandbox-date ${date}, and deleted
when the server stops. The header X-Sandbox-Fault (429, 503, slow=MS, drop-after-commit) injects failures.

${accounts.map(accountLines).join('\n')}

In a browser: open ${address}/ and sign in as any of these people.

Examples to copy:

${calls(address, first, date).join('\n\n')}
`
}

function accountLines({ company, password, key, people }: SandboxAccount): string {
  return [
    `  ${company.padEnd(5)}  password ${password}  key ${key}`,
    ...people.map((person) => `         ${person.role} ${person.email}, password ${person.password}`),
  ].join('\n')
}

/** The calls of section 4.1 of the interface in order, then 4.2, 4.4 and an XML request. */
function calls(address: string, account: SandboxAccount, date: string): string[] {
  const { company, password } = account
  const to = (path: string) => `'${address}/dev/Omsetning/${path}?firma=${company}&passord=${password}'`
  const find = (filter: string) => `curl -G ${to('Finn')} \\\n  --data-urlencode "\\$filter=${filter}"`
  const post = (path: string, body: string) => `curl ${to(path)} -H 'Content-Type: application/json' \\\n  -d '${body}'`
  const cell = `"Dato":"${date}T00:00:00","AvdelingID":"${sampleDepartment}"`
  const written = `Dato eq datetime('${date}') and ipType eq 'I' and AvdelingID eq '${sampleDepartment}'`
  const reported = written.replace(date, lastReportedDay(company, date))
  return [
    post('LagreEllerOppdaterOmsetningPrDato', `[{${cell},"Omsetning":12500.50}]`),
    find(reported),
    post('Oppdater', '{"InntekstplanId":1,"Omsetning":9800.00}'),
    post('Lagre', `{${cell},"ipType":"I","Omsetning":99.90,"Merknad":"Catering"}`),
    post('LagreEllerOppdaterListe', `[{"InntekstplanId":1,"Merknad":"Rettet"},{${cell},"Omsetning":10}]`),
    post('AggsertOmsetning', `{${cell},"Omsetning":250,"Referanse":"kasse-1"}`),
    ...exportCalls(address, account, date),
    `${find(written)} -H 'Accept: application/xml'`,
  ]
}

/** Section 4.4: register, approve, retrieve, mark as exported. */
function exportCalls(address: string, { company, key }: SandboxAccount, date: string): string[] {
  const curl = (path: string) => `curl -H 'tb-key: ${key}' '${address}/prosjekt/${path}'`
  const post = (path: string, body: string) => `${curl(path)} -H 'Content-Type: application/json' \\\n  -d '${body}'`
  const ids = `{"ids":[${materialCount(company) + 1}]}`
  return [
    post('Transaksjon/Batch', `[{"Dato":"${date}","VareId":"4711","Antall":2,"Salgspris":89,"EksternId":"demo-1"}]`),
    post('Transaksjon/Godkjenn', ids),
    curl('TransaksjonsEksport?$orderby=Id desc&$top=3').replaceAll(' desc', '%20desc'),
    post('Transaksjonseksport/Eksportert', ids),
  ]
}
