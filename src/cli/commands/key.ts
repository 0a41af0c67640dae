// `dagsverk key`: API keys of integrations, and the master key of the server.
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
    .description('API keys of integrations')
    .addHelpText('afterAll', examples)
  addAdd(key, world)
  addList(key, world)
  addRotate(key, world)
  addRevoke(key, world)
  key
    .command('master')
    .description('print a new master key for a server on PostgreSQL')
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
    .description('add a key; it is shown this once')
    .option('--name <name>', 'the integration it is for')
    .option(
      '--scopes <list>',
      'what it may do, like revenue:*,directory:read (default: as a password)',
    )
    .option('--expires <days>', 'days it lives, or never', String(keyDays))
    .option('--allow-from <networks>', 'where it may be used from (default: everywhere)')
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
          const [other] = await liveKeysOf(writer, row, world)
          if (other !== undefined)
            throw new OperatorError(
              `There is a key named "${row.name}" already: "dagsverk key rotate ${other.id}" puts a second one beside it.`,
            )
          await insertCredential(writer, row)
        }
        const about = () => ({ key: row.id })
        await audited(store, world, { company, action: 'key-add', act, about })
        printOne(world, { key: text, ...shownKey(row, world) }, flags)
        world.tell('The key is shown this once.\n')
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
      'put a second key beside one, to the same terms; revoke the old one when it is in use',
    )
    .option('--expires <days>', 'days it lives, or never', String(keyDays))
    .option('--json', 'print JSON')
    .action((id: string, flags: RotateFlags, called: Command) =>
      withStore(called, world, async (store, minting) => {
        const old = await keyNamed(store, id)
        const { key: text, row: made } = newKey(await minting(), old.name, {
          companyId: old.companyId,
          scopes: parseScopes(old.scopes).scopes,
          allowFrom: null,
          expiresInDays: readDays(flags.expires),
        })
        const row = { ...made, owner: old.owner, addresses: old.addresses }
        const act = async (writer: Writer) => {
          const live = await liveKeysOf(writer, old, world)
          if (live.length > 1)
            throw new OperatorError(
              `There are two keys named "${old.name}" (${live.map((one) => one.id).join(', ')}): revoke one of them first.`,
            )
          await insertCredential(writer, row)
          const destination = await destinationOf(writer, old.companyId, old.id)
          await assignCredential(writer, old.companyId, row.id, destination.id)
        }
        const company = { id: old.companyId }
        const about = () => ({ key: row.id })
        await audited(store, world, { company, action: 'key-rotate', act, about })
        printOne(world, { key: text, ...shownKey(row, world) }, flags)
        world.tell(`The key is shown this once. When it is in use: dagsverk key revoke ${old.id}\n`)
      }),
    )
  withSettings(command, databaseSettings)
}

function addRevoke(key: Command, world: World): void {
  const command = key
    .command('revoke <id>')
    .description('end a key, at once and for good')
    .action((id: string, _flags: unknown, called: Command) =>
      withStore(called, world, async (store) => {
        const { companyId, revokedAt } = await keyNamed(store, id)
        const act = async (writer: Writer) =>
          updateCredential(writer, { ...(await keyNamed(writer, id)), revokedAt: world.clock() })
        const company = { id: companyId }
        const about = () => ({ key: id })
        if (revokedAt === null)
          await audited(store, world, { company, action: 'key-revoke', act, about })
        world.tell(`Key ${id} is revoked.\n`)
      }),
    )
  withSettings(command, databaseSettings)
}

async function keyNamed(reader: Reader, id: string): Promise<CredentialTable> {
  const found = await credentialById(reader, id)
  // A whole key in the place of its id must not come back in an error.
  if (found?.kind !== 'key')
    throw new OperatorError('There is no key of that id: "dagsverk key list COMPANY" lists them.')
  return found
}

async function liveKeysOf(
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
