// `dagsverk audit`: verifies the logs of every company, and prints anchors of their audit logs.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from '@commander-js/extra-typings'
import { describeBrokenLine, findMissingCompanies, readAuditAnchors } from '../support/audit-anchors.ts'
import { describeVerification } from '../support/log-verification.ts'
import { readInputFile } from '../support/line-list.ts'
import { printRows } from '../support/print.ts'
import { createProgress } from '../support/progress.ts'
import { getCompany } from '../support/resolve-company.ts'
import { addStoreAction } from '../support/store-action.ts'
import { formatAuditAnchors } from '../../server/audit-anchors.ts'
import type { Runtime } from '../../server/environment.ts'
import { readJournalRecords } from '../../journal/read-journal.ts'
import { messageOf, OperatorError } from '../../lib/operator-error.ts'
import { ok, wrong } from '../../lib/verdict.ts'
import { companyKey, listCompanies } from '../../store/accounts/companies.ts'
import { verifyLogs } from '../../store/audit/verify-logs.ts'

export function addAuditCommands(program: Command, runtime: Runtime): void {
  const audit = program
    .command('audit')
    .description('verify that no log was changed behind the server')
    .addHelpText('afterAll', examples)
  addVerify(audit, runtime)
  addAnchor(audit, runtime)
}

function addVerify(audit: Command, runtime: Runtime): void {
  const command = audit
    .command('verify')
    .description('verify the audit log, the ledger, the revenue log and the export journal; servers can keep running')
    .option('--company <name>', 'verify one company (default: all, and the export journal)')
    .option('--anchors <file>', 'anchors that "audit anchor" printed earlier')
    .option('--json', 'print JSON')
  addStoreAction(command, runtime, async ({ store, flags, config }) => {
    const { company, anchors: file } = flags
    const { anchors, brokenLines } = readAuditAnchors(
      file === undefined ? '' : readInputFile(resolve(runtime.cwd, file)).toString(),
    )
    const companies = company === undefined ? await listCompanies(store) : [await getCompany(store, company)]
    const progress = createProgress(runtime)
    const findings = []
    const ofAnchors = { log: 'anchors', entries: 0 }
    for (const { id, name } of companies) {
      const onProgress = (entries: number, of: number) => progress.show(name, entries, of)
      const found = await verifyLogs(store, id, anchors.get(companyKey(name))?.hashes ?? new Map(), onProgress)
      findings.push(...found.map((one) => ({ company: name, ...describeVerification(one) })))
    }
    progress.clear()
    if (company === undefined) {
      for (const name of findMissingCompanies(anchors, companies))
        findings.push({ company: name, ...ofAnchors, ...wrong('the company is missing') })
      const { exportJournal } = config
      if (exportJournal !== null && existsSync(exportJournal))
        findings.push({ company: null, log: 'export journal', ...(await verifyJournal(exportJournal)) })
    }
    const isChanged = findings.some(({ verdict }) => verdict === 'wrong')
    for (const line of brokenLines)
      findings.push({ company: null, ...ofAnchors, ...wrong(describeBrokenLine(file ?? '', line)) })
    if (file !== undefined && anchors.size === 0)
      findings.push({ company: null, ...ofAnchors, ...wrong(`${file} has no anchors`) })
    printRows(runtime, findings, flags)
    if (isChanged)
      throw new OperatorError(
        'A log was changed behind the server. Keep the database as it is, and compare it with a backup.',
      )
    if (brokenLines.length > 0)
      throw new OperatorError(`${file} has lines that are no anchors; the others were compared.`)
    if (file !== undefined && anchors.size === 0)
      throw new OperatorError(`${file} has no anchors, so nothing was compared with any.`)
  })
}

/** Reading it recomputes the hashes of its lines, and compares each file with the one before it. */
async function verifyJournal(folder: string) {
  let entries = 0
  try {
    for await (const _ of readJournalRecords(folder)) entries += 1
    return { entries, ...ok('unchanged') }
  } catch (error) {
    return { entries, ...wrong(messageOf(error)) }
  }
}

function addAnchor(audit: Command, runtime: Runtime): void {
  const command = audit
    .command('anchor')
    .description('print the last entry of every audit log, to be kept outside the database')
  addStoreAction(command, runtime, async ({ store }) => runtime.print(await formatAuditAnchors(store)))
}

const examples = `
An anchor is the number and the hash of an entry. Anchors that are kept on another machine prove later that all
entries up to theirs are unchanged, also to somebody who does not trust the owner of this machine. A server appends them
daily to the file that DAGSVERK_AUDIT_ANCHORS names.

Examples:
  dagsverk audit verify
  dagsverk audit anchor >> /mnt/elsewhere/anchors.jsonl
  dagsverk audit verify --anchors /mnt/elsewhere/anchors.jsonl
`
