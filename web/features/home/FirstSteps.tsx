// First steps after setting up a company or the server, shown while there is no data.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { countQuery, everyLine } from '../../api/approvals.ts'
import { revenueOverviewQuery } from '../../api/revenue.ts'
import { useSession } from '../../api/session.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { useFirstStepsText } from './i18n.ts'
import './FirstSteps.css'

/** Hidden once there is a department, revenue or a waiting line, and until the replies have come. */
export function FirstStepsIfEmpty() {
  const { data: departments } = useQuery(departmentsQuery)
  const { data: overview } = useQuery(revenueOverviewQuery)
  const { data: waiting } = useQuery(countQuery(everyLine))
  const isEmpty =
    departments?.size === 0 && overview?.lastChangedAt === null && waiting?.count === 0
  return isEmpty ? <FirstSteps /> : null
}

function FirstSteps() {
  const texts = useFirstStepsText()
  const { company, isOperator } = useSession()
  return (
    <section className="panel first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps">{texts.title}</h2>
      <p>{texts.text(company)}</p>
      <ol>
        <li>
          <Link to="/app/import" search={{ hva: 'Avdeling' }}>
            {texts.records}
          </Link>
        </li>
        <li>
          <Link to="/app/administrasjon">{texts.key}</Link>
        </li>
        <li>
          <Link to="/app/administrasjon" search={{ vis: 'personer' }}>
            {texts.people}
          </Link>
        </li>
        {isOperator && (
          <li>
            <Link to="/app/administrasjon" search={{ vis: 'firmaer' }}>
              {texts.companies}
            </Link>
          </li>
        )}
      </ol>
    </section>
  )
}
