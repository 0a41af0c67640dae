// Data quality: duplicate records, missing days and unknown codes, each with its next step.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { amountText, countText, dayText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { untidyQuery, type Untidy } from '../../api/data-quality.ts'
import { Page } from '../../components/Page.tsx'
import { Fetched, NoAccess, State } from '../../components/QueryStates.tsx'
import { useText } from '../../i18n/translation.tsx'
import { useTidyingText } from './i18n.ts'
import { CellDrawer } from '../revenue/CellDrawer.tsx'
import { UnknownCodes } from './UnknownCodes.tsx'
import { useDepartmentName, WorkList } from './WorkList.tsx'

const route = getRouteApi('/app/rydde')

export function DataQuality() {
  const say = useTidyingText()
  const { scopes, currency } = useSession()
  const { say: common } = useText()
  const { celle } = route.useSearch()
  const navigate = route.useNavigate()
  const mayLook = scopes.includes('revenue:read')
  const query = useQuery({ ...untidyQuery, enabled: mayLook })
  return (
    <Page
      title={say.title}
      aside={
        <span className="muted">
          {say.span} · {common.revenue.currency(currency)}
        </span>
      }
    >
      {!mayLook && <NoAccess />}
      {mayLook && <Fetched query={query}>{(untidy) => <Lists untidy={untidy} />}</Fetched>}
      {celle !== undefined && mayLook && (
        <CellDrawer
          date={celle.slice(0, 10)}
          departmentId={celle.slice(11)}
          onClose={() => void navigate({ search: {} })}
        />
      )}
    </Page>
  )
}

function Lists({ untidy }: { untidy: Untidy }) {
  const say = useTidyingText()
  const { language } = useText()
  const { crowded, missing, unknown } = untidy
  /** Also shown when the list it came from is empty now. */
  const [moved, setMoved] = useState<number | null>(null)
  return (
    <>
      <div aria-live="polite">
        {moved !== null && <p className="alert">{say.moved(countText(moved, language))}</p>}
      </div>
      {crowded.length + missing.length + unknown.length === 0 && (
        <State title={say.fine}>{say.fineText}</State>
      )}
      {crowded.length > 0 && <Crowded crowded={crowded} />}
      {missing.length > 0 && <Missing missing={missing} />}
      {unknown.length > 0 && <UnknownCodes unknown={unknown} onMoved={setMoved} />}
    </>
  )
}

function Crowded({ crowded }: Pick<Untidy, 'crowded'>) {
  const say = useTidyingText()
  const { language } = useText()
  const nameOf = useDepartmentName()
  const sum = crowded.reduce((total, { amount }) => total + amount, 0)
  return (
    <WorkList
      name="crowded"
      title={say.crowded}
      text={say.crowdedText}
      count={crowded.length}
      sum={sum}
    >
      <div className="table-scroll" tabIndex={0} role="region" aria-labelledby="crowded">
        <table>
          <thead>
            <tr>
              <th scope="col">{say.columns.date}</th>
              <th scope="col">{say.columns.department}</th>
              <th scope="col" className="number">
                {say.columns.records}
              </th>
              <th scope="col" className="number">
                {say.columns.sum}
              </th>
              <th scope="col">{say.columns.next}</th>
            </tr>
          </thead>
          <tbody>
            {crowded.toReversed().map(({ date, departmentId, records, amount }) => (
              <tr key={`${date} ${departmentId}`}>
                <td>{dayText(date, language)}</td>
                <td>{nameOf(departmentId)}</td>
                <td className="number">{countText(records, language)}</td>
                <td className="number">{amountText(amount, language, 2)}</td>
                <td>
                  <Link
                    to="/app/rydde"
                    search={{ celle: `${date}.${departmentId}` }}
                    aria-label={say.lookAt(nameOf(departmentId), dayText(date, language))}
                  >
                    {say.look}
                  </Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </WorkList>
  )
}

function Missing({ missing }: Pick<Untidy, 'missing'>) {
  const say = useTidyingText()
  const { language } = useText()
  const nameOf = useDepartmentName()
  const days = missing.reduce((total, { dates }) => total + dates.length, 0)
  return (
    <WorkList name="missing" title={say.missing} text={say.missingText} count={days} sum={null}>
      <ul className="card-list">
        {missing.map(({ departmentId, dates }) => (
          <li key={departmentId} className="panel">
            <div className="card-line">
              <strong>{nameOf(departmentId)}</strong>
              <span>{countText(dates.length, language)}</span>
            </div>
            <div className="chip-list">
              {dates.map((date) => (
                <Link
                  key={date}
                  to="/app/omsetning"
                  search={{ vis: 'dager', dag: date }}
                  className="chip"
                  aria-label={`${say.fill}: ${nameOf(departmentId)} ${dayText(date, language)}`}
                >
                  {dayText(date, language)}
                </Link>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </WorkList>
  )
}
