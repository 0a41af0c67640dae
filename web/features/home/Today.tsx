// Today: what waits, key figures, and data quality.
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { lazy, Suspense, type ReactNode } from 'react'
import { countQuery, everyLine, oddCountQuery } from '../../api/approvals.ts'
import { amountText, countText, dayText, momentText } from '../../api/format.ts'
import { failedQuery } from '../../api/export.ts'
import { overviewQuery, type Overview } from '../../api/revenue.ts'
import { useSession } from '../../api/session.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { Deviation } from '../../components/YearOverYear.tsx'
import { Page } from '../../components/Page.tsx'
import { Fetched } from '../../components/QueryStates.tsx'
import { useText } from '../../i18n/translation.tsx'

const FirstSteps = lazy(async () => ({
  default: (await import('./FirstSteps.tsx')).FirstStepsWhereEmpty,
}))

export function Today() {
  const { say, language } = useText()
  const session = useSession()
  const seesRevenue = session.scopes.includes('revenue:read')
  const approves = session.scopes.includes('material:approve')
  // Registrants start at material entry.
  if (!approves && !seesRevenue) return <Navigate to="/app/uttak" replace />
  return (
    <Page
      title={say.today.title}
      aside={
        <>
          <span className="muted">{say.revenue.currency(session.currency)}</span>
          <span className="muted">{dayText(session.today, language, 'long')}</span>
        </>
      }
    >
      {session.role === 'admin' && (
        <Suspense>
          <FirstSteps />
        </Suspense>
      )}
      {approves && <MaterialToday />}
      {seesRevenue && <RevenueToday />}
    </Page>
  )
}

/** Tiles that link to their lists: waiting for approval, ready for export, failed. */
function MaterialToday() {
  const { say, language } = useText()
  const waiting = useQuery(countQuery(everyLine))
  const approved = useQuery(countQuery({ ...everyLine, state: 'approved' }))
  const { data: odd = 0 } = useQuery(oddCountQuery)
  const { data: failed } = useQuery(failedQuery)
  const since = (day: string | null | undefined) =>
    day === null || day === undefined
      ? ''
      : ` · ${say.today.oldest(dayText(day, language, 'dayMonth'))}`
  return (
    <Fetched query={waiting}>
      {({ count, amount, oldest }) => (
        <div className="tiles">
          <Link to="/app/godkjenning" className="tile">
            <span className="tile-label">{say.approvals.waiting}</span>
            <Figure count={count} />
            <span className="tile-note">
              {count === 0
                ? say.approvals.nothingWaiting
                : `${amountText(amount, language)}${since(oldest)}`}
              {odd > 0 && (
                <span className="warning-tag inline">
                  {say.approvals.oddCount(countText(odd, language))}
                </span>
              )}
            </span>
          </Link>
          <Link to="/app/eksport" className="tile">
            <span className="tile-label">{say.approvals.readyForExport}</span>
            <Figure count={approved.data?.count} />
            <span className="tile-note">
              {approved.data !== undefined && amountText(approved.data.amount, language)}
              {since(approved.data?.oldest)}
            </span>
          </Link>
          <Link to="/app/eksport" search={{ liste: 'feil' }} className="tile">
            <span className="tile-label">{say.export.lanes.failed}</span>
            <Figure count={failed?.count} />
            <span className="tile-note">
              {failed !== undefined &&
                (failed.count === 0 ? say.today.noneFailed : say.today.parked(failed.parked))}
            </span>
          </Link>
        </div>
      )}
    </Fetched>
  )
}

/** A dash until the reply has come: unknown is not zero. */
function Figure({ count }: { count: number | undefined }) {
  const { say, language } = useText()
  return (
    <strong className="tile-figure">
      {count === undefined ? say.none : countText(count, language)}
    </strong>
  )
}

function RevenueToday() {
  const query = useQuery(overviewQuery)
  return (
    <Fetched query={query}>
      {(overview) => (
        <>
          <div className="tiles">
            <Yesterday overview={overview} />
            <Month overview={overview} />
            <LastReceived overview={overview} />
          </div>
          <Tidy overview={overview} />
        </>
      )}
    </Fetched>
  )
}

