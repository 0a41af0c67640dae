// `dagsverk key`: API keys of integrations, and the master key.
import type { Command } from 'commander'
import { generateMasterKey } from '../../auth/tokens/master-key.ts'
import { defaultKeyLifetimeDays, createKeyRow } from '../../auth/tokens/credential-factory.ts'
import { parseScopes, passwordScopes } from '../../auth/scopes.ts'
import { runAudited } from '../support/audited.ts'
import { parseDays, parseNetworksFlag, parseScopesFlag } from '../support/credential-terms.ts'
import { addStoreAction } from '../support/store-action.ts'
import { getCompany } from '../support/resolve-company.ts'
import {
  formatTimestamp,
  printOne,
  printRows,
  type JsonFlag,
  type PrintableRow,
} from '../support/print.ts'
import type { Runtime } from '../../server/environment.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import {
  findCredential,
  insertCredential,
  listCredentials,
  updateCredential,
} from '../../store/accounts/credentials.ts'
import { assignCredential, getCredentialDestination } from '../../store/export/destinations.ts'
import type { Reader } from '../../store/store.ts'
import type { CredentialTable } from '../../store/tables/accounts.ts'

export function addKeyCommands(program: Command, runtime: Runtime): void {
  const key = program
    .command('key')
    .description('manage API keys of integrations')
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

interface AddFlags extends JsonFlag {
  readonly scopes?: string
  readonly name?: string
  readonly expires: string
  readonly allowFrom?: string
}

function addAdd(key: Command, runtime: Runtime): void {
  const command = key
    .command('add <company>')
    .description('add a key; it is printed only once')
    .option('--name <name>', 'name of the integration')
    .option(
      '--scopes <list>',
      'scopes, like revenue:*,directory:read (default: those of a password)',
    )
    .option('--expires <days>', 'lifetime in days, or never', String(defaultKeyLifetimeDays))
    .option('--allow-from <networks>', 'networks it may be used from (default: any)')
    .option('--json', 'print JSON')
  addStoreAction<AddFlags>(command, runtime, async (context, companyName) => {
    const { store, flags } = context
    const company = await getCompany(store, companyName)
    const { key: text, row } = createKeyRow(await context.cryptoContext(), flags.name ?? null, {
      companyId: company.id,
      scopes: flags.scopes === undefined ? passwordScopes : parseScopesFlag(flags.scopes, 'key'),
      allowedNetworks: parseNetworksFlag(flags.allowFrom),
      expiresInDays: parseDays(flags.expires),
    })
    await runAudited(store, runtime, {
      company,
      action: 'key-add',
      auditData: { key: row.id },
      execute: async (writer) => {
        const [other] = await listActiveKeys(writer, row, runtime)
        if (other !== undefined)
          throw new OperatorError(
            `There is already a key named "${row.name}". Use "dagsverk key rotate ${other.id}" to add a second one.`,
          )
        await insertCredential(writer, row)
      },
    })
    printOne(runtime, { key: text, ...shownKey(row, runtime) }, flags)
    runtime.printMessage('The key is shown only once.\n')
  })
}

function addList(key: Command, runtime: Runtime): void {
  const command = key
    .command('list <company>')
    .description('list the keys of a company')
    .option('--json', 'print JSON')
  addStoreAction<JsonFlag>(command, runtime, async ({ store, flags }, name) => {
    const company = await getCompany(store, name)
    const rows = await listCredentials(store, company.id)
    const keys = rows.filter((row) => row.kind === 'key').map((row) => shownKey(row, runtime))
    printRows(runtime, keys, flags)
  })
}

interface RotateFlags extends JsonFlag {
  readonly expires: string
}

function addRotate(key: Command, runtime: Runtime): void {
  const command = key
    .command('rotate <id>')
    .description(
      'add a second key with the same terms; revoke the old one when the new one is in use',
    )
    .option('--expires <days>', 'lifetime in days, or never', String(defaultKeyLifetimeDays))
    .option('--json', 'print JSON')
  addStoreAction<RotateFlags>(command, runtime, async (context, id) => {
    const { store, flags } = context
    const old = await getKey(store, id)
    const { key: text, row: made } = createKeyRow(await context.cryptoContext(), old.name, {
      companyId: old.companyId,
      scopes: parseScopes(old.scopes).scopes,
      allowedNetworks: null,
      expiresInDays: parseDays(flags.expires),
    })
    const row = { ...made, owner: old.owner, allowedNetworks: old.allowedNetworks }
    await runAudited(store, runtime, {
      company: { id: old.companyId },
      action: 'key-rotate',
      auditData: { key: row.id },
      execute: async (writer) => {
        const live = await listActiveKeys(writer, old, runtime)
        if (live.length > 1)
          throw new OperatorError(
            `There are already two active keys named "${old.name}" (${live.map((one) => one.id).join(', ')}). Revoke one first.`,
          )
        await insertCredential(writer, row)
        const destination = await getCredentialDestination(writer, old.companyId, old.id)
        await assignCredential(writer, old.companyId, row.id, destination.id)
      },
    })
    printOne(runtime, { key: text, ...shownKey(row, runtime) }, flags)
    runtime.printMessage(
      `The key is shown only once. When it is in use: dagsverk key revoke ${old.id}\n`,
    )
  })
}

function addRevoke(key: Command, runtime: Runtime): void {
  const command = key.command('revoke <id>').description('revoke a key immediately and permanently')
  addStoreAction(command, runtime, async ({ store }, id) => {
    const { companyId, revokedAt } = await getKey(store, id)
    if (revokedAt === null)
      await runAudited(store, runtime, {
        company: { id: companyId },
        action: 'key-revoke',
        auditData: { key: id },
        execute: async (writer) =>
          updateCredential(writer, { ...(await getKey(writer, id)), revokedAt: runtime.clock() }),
      })
    runtime.printMessage(`Key ${id} is revoked.\n`)
  })
}

async function getKey(reader: Reader, id: string): Promise<CredentialTable> {
  const found = await findCredential(reader, id)
  // A complete key given in place of its id must not be repeated in the error.
  if (found?.kind !== 'key')
    throw new OperatorError(
      'There is no key with that id. List them with "dagsverk key list COMPANY".',
    )
  return found
}

async function listActiveKeys(
  reader: Reader,
  { companyId, name }: CredentialTable,
  runtime: Runtime,
): Promise<CredentialTable[]> {
  return (await listCredentials(reader, companyId)).filter(
    (one) => one.kind === 'key' && one.name === name && stateOf(one, runtime) === 'live',
  )
}

function stateOf({ revokedAt, expiresAt }: CredentialTable, { clock }: Runtime): string {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= clock() ? 'expired' : 'live'
}

function shownKey(row: CredentialTable, runtime: Runtime): PrintableRow {
  return {
    id: row.id,
    name: row.name,
    state: stateOf(row, runtime),
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
  dagsverk key rotate ab12cd34         a second key for the same integration
  dagsverk key revoke ab12cd34
  (umask 077; dagsverk key master > /etc/dagsverk/master.key)
`
