// `dagsverk destination`: shows and changes the destinations of a company.
import { Option, type Command } from '@commander-js/extra-typings'
import { addPrintAction } from '../support/store-action.ts'
import { runAudited } from '../support/audited.ts'
import { getCompany } from '../support/resolve-company.ts'
import type { Runtime } from '../../server/environment.ts'
import { parseDateWithoutZone } from '../../lib/calendar-date.ts'
import { OperatorError, usageError } from '../../lib/operator-error.ts'
import { findCredential } from '../../store/accounts/credentials.ts'
import {
  insertDestination,
  assignCredential,
  listCompanyDestinations,
  updateDestination,
  type Destination,
} from '../../store/export/destinations.ts'
import type { Writer } from '../../store/store.ts'

export function addDestinationCommand(program: Command, runtime: Runtime): void {
  const command = program
    .command('destination <company>')
    .description('show and change the destinations that a company exports to')
    .option('--add <name>', 'add a destination; it gets the lines approved from now on')
    .option('--of <name>', 'the destination to change (default: the one in --add, otherwise all)')
    .option('--key <id>', 'the API key that retrieves for the destination in --of or --add')
    .addOption(
      new Option(
        '--corrections <block|lines>',
        'lock exported transactions, or export changes as reversal and replacement lines',
      ).choices(['block', 'lines']),
    )
    .option('--lock-date <date>', 'last closed day of the receiver; "" removes it')
    .addOption(new Option('--exclusive <on|off>', 'hide claimed lines from other workers').choices(['on', 'off']))
    .option('--batches <number>', 'maximum number of open claims')
    .option('--failures <number>', 'number of reported failures after which a line is parked')
    .addHelpText('after', examples)
  addPrintAction(command, runtime, async ({ store, flags }, name) => {
    const company = await getCompany(store, name)
    const { id } = company
    const execute = async (writer: Writer) => {
      if (flags.add !== undefined) await add(writer, id, flags.add, runtime)
      const of = flags.of ?? flags.add
      const named = await findDestinations(writer, id, of)
      for (const before of named)
        await updateDestination(writer, {
          companyId: id,
          id: before.id,
          corrections: flags.corrections ?? before.corrections,
          lockDate: flags.lockDate === undefined ? before.lockDate : parseDay(flags.lockDate),
          isExclusive: flags.exclusive === undefined ? before.isExclusive : Number(flags.exclusive === 'on'),
          openClaimsMax: flags.batches === undefined ? before.openClaimsMax : parseCount(flags.batches),
          failuresMax: flags.failures === undefined ? before.failuresMax : parseCount(flags.failures),
        })
      if (flags.key !== undefined) {
        const [destination] = of === undefined ? [] : named
        if (destination === undefined) throw usageError('--key requires --of with the destination.')
        await assignKey(writer, flags.key, { companyId: id, destinationId: destination.id })
      }
      return listCompanyDestinations(writer, { companyId: id })
    }
    const settings = Object.keys(flags).filter((flag) => flag !== 'json' && flag !== 'of')
    const changed =
      settings.length === 0
        ? await store.inSystemTransaction(execute)
        : await runAudited(store, runtime, {
            company,
            action: 'settings',
            execute,
            auditData: { changed: settings.join(' ') },
          })
    return changed.map((one) => ({
      id: one.id,
      name: one.name,
      corrections: one.corrections,
      lockDate: one.lockDate,
      exclusive: one.isExclusive === 1,
      batches: one.openClaimsMax,
      failures: one.failuresMax,
    }))
  })
}

async function add(writer: Writer, companyId: number, name: string, { clock }: Runtime) {
  const others = await listCompanyDestinations(writer, { companyId })
  if (name.trim() !== name || name === '' || /\p{Cc}/u.test(name) || others.some((one) => isNamed(one, name)))
    throw usageError(`"${name}" is already used or not a valid name.`)
  await insertDestination(writer, { companyId, name, now: clock() })
}

async function findDestinations(writer: Writer, companyId: number, name: string | undefined) {
  const all = await listCompanyDestinations(writer, { companyId })
  if (name === undefined) return all
  const named = all.filter((one) => isNamed(one, name))
  if (named.length > 0) return named
  throw new OperatorError(`There is no destination "${name}". Available: ${all.map((one) => one.name).join(', ')}.`)
}

function isNamed(one: Destination, name: string): boolean {
  return one.name.toLowerCase() === name.toLowerCase()
}

async function assignKey(
  writer: Writer,
  credentialId: string,
  destination: { readonly companyId: number; readonly destinationId: number },
): Promise<void> {
  const credential = await findCredential(writer, { id: credentialId })
  if (credential?.companyId !== destination.companyId)
    throw new OperatorError(`The company has no key "${credentialId}".`)
  await assignCredential(writer, { ...destination, id: credentialId })
}

function parseCount(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text)
  throw usageError(`"${text}" is not a number from 1 to 999.`)
}

function parseDay(text: string): string | null {
  if (text === '') return null
  const day = parseDateWithoutZone(text)
  if (typeof day === 'string') return day
  throw usageError(`"${text}" is not a date. Use a date like 2026-10-31.`)
}

const examples = `
Examples:
  dagsverk destination "Fjord AS"
  dagsverk destination "Fjord AS" --corrections lines     when the receiver accepts negative lines
  dagsverk destination "Fjord AS" --lock-date 2026-10-31
  dagsverk destination "Fjord AS" --add Payroll --corrections lines
  dagsverk destination "Fjord AS" --of Payroll --key ab12cd34
`