function Yesterday({ overview }: { overview: Overview }) {
  const { say, language } = useText()
  const figure = overview.figures.find(({ name }) => name === 'yesterday')
  if (figure === undefined) return null
  const { amount, before } = figure
  return (
    <Link to="/app/omsetning" className="tile">
      <span className="tile-label">{say.today.revenueYesterday}</span>
      <strong className="tile-figure">
        {amount === null ? say.today.noRevenue : amountText(amount, language)}
      </strong>
      <span className="tile-note">
        <Deviation amount={amount} before={before.amount} /> {say.today.compared}
      </span>
    </Link>
  )
}

function Month({ overview }: { overview: Overview }) {
  const { say, language } = useText()
  const figure = overview.figures.find(({ name }) => name === 'month')
  if (figure === undefined) return null
  const { amount, before } = figure
  return (
    <Link to="/app/omsetning" className="tile">
      <span className="tile-label">{say.revenue.figures.month}</span>
      <strong className="tile-figure">
        {amount === null ? say.none : amountText(amount, language)}
      </strong>
      <span className="tile-note">
        <Deviation amount={amount} before={before.amount} /> {say.today.comparedMonth}
      </span>
    </Link>
  )
}

function LastReceived({ overview: { lastChangedAt } }: { overview: Overview }) {
  const { say, language } = useText()
  const { zone } = useSession()
  return (
    <div className="tile">
      <span className="tile-label">{say.today.lastReceived}</span>
      <strong className="tile-figure small">
        {lastChangedAt === null ? say.today.never : momentText(lastChangedAt, language, zone)}
      </strong>
      <span className="tile-note">{say.revenue.title}</span>
    </div>
  )
}

/** Data-quality issues with links to where they are fixed. */
function Tidy({ overview }: { overview: Overview }) {
  const { say, language } = useText()
  const { data: names } = useQuery(departmentsQuery)
  const { missing, unknown, crowded } = overview
  const nameOf = (id: string) => names?.get(id) ?? id
  const days = missing.reduce((sum, { dates }) => sum + dates.length, 0)
  const isTidy = missing.length + unknown.length + crowded.length === 0
  return (
    <section className="panel" aria-labelledby="tidy">
      <h2 id="tidy">
        <Link to="/app/rydde">{say.today.tidy}</Link>
      </h2>
      {isTidy && (
        <p className="tidy-fine">
          <strong>{say.today.nothingToTidy}.</strong> {say.today.nothingToTidyText}
        </p>
      )}
      {days > 0 && (
        <Work title={say.today.missing(days, missing.length)} text={say.today.missingText}>
          {missing.flatMap(({ departmentId, dates }) =>
            dates.slice(-3).map((date) => (
              <CellLink key={date + departmentId} date={date} departmentId={departmentId}>
                {nameOf(departmentId)} {dayText(date, language)}
              </CellLink>
            )),
          )}
        </Work>
      )}
      {crowded.length > 0 && (
        <Work title={say.today.crowded(crowded.length)} text={say.today.crowdedText}>
          {crowded.slice(-6).map(({ date, departmentId, records }) => (
            <CellLink key={date + departmentId} date={date} departmentId={departmentId}>
              {nameOf(departmentId)} {dayText(date, language)} · {records}
            </CellLink>
          ))}
        </Work>
      )}
      {unknown.length > 0 && (
        <Work title={say.today.unknown(unknown.length)} text={say.today.unknownText}>
          {unknown.map(({ departmentId, last, amount }) => (
            <CellLink key={departmentId} date={last} departmentId={departmentId}>
              {departmentId === '' ? say.revenue.withoutDepartment : departmentId} ·{' '}
              {amountText(amount, language)}
            </CellLink>
          ))}
        </Work>
      )}
    </section>
  )
}

function Work({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="task">
      <div>
        <h3>{title}</h3>
        <p className="muted">{text}</p>
      </div>
      <div className="chip-list">{children}</div>
    </div>
  )
}

interface CellLinkProps {
  readonly date: string
  readonly departmentId: string
  readonly children: ReactNode
}

function CellLink({ date, departmentId, children }: CellLinkProps) {
  return (
    <Link
      to="/app/omsetning"
      search={{ vis: 'dager', dag: date, celle: `${date}.${departmentId}` }}
      className="chip"
    >
      {children}
    </Link>
  )
}
