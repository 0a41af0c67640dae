// What a sandbox tells whoever started it: who may call, and the calls of the interface, ready to paste.
import type { Account } from '../../sandbox/accounts.ts'
import { materialCount } from '../../sandbox/material.ts'
import { lastReportedDay, sampleDepartment } from '../../sandbox/sandbox.ts'

/** `date` is the sandbox's: the first day that has no data yet. */
export function sandboxWelcome(
  address: string,
  accounts: readonly Account[],
  date: string,
): string {
  const [first] = accounts
  if (first === undefined) throw new Error('a sandbox without companies')
  return `
This is a sandbox: made-up data, the same at every start with --sandbox-date ${date}, and forgotten
at the end. The header X-Sandbox-Fault (429, 503, slow=MS, drop-after-commit) makes it fail.

${accounts.map(accountLines).join('\n')}

In a browser: ${address}/, signed in as any of these people.

Ready to paste:

${calls(address, first, date).join('\n\n')}
`
}

function accountLines({ company, password, key, people }: Account): string {
  return [
    `  ${company.padEnd(5)}  password ${password}  key ${key}`,
    ...people.map(
      (person) => `         ${person.role} ${person.email}, password ${person.password}`,
    ),
  ].join('\n')
}

/** Section 4.1 of the interface, in its order, then 4.2 and the same in XML. */
function calls(address: string, account: Account, date: string): string[] {
  const { company, password } = account
  const to = (path: string) =>
    `'${address}/dev/Omsetning/${path}?firma=${company}&passord=${password}'`
  const find = (filter: string) =>
    `curl -G ${to('Finn')} \\\n  --data-urlencode "\\$filter=${filter}"`
  const post = (path: string, body: string) =>
    `curl ${to(path)} -H 'Content-Type: application/json' \\\n  -d '${body}'`
  const cell = `"Dato":"${date}T00:00:00","AvdelingID":"${sampleDepartment}"`
  const written = `Dato eq datetime('${date}') and ipType eq 'I' and AvdelingID eq '${sampleDepartment}'`
  const reported = written.replace(date, lastReportedDay(company, date))
  return [
    post('LagreEllerOppdaterOmsetningPrDato', `[{${cell},"Omsetning":12500.50}]`),
    find(reported),
    post('Oppdater', '{"InntekstplanId":1,"Omsetning":9800.00}'),
    post('Lagre', `{${cell},"ipType":"I","Omsetning":99.90,"Merknad":"Catering"}`),
    post(
      'LagreEllerOppdaterListe',
      `[{"InntekstplanId":1,"Merknad":"Rettet"},{${cell},"Omsetning":10}]`,
    ),
    post('AggsertOmsetning', `{${cell},"Omsetning":250,"Referanse":"kasse-1"}`),
    ...exportCalls(address, account, date),
    `${find(written)} -H 'Accept: application/xml'`,
  ]
}

/** Section 4.4: usage comes in, is approved, fetched, and reported. */
function exportCalls(address: string, { company, key }: Account, date: string): string[] {
  const curl = (path: string) => `curl -H 'tb-key: ${key}' '${address}/prosjekt/${path}'`
  const post = (path: string, body: string) =>
    `${curl(path)} -H 'Content-Type: application/json' \\\n  -d '${body}'`
  const ids = `{"ids":[${materialCount(company) + 1}]}`
  return [
    post(
      'Transaksjon/Batch',
      `[{"Dato":"${date}","VareId":"4711","Antall":2,"Salgspris":89,"EksternId":"demo-1"}]`,
    ),
    post('Transaksjon/Godkjenn', ids),
    curl('TransaksjonsEksport?$orderby=Id desc&$top=3').replaceAll(' desc', '%20desc'),
    post('Transaksjonseksport/Eksportert', ids),
  ]
}
