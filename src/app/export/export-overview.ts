// Export overview: stages, claims, alerts, latest retrievals and acknowledgements.
import type { ExportOverview } from '../contract/export.ts'
import { createActorNames } from '../actors.ts'
import { plusDays } from '../../lib/calendar.ts'
import type { AppRequest } from '../route.ts'
import { startOfDate } from '../../lib/calendar-date.ts'
import { listCompanyDestinations } from '../../store/export/destinations.ts'
import { exportsSuspendedSince } from '../../store/export/export-suspension.ts'
import { listOpenClaimSummaries } from '../../store/export/export-lines.ts'
import {
  countFailedLines,
  getExportStageTotals,
  listLatestAlerts,
  listLatestRetrievals,
  listLatestLedgerSummaries,
  listOverdueLines,
  type AlertSummary,
} from '../../store/export/export-overview.ts'

/**
 * Amounts are ten-thousandths, those of retrievals decimal text; timestamps are microseconds. Totals, overdue lines and alerts
 * are those of the approver's departments; claims, retrievals and reports are the company's.
 */
export async function getExportOverview(appRequest: AppRequest): Promise<ExportOverview> {
  const { store, request, sessionUser, clock, today, companyId, company } = appRequest
  const { departments } = sessionUser
  const { zone } = company
  const reports = store.reports(companyId, request)
  const daysAgo = (days: number) => startOfDate(zone, plusDays(today(zone), 1 - days))
  const nameActor = await createActorNames(store, companyId)
  const named = <Row extends { readonly actor: string }>(row: Row) => ({ ...row, actor: nameActor(row.actor) })
  const destinations = await listCompanyDestinations(store, { companyId })
  const alerts: AlertSummary[] = []
  for (const { id } of destinations)
    alerts.push(...(await listLatestAlerts(store, { companyId, destinationId: id }, departments)))
  return {
    suspendedSince: await exportsSuspendedSince(store),
    destinations: destinations.map(({ id, name, corrections }) => ({ id, name, corrections })),
    claims: (await listOpenClaimSummaries(store, { companyId, now: clock() })).map((claim) => ({
      ...claim,
      holder: nameActor(claim.holder),
    })),
    overdue: await listOverdueLines(reports, { companyId, before: daysAgo(overdueDays) }, departments),
    stages: await getExportStageTotals(reports, { companyId, now: clock(), since: daysAgo(countedDays) }, departments),
    alerts: alerts.map(named),
    retrievals: (await listLatestRetrievals(store, { companyId })).map(named),
    ledgerSummaries: (await listLatestLedgerSummaries(reports, { companyId })).map(named),
  }
}

/** The number of failed lines, and how many of them are parked; cheap enough for a badge. */
export async function getFailedLineCount({ store, sessionUser, companyId }: AppRequest) {
  const [counted] = await countFailedLines(store, { companyId }, sessionUser.departments)
  return counted ?? { count: 0, parked: 0 }
}

/** Lines that are ready for this many days are overdue; days in the company's time zone, as in the app. */
const overdueDays = 3

/** Exported lines are counted if they became ready within this many days, as the screen says. */
const countedDays = 30
