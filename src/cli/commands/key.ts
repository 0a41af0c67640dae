// `dagsverk key`: API keys of integrations, and the master key.
import type { Command } from 'commander'
import { generateMasterKey } from '../../auth/tokens/master-key.ts'
import { keyDays, newKey } from '../../auth/tokens/credential-factory.ts'
import { parseScopes, passwordScopes } from '../../auth/scopes.ts'
import { audited } from '../support/audited.ts'
import { readDays, readNetworks, readScopes } from '../support/credential-terms.ts'
import { databaseSettings, withSettings } from '../../server/config-options.ts'
import { companyNamed } from '../support/resolve-company.ts'
import { withStore } from '../../server/with-store.ts'
import { moment, printOne, printRows, type JsonFlag, type Printed } from '../support/print.ts'
import type { World } from '../../server/environment.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import {
  credentialById,
  insertCredential,
  listCredentials,
  updateCredential,
} from '../../store/accounts/credentials.ts'
import { assignCredential, destinationOf } from '../../store/export/destinations.ts'
import type { Reader, Writer } from '../../store/store.ts'
import type { CredentialTable } from '../../store/tables/accounts.ts'

export function addKeyCommands(program: Command, world: World): void {
  const key = program
    .command('key')
    .description('manage API keys of integrations')
    .addHelpText('afterAll', examples)
  addAdd(key, world)
  addList(key, world)
  addRotate(key, world)
  addRevoke(key, world)
  key
    .command('master')
    .description('generate and print a master key for a server on PostgreSQL')
    .action(() => world.print(`${generateMasterKey(world.random)}\n`))
}

interface AddFlags extends JsonFlag {
  readonly scopes?: string
  readonly name?: string
  readonly expires: string
  readonly allowFrom?: string
}

function addAdd(key: Command, world: World): void {
  const command = key
    .command('add <company>')
    .description('add a key; it is printed only once')
    .option('--name <name>', 'name of the integration')
    .option(
      '--scopes <list>',
      'scopes, like revenue:*,directory:read (default: those of a password)',
    )
    .option('--expires <days>', 'lifetime in days, or never', String(keyDays))
    .option('--allow-from <networks>', 'networks it may be used from (default: any)')
    .option('--json', 'print JSON')
    .action((companyName: string, flags: AddFlags, called: Command) =>
      withStore(called, world, async (store, minting) => {
        const company = await companyNamed(store, companyName)
        const { key: text, row } = newKey(await minting(), flags.name ?? null, {
          companyId: company.id,
          scopes: flags.scopes === undefined ? passwordScopes : readScopes(flags.scopes, 'key'),
          allowFrom: readNetworks(flags.allowFrom),
          expiresInDays: readDays(flags.expires),
        })
        const act = async (writer: Writer) => {
          const [other] = await listActiveKeys(writer, row, world)
          if (other !== undefined)
            throw new OperatorError(
              `There is already a key named "${row.name}". Use "dagsverk key rotate ${other.id}" to add a second one.`,
            )
          await insertCredential(writer, row)
        }
        const about = () => ({ key: row.id })
        await audited(store, world, { company, action: 'key-add', act, about })
        printOne(world, { key: text, ...shownKey(row, world) }, flags)
        world.tell('The key is shown only once.\n')
      }),
    )
  withSettings(command, databaseSettings)
}

function addList(key: Command, world: World): void {
  const command = key
    .command('list <company>')
    .description('list the keys of a company')
    .option('--json', 'print JSON')
    .action((companyName: string, flags: JsonFlag, called: Command) =>
      withStore(called, world, async (store) => {
        const company = await companyNamed(store, companyName)
        const rows = await listCredentials(store, company.id)
        const keys = rows.filter((row) => row.kind === 'key').map((row) => shownKey(row, world))
        printRows(world, keys, flags)
      }),
    )
  withSettings(command, databaseSettings)
}

interface RotateFlags extends JsonFlag {
  readonly expires: string
}

function addRotate(key: Command, world: World): void {
  const command = key
    .command('rotate <id>')
    .description(
      'add a second key with the same terms; revoke the old one when the new one is in use',
    )
    .option('--expires <days>', 'lifetime in days, or never', String(keyDays))
    .option('--json', 'print JSON')
    .action((id: string, flags: RotateFlags, called: Command) =>
      withStore(called, world, async (store, minting) => {
        const old = await getKey(store, id)
        const { key: text, row: made } = newKey(await minting(), old.name, {
          companyId: old.companyId,
          scopes: parseScopes(old.scopes).scopes,
          allowFrom: null,
          expiresInDays: readDays(flags.expires),
        })
        const row = { ...made, owner: old.owner, addresses: old.addresses }
        const act = async (writer: Writer) => {
          const live = await listActiveKeys(writer, old, world)
          if (live.length > 1)
            throw new OperatorError(
              `There are already two active keys named "${old.name}" (${live.map((one) => one.id).join(', ')}). Revoke one first.`,
            )
          await insertCredential(writer, row)
          const destination = await destinationOf(writer, old.companyId, old.id)
          await assignCredential(writer, old.companyId, row.id, destination.id)
        }
        const company = { id: old.companyId }
        const about = () => ({ key: row.id })
        await audited(store, world, { company, action: 'key-rotate', act, about })
        printOne(world, { key: text, ...shownKey(row, world) }, flags)
        world.tell(`The key is shown only once. When it is in use: dagsverk key revoke ${old.id}\n`)
      }),
    )
  withSettings(command, databaseSettings)
}

function addRevoke(key: Command, world: World): void {
  const command = key
    .command('revoke <id>')
    .description('revoke a key immediately and permanently')
    .action((id: string, _flags: unknown, called: Command) =>
      withStore(called, world, async (store) => {
        const { companyId, revokedAt } = await getKey(store, id)
        const act = async (writer: Writer) =>
          updateCredential(writer, { ...(await getKey(writer, id)), revokedAt: world.clock() })
        const company = { id: companyId }
        const about = () => ({ key: id })
        if (revokedAt === null)
          await audited(store, world, { company, action: 'key-revoke', act, about })
        world.tell(`Key ${id} is revoked.\n`)
      }),
    )
  withSettings(command, databaseSettings)
}

async function getKey(reader: Reader, id: string): Promise<CredentialTable> {
  const found = await credentialById(reader, id)
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
  world: World,
): Promise<CredentialTable[]> {
  return (await listCredentials(reader, companyId)).filter(
    (one) => one.kind === 'key' && one.name === name && stateOf(one, world) === 'live',
  )
}

function stateOf({ revokedAt, expiresAt }: CredentialTable, { clock }: World): string {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && expiresAt <= clock() ? 'expired' : 'live'
}

function shownKey(row: CredentialTable, world: World): Printed {
  return {
    id: row.id,
    name: row.name,
    state: stateOf(row, world),
    scopes: row.scopes.split(' '),
    from: row.addresses,
    created: moment(row.createdAt),
    expires: moment(row.expiresAt),
    used: moment(row.lastUsedAt),
  }
}

const examples = `
Examples:
  dagsverk key add "Fjord AS" --name kasse --scopes revenue:write
  dagsverk key rotate ab12cd34         a second key for the same integration
  dagsverk key revoke ab12cd34
  (umask 077; dagsverk key master > /etc/dagsverk/master.key)
`
