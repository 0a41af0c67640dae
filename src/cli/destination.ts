// `dagsverk destination`: where a company's lines go, and whether that receiver books corrections.
import { Option, type Command } from 'commander'
import { databaseSettings, withSettings } from '#cli/configured.ts'
import { companyNamed } from '#cli/one-company.ts'
import { withStore } from '#cli/opened.ts'
import { printRows, type JsonFlag } from '#cli/print.ts'
import type { World } from '#cli/world.ts'
import { readDateWithoutZone } from '#lib/civil-date.ts'
import { exitCodes, OperatorError } from '#lib/operator-error.ts'
import { destinationsIn, setDestination, type Destination } from '#store/destinations.ts'

interface Flags extends JsonFlag {
  readonly corrections?: Destination['corrections']
  readonly lockDate?: string
}

export const addDestinationCommand = (program: Command, world: World): void => {
  const command = program
    .command('destination <company>')
    .description('show where a company’s lines go, and change how')
    .addOption(
      new Option(
        '--corrections <block|lines>',
        'lock what is exported, or hand out its changes as negative and replacing lines',
      ).choices(['block', 'lines']),
    )
    .option('--lock-date <date>', 'the last closed day of the receiver; "" for none')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Examples:
  dagsverk destination "Fjord AS"
  dagsverk destination "Fjord AS" --corrections lines     when its receiver books negative lines
  dagsverk destination "Fjord AS" --lock-date 2026-10-31
`,
    )
    .action((name: string, flags: Flags, called: Command) =>
      withStore(called, world, async (store) => {
        const { id } = await companyNamed(store, name)
        const changed = await store.inHouseTransaction(async (writer) => {
          for (const before of await destinationsIn(writer, id))
            await setDestination(writer, id, before.id, settingsOf(before, flags))
          return destinationsIn(writer, id)
        })
        printRows(
          world,
          changed.map((one) => ({
            id: one.id,
            name: one.name,
            corrections: one.corrections,
            lockDate: one.lockDate,
          })),
          flags,
        )
      }),
    )
  withSettings(command, databaseSettings)
}

const settingsOf = (before: Destination, { corrections, lockDate }: Flags) => ({
  corrections: corrections ?? before.corrections,
  lockDate: lockDate === undefined ? before.lockDate : readDay(lockDate),
})

const readDay = (text: string): string | null => {
  if (text === '') return null
  const day = readDateWithoutZone(text)
  if (typeof day === 'string') return day
  throw new OperatorError(`"${text}" is no day: write one like 2026-10-31.`, exitCodes.usage)
}
