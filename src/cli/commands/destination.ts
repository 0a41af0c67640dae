// `dagsverk destination`: where a company's lines go, and whether that receiver books corrections.
import { Option, type Command } from 'commander'
import { audited } from '../support/audited.ts'
import { databaseSettings, withSettings } from '../../server/config-options.ts'
import { companyNamed } from '../support/resolve-company.ts'
import { withStore } from '../../server/with-store.ts'
import { printRows, type JsonFlag } from '../support/print.ts'
import type { World } from '../../server/environment.ts'
import { readDateWithoutZone } from '../../lib/civil-date.ts'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'
import { credentialById } from '../../store/accounts/credentials.ts'
import {
  addDestination,
  assignCredential,
  destinationsIn,
  setDestination,
  type Destination,
  type DestinationSettings,
} from '../../store/export/destinations.ts'
import type { Writer } from '../../store/store.ts'

interface Flags extends JsonFlag {
  readonly add?: string
  readonly of?: string
  readonly key?: string
  readonly corrections?: Destination['corrections']
  readonly lockDate?: string
  readonly exclusive?: 'on' | 'off'
  readonly batches?: string
  readonly failures?: string
}

export function addDestinationCommand(program: Command, world: World): void {
  const command = program
    .command('destination <company>')
    .description('show where a company’s lines go, and change how')
    .option('--add <name>', 'one more destination: it is offered what is approved from now on')
    .option('--of <name>', 'which destination is changed; without it, all')
    .option('--key <id>', 'the key that fetches for the one named by --of')
    .addOption(
      new Option(
        '--corrections <block|lines>',
        'lock what is exported, or hand out its changes as negative and replacing lines',
      ).choices(['block', 'lines']),
    )
    .option('--lock-date <date>', 'the last closed day of the receiver; "" for none')
    .addOption(
      new Option(
        '--exclusive <on|off>',
        'hide what one worker has claimed from the others',
      ).choices(['on', 'off']),
    )
    .option('--batches <number>', 'how many claims may be open at a time')
    .option('--failures <number>', 'after how many reported failures a line is parked')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Examples:
  dagsverk destination "Fjord AS"
  dagsverk destination "Fjord AS" --corrections lines     when its receiver books negative lines
  dagsverk destination "Fjord AS" --lock-date 2026-10-31
  dagsverk destination "Fjord AS" --add Payroll
  dagsverk destination "Fjord AS" --of Payroll --key ab12cd34
`,
    )
    .action((name: string, flags: Flags, called: Command) =>
      withStore(called, world, async (store) => {
        const company = await companyNamed(store, name)
        const { id } = company
        const act = async (writer: Writer) => {
          if (flags.add !== undefined) await add(writer, id, flags.add, world)
          const named = await chosen(writer, id, flags.of)
          for (const before of named)
            await setDestination(writer, id, before.id, settingsOf(before, flags))
          if (flags.key !== undefined) await assign(writer, id, flags, named)
          return destinationsIn(writer, id)
        }
        const settings = Object.keys(flags).filter((flag) => flag !== 'json' && flag !== 'of')
        const about = () => ({ changed: settings.join(' ') })
        const changed =
          settings.length === 0
            ? await store.inHouseTransaction(act)
            : await audited(store, world, { company, action: 'settings', act, about })
        printRows(
          world,
          changed.map((one) => ({
            id: one.id,
            name: one.name,
            corrections: one.corrections,
            lockDate: one.lockDate,
            exclusive: one.isExclusive === 1,
            batches: one.batchesMax,
            failures: one.failuresMax,
          })),
          flags,
        )
      }),
    )
  withSettings(command, databaseSettings)
}

async function add(writer: Writer, companyId: number, name: string, { clock }: World) {
  const others = await destinationsIn(writer, companyId)
  if (name.trim() !== name || name === '' || others.some((one) => isNamed(one, name)))
    throw new OperatorError(`"${name}" is taken or no name.`, exitCodes.usage)
  await addDestination(writer, companyId, name, clock())
}

async function chosen(writer: Writer, companyId: number, name: string | undefined) {
  const all = await destinationsIn(writer, companyId)
  if (name === undefined) return all
  const named = all.filter((one) => isNamed(one, name))
  if (named.length > 0) return named
  throw new OperatorError(
    `There is no destination "${name}"; there are ${all.map((one) => one.name).join(', ')}.`,
  )
}

function isNamed(one: Destination, name: string): boolean {
  return one.name.toLowerCase() === name.toLowerCase()
}

async function assign(
  writer: Writer,
  companyId: number,
  { key = '', of }: Flags,
  [destination]: readonly Destination[],
): Promise<void> {
  if (of === undefined || destination === undefined)
    throw new OperatorError('Say with --of which destination the key fetches for.', exitCodes.usage)
  const credential = await credentialById(writer, key)
  if (credential?.companyId !== companyId)
    throw new OperatorError(`The company has no key "${key}".`)
  await assignCredential(writer, companyId, key, destination.id)
}

function settingsOf(before: Destination, flags: Flags): DestinationSettings {
  return {
    corrections: flags.corrections ?? before.corrections,
    lockDate: flags.lockDate === undefined ? before.lockDate : readDay(flags.lockDate),
    isExclusive:
      flags.exclusive === undefined ? before.isExclusive : Number(flags.exclusive === 'on'),
    batchesMax: flags.batches === undefined ? before.batchesMax : readCount(flags.batches),
    failuresMax: flags.failures === undefined ? before.failuresMax : readCount(flags.failures),
  }
}

function readCount(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text)
  throw new OperatorError(`"${text}" is no number from 1 to 999.`, exitCodes.usage)
}

function readDay(text: string): string | null {
  if (text === '') return null
  const day = readDateWithoutZone(text)
  if (typeof day === 'string') return day
  throw new OperatorError(`"${text}" is no day: write one like 2026-10-31.`, exitCodes.usage)
}
