// Finds the company and destination of an export command.
import type { Command, OptionValues } from '@commander-js/extra-typings'
import { companyIdForOperator } from '../../auth/caller.ts'
import { operatorContext, resolveCompany } from './resolve-company.ts'
import type { JsonFlag } from './print.ts'
import { addStoreAction } from './store-action.ts'
import type { Runtime } from '../../server/environment.ts'
import { usageError } from '../../lib/operator-error.ts'
import { formatDay } from '../../lib/calendar.ts'
import { startOfDate } from '../../lib/calendar-date.ts'
import { parseDateTime } from '../../lib/date-time.ts'
import { toTimestamp } from '../../lib/timestamp.ts'
import type { WriteContext } from '../../auth/action-context.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import { listCompanyDestinations, type Destination } from '../../store/export/destinations.ts'
import type { TimeRange } from '../../store/export/export-log.ts'
import type { Store } from '../../store/store.ts'

/** The destination of a command, and the context of its actions. */
export interface DestinationContext {
  readonly store: Store
  readonly companyId: CompanyId
  readonly destination: Destination
  readonly context: WriteContext
}

interface DestinationFlags extends JsonFlag {
  readonly company?: string
  readonly destination?: string
}

/** Sets the action of a command on a destination, and adds the flags that name it. Throws an `OperatorError` for an unknown one. */
export function addDestinationAction<Args extends unknown[], Flags extends OptionValues & DestinationFlags>(
  command: Command<Args, Flags>,
  runtime: Runtime,
  action: (target: DestinationContext, flags: Flags & DestinationFlags, ...args: Args) => Promise<void>,
): void {
  command
    .option('--company <name>', 'the company (default: the only one)')
    .option('--destination <id>', 'id of the destination (default: 1)')
    .option('--json', 'print JSON')
  addStoreAction(command, runtime, async ({ store, flags }, ...args) => {
    const company = await resolveCompany(store, flags.company)
    const companyId = companyIdForOperator(company)
    const all = await listCompanyDestinations(store, { companyId })
    const destination = all.find(({ id }) => String(id) === (flags.destination ?? '1'))
    if (destination === undefined)
      throw usageError(
        `There is no destination ${flags.destination ?? 1}. List them with "dagsverk destination COMPANY".`,
      )
    await action({ store, companyId, destination, context: operatorContext(company, runtime) }, flags, ...args)
  })
}

/** Parses days or times; a day in `--to` is included. Days are those of the company; a time without a zone is UTC. */
export function parseSpan({ from, to }: { readonly from?: string; readonly to?: string }, zone: string): TimeRange {
  return {
    from: from === undefined ? 0 : parseTime(from, zone, 0),
    to: to === undefined ? Number.MAX_SAFE_INTEGER : parseTime(to, zone, 1),
  }
}

function parseTime(text: string, zone: string, daysLater: number): number {
  const parsed = parseDateTime(text)
  if (parsed === null) throw usageError(`"${text}" is not a date or time. Use 2026-10-31 or 2026-10-31T12:00:00Z.`)
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? startOfDate(zone, formatDay(parsed.day + daysLater)) : toTimestamp(parsed)
}
