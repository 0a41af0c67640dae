// `dagsverk key`: API keys and passwords of integrations, and the master key.
import { Option, type Command } from '@commander-js/extra-typings'
import {
  addCredential,
  credentialState,
  revokeCredential,
  rotateCredential,
} from '../../auth/companies/company-credentials.ts'
import { generateMasterKey } from '../../auth/tokens/master-key.ts'
import { defaultKeyLifetimeDays, type NewCredential } from '../../auth/tokens/credential-factory.ts'
import { passwordScopes } from '../../auth/scopes.ts'
import { runAudited } from '../support/audited.ts'
import { parseDays, parseNetworksFlag, parseScopesFlag, requireName } from '../support/credential-terms.ts'
import { addPrintAction, addStoreAction } from '../support/store-action.ts'
import { getCompany } from '../support/resolve-company.ts'
import { formatTimestamp, printOne, type JsonFlag, type PrintableRow } from '../support/print.ts'
import type { Runtime } from '../../server/environment.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { findCredential, listCredentials } from '../../store/accounts/credentials.ts'
import type { Reader } from '../../store/store.ts'
import type { CredentialTable } from '../../store/tables/accounts.ts'

export function addKeyCommands(program: Command, runtime: Runtime): void {
  const key = program
    .command('key')
    .description('manage API keys and passwords of integrations')
    .addHelpText('afterAll', examples)
  addAdd(key, runtime)
  addList(key, runtime)
  addRotate(key, runtime)
  addRevoke(key, runtime)
  key
    .command('master')
    .description('generate and print a master key for a server on PostgreSQL')
    .action(() => runtime.print(`${generateMasterKey(runtime.random)}\n`))
}

function addAdd(key: Command, runtime: Runtime): void {
  const command = key
    .command('add <company>')
    .description('add a key or a password; it is printed only once')
    .addOption(
      new Option('--kind <kind>', "a password is sent with the company's name")
        .choices(['key', 'password'])
        .default('key'),
    )
    .option('--name <name>', 'name of the integration')
    .option('--scopes <list>', 'scopes, like revenue:*,directory:read (default: all that a password can have)')
    .option(
      '--expires <days>',
      `lifetime in days, or never (default: ${defaultKeyLifetimeDays} for a key, never for a password)`,
    )
    .option('--allow-from <networks>', 'networks it may be used from (default: any)')
    .option('--json', 'print JSON')
  addStoreAction(command, runtime, async (context, companyName) => {
    const { store, flags } = context
    const company = await getCompany(store, companyName)
    const { kind } = flags
    if (flags.name !== undefined) requireName(flags.name)
    const terms = {
      kind,
      name: flags.name ?? null,
      scopes: flags.scopes === undefined ? passwordScopes : parseScopesFlag(flags.scopes, kind),
      allowedNetworks: parseNetworksFlag(flags.allowFrom),
      expiresInDays: parseDays(flags.expires ?? defaultExpiry[kind]),
    } as const
    const cryptoContext = await context.cryptoContext()
    const made = await runAudited(store, runtime, {
      company,
      action: 'key-add',
      auditData: auditDataOf,
      execute: (transaction) => addCredential(transaction, cryptoContext, terms),
    })
    printCreated(runtime, made, flags)
  })
}

/** A till that sends a password often cannot be changed in time. */
const defaultExpiry = { key: String(defaultKeyLifetimeDays), password: 'never' } as const

function addList(key: Command, runtime: Runtime): void {
  const command = key.command('list <company>').description('list the keys and passwords of a company')
  addPrintAction(command, runtime, async ({ store }, name) => {
    const company = await getCompany(store, name)
    const rows = await listCredentials(store, { companyId: company.id })
    return rows.map((row) => shownCredential(row, runtime))
  })
}

function addRotate(key: Command, runtime: Runtime): void {
  const command = key
    .command('rotate <id>')
    .description('add a second one with the same terms; revoke the old one when the new one is in use')
    .option(
      '--expires <days>',
      `lifetime in days, or never (default: ${defaultKeyLifetimeDays}, or never like the old one)`,
    )
    .option('--json', 'print JSON')
  addStoreAction(command, runtime, async (context, id) => {
    const { store, flags } = context
    const lifetimeDays = flags.expires === undefined ? undefined : parseDays(flags.expires)
    const company = await getCompanyOf(store, id)
    const cryptoContext = await context.cryptoContext()
    const made = await runAudited(store, runtime, {
      company,
      action: 'key-rotate',
      auditData: auditDataOf,
      execute: (transaction) => rotateCredential(transaction, cryptoContext, id, lifetimeDays),
    })
    printCreated(runtime, made, flags)
    runtime.printMessage(`When it is in use: dagsverk key revoke ${id}\n`)
  })
}

function addRevoke(key: Command, runtime: Runtime): void {
  const command = key.command('revoke <id>').description('revoke a key or a password immediately and permanently')
  addStoreAction(command, runtime, async ({ store }, id) => {
    const company = await getCompanyOf(store, id)
    await runAudited(store, runtime, {
      company,
      action: 'key-revoke',
      auditData: ({ kind }) => ({ [kind]: id }),
      execute: (transaction) => revokeCredential(transaction, id, runtime.clock()),
    })
    runtime.printMessage(`${id} is revoked.\n`)
  })
}

/** Throws an `OperatorError` when there is no credential with the id. */
async function getCompanyOf(reader: Reader, id: string): Promise<{ readonly id: number }> {
  const found = await findCredential(reader, { id })
  // A complete key given in place of its id must not be repeated in the error.
  if (found === undefined)
    throw new OperatorError('There is no key and no password with that id. List them with "dagsverk key list COMPANY".')
  return { id: found.companyId }
}

function auditDataOf({ row: { kind, id } }: NewCredential): object {
  return { [kind]: id }
}

function printCreated(runtime: Runtime, { secret, row }: NewCredential, flags: JsonFlag): void {
  printOne(runtime, { [row.kind]: secret, ...shownCredential(row, runtime) }, flags)
  runtime.printMessage(`The ${row.kind} is shown only once.\n`)
}

function shownCredential(row: CredentialTable, { clock }: Runtime): PrintableRow {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    state: credentialState(row, clock()),
    scopes: row.scopes.split(' '),
    from: row.allowedNetworks,
    created: formatTimestamp(row.createdAt),
    expires: formatTimestamp(row.expiresAt),
    used: formatTimestamp(row.lastUsedAt),
  }
}

const examples = `
Examples:
  dagsverk key add "Fjord AS" --name kasse --scopes revenue:write
  dagsverk key add "Fjord AS" --kind password --name kasse
                                       a password of its own for one till vendor
  dagsverk key rotate ab12cd34         a second one for the same integration
  dagsverk key revoke ab12cd34
  (umask 077; dagsverk key master > /etc/dagsverk/master.key)
`
