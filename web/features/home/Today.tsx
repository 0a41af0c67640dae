// Today: what to do, key figures, the last 30 days, and data quality.
import { Button } from '../../components/Button.tsx'
import type { RevenueOverview } from '../../../src/app/contract/revenue.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { countQuery, everyLine } from '../../api/approvals.ts'
import { exportQuery, failedQuery } from '../../api/export.ts'
import { revenueOverviewQuery } from '../../api/revenue.ts'
import { useSession } from '../../api/session.ts'
import { YearOverYear } from '../../components/YearOverYear.tsx'
import { loadOnDemand } from '../../components/load-on-demand.tsx'
import { CurrencyNote, Page } from '../../components/Page.tsx'
import { Loaded, Loading } from '../../components/QueryStates.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { DataQualityPanel } from './DataQualityPanel.tsx'
import styles from './Today.module.css'

const FirstSteps = loadOnDemand(async () => (await import('./FirstSteps.tsx')).FirstSteps)

const LastThirtyDays = loadOnDemand(async () => (await import('./LastThirtyDays.tsx')).LastThirtyDays, <Loading />)

export function Today() {
  const { t, format } = useTranslation()
  const session = useSession()
  const seesRevenue = session.scopes.includes('revenue:read')
  const approves = session.scopes.includes('material:approve')
  // Registrants start at material entry.
  if (!approves && !seesRevenue) return <Navigate to="/app/uttak" replace />
  return (
    <Page
      title={t.screens['i-dag']}
      aside={
        <>
          <CurrencyNote />
          <span className="muted">{format.day(session.today, 'long')}</span>
        </>
      }
    >
      <div className={`stack ${styles.sections}`}>
        {session.role === 'admin' && <FirstSteps />}
        {approves && <MaterialToday />}
        {seesRevenue && <RevenueToday />}
      </div>
    </Page>
  )
}

/** What to do, and the steps of a line: registered, approved, booked, or rejected by its receiver. */
function MaterialToday() {
  const { t, format } = useTranslation()
  const { data: approved } = useQuery(countQuery({ ...everyLine, state: 'approved' }))
  const { data: exports } = useQuery(exportQuery)
  const { data: failed } = useQuery(failedQuery)
  const booked = exports?.stages.filter(({ stage }) => stage === 'exported')
  // Since when, as the screen of the export says it.
  const unbooked = exports?.stages.filter(({ stage }) => stage !== 'exported')
  const readyAt = unbooked && Math.min(...unbooked.map(({ oldestAt }) => oldestAt ?? Infinity))
  const bookedAt = exports?.ledgerSummaries.find(({ action }) => action === 'acknowledged')?.at
  // A dash until the reply has come: unknown is not zero.
  const counted = (count: number | undefined) => (count === undefined ? t.none : format.count(count))
  const sum = (totals: readonly number[]) => totals.reduce((all, one) => all + one, 0)
  return (
    <Loaded options={countQuery(everyLine)}>
      {({ count, anomalyCount, amount, oldest }) => (
        <>
          <ToDo waiting={count} anomalies={anomalyCount} />
          <div className={`${styles.tiles} ${styles.steps}`}>
            <Tile link={{ to: '/app/godkjenning' }} label={t.approvals.waiting} figure={format.count(count)}>
              {count === 0
                ? t.approvals.nothingWaiting
                : `${format.amount(amount, 2)} · ${t.today.oldest(format.day(oldest ?? '', 'dayMonth'))}`}
            </Tile>
            <Tile link={{ to: '/app/eksport' }} label={t.approvals.readyForExport} figure={counted(approved?.count)}>
              {approved !== undefined && format.amount(approved.amount, 2)}
              {readyAt !== undefined && readyAt < Infinity && ` · ${t.today.readySince(format.timestamp(readyAt))}`}
            </Tile>
            <Tile
              link={{ to: '/app/eksport', search: { liste: 'ute' } }}
              label={t.today.booked}
              figure={counted(booked && sum(booked.map((one) => one.count)))}
            >
              {booked && format.amount(sum(booked.map((one) => one.amount)), 2)}
              {bookedAt !== undefined && ` · ${t.today.lastBooked(format.timestamp(bookedAt))}`}
            </Tile>
            {failed !== undefined && failed.count > 0 && (
              <Tile
                link={{ to: '/app/eksport', search: { liste: 'feil' } }}
                label={t.export.stages.failed}
                figure={format.count(failed.count)}
              >
                {t.today.parked(failed.parked)}
              </Tile>
            )}
          </div>
        </>
      )}
    </Loaded>
  )
}

interface TileProps {
  readonly link: LinkProps
  readonly label: string
  readonly figure: string
  /** The note below the figure. */
  readonly children: ReactNode
}

function Tile({ link, label, figure, children }: TileProps) {
  return (
    <Link {...link} className={`panel stack ${styles.tile}`}>
      <span className={styles.label}>{label}</span>
      <strong className={`figure ${styles.figure}`}>{figure}</strong>
      <span className={styles.note}>{children}</span>
    </Link>
  )
}

/** The day in one sentence, with its two actions. */
function ToDo({ waiting, anomalies }: { waiting: number; anomalies: number }) {
  const { t, format } = useTranslation()
  const [odd, ready] = [format.count(anomalies), format.count(Math.max(0, waiting - anomalies))]
  return (
    <p className={`actions ${styles.toDo}`}>
      <strong>{waiting === 0 ? t.today.nothingToDo : t.today.toDo(odd, ready)}</strong>
      {anomalies > 0 && (
        <Button
          isPrimary
          label={t.today.seeAnomalies(odd)}
          size="sm"
          renderRoot={(props) => <Link to="/app/godkjenning" search={{ avvik: true }} {...props} />}
        />
      )}
      {waiting > anomalies && (
        <Button
          label={t.today.approveOthers(ready)}
          size="sm"
          isPrimary={anomalies === 0}
          renderRoot={(props) => <Link to="/app/godkjenning" search={{ merket: 'uten-avvik' }} {...props} />}
        />
      )}
    </p>
  )
}

function RevenueToday() {
  const { t } = useTranslation()
  return (
    <Loaded options={revenueOverviewQuery}>
      {(overview) => (
        <>
          <div className={styles.tiles}>
            <RevenueTile overview={overview} name="yesterday" label={t.today.revenueYesterday} />
            <RevenueTile overview={overview} name="month" label={t.revenue.figures.month} />
          </div>
          {overview.days.length > 0 && (
            <section className={`panel ${styles.lastThirtyDays}`} aria-labelledby="thirty-days">
              <LastThirtyDays today={overview.today} />
            </section>
          )}
          <DataQualityPanel overview={overview} />
        </>
      )}
    </Loaded>
  )
}

interface RevenueTileProps {
  readonly overview: RevenueOverview
  readonly name: 'yesterday' | 'month'
  readonly label: string
}

function RevenueTile({ overview, name, label }: RevenueTileProps) {
  const { t, format } = useTranslation()
  const figure = overview.figures.find((one) => one.name === name)
  if (figure === undefined) return null
  const { amount, before } = figure
  const none = name === 'yesterday' ? t.today.noRevenue : t.none
  return (
    <Tile link={{ to: '/app/omsetning' }} label={label} figure={amount === null ? none : format.amount(amount)}>
      <YearOverYear amount={amount} before={before.amount} /> {before.amount !== null && t.today.compared[name]}
    </Tile>
  )
}
