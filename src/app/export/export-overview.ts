// Export overview: stages, claims, alarms, latest retrievals and acknowledgements.
import { actorNames } from '../actors.ts'
import { plusDays } from '../date-range.ts'
import { json, type Asked } from '../route.ts'
import type { Reply } from '../../http/request.ts'
import { dayStart } from '../../lib/civil-date.ts'
import { destinationsIn } from '../../store/export/destinations.ts'
import { exportsHeldSince } from '../../store/export/export-suspension.ts'
import { openClaims } from '../../store/export/export-lines.ts'
import { lateLines } from '../../store/export/line-details.ts'
import {
  failedCount,
  lanesOf,
  latestAlarms,
  latestHandOuts,
  latestReports,
  type Alarm,
} from '../../store/export/export-overview.ts'

/** Amounts are ten-thousandths, those of retrievals decimal text; timestamps are microseconds. */
export async function exportOverview({ store, visitor, clock, today }: Asked): Promise<Reply> {
  const { companyId, company } = visitor.caller
  const { zone } = company
  const daysAgo = (days: number) => dayStart(zone, plusDays(today(zone), 1 - days))
  const name = await actorNames(store, visitor)
  const named = <Row extends { readonly actor: string }>(row: Row) => ({
    ...row,
    actor: name(row.actor),
  })
  const destinations = await destinationsIn(store, companyId)
  const alarms: Alarm[] = []
  for (const { id } of destinations) alarms.push(...(await latestAlarms(store, companyId, id)))
  return json({
    heldSince: await exportsHeldSince(store),
    destinations: destinations.map(({ id, name, corrections }) => ({
      id,
      name,
      corrections,
    })),
    claims: (await openClaims(store, companyId, clock())).map((claim) => ({
      ...claim,
      holder: name(claim.holder),
    })),
    late: await lateLines(store, companyId, daysAgo(lateDays)),
    lanes: await lanesOf(store, companyId, { now: clock(), since: daysAgo(countedDays) }),
    alarms: alarms.map(named),
    handOuts: (await latestHandOuts(store, companyId)).map(named),
    reports: (await latestReports(store, companyId)).map(named),
  })
}

/** The number of failed lines, and how many of them are parked; cheap enough for a badge. */
export async function exportFailed({ store, visitor }: Asked): Promise<Reply> {
  return json(await failedCount(store, visitor.caller.companyId))
}

/** Lines that are ready for this many days are overdue; days in the company's time zone, as in the app. */
const lateDays = 3

/** Exported lines are counted if they became ready within this many days, as the screen says. */
const countedDays = 30
