// First steps after setting up a company or the server, shown while there is no data.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { countQuery, everyLine } from '../../api/approvals.ts'
import { revenueOverviewQuery } from '../../api/revenue.ts'
import { useSession } from '../../api/session.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { firstStepsText } from './i18n.ts'
import { useTranslation } from '../../i18n/translation.tsx'
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
  const { t } = useTranslation(firstStepsText)
  const { company, isOperator } = useSession()
  return (
    <section className="panel first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps">{t.firstSteps.title}</h2>
      <p>{t.firstSteps.text(company)}</p>
      <ol>
        <li>
          <Link to="/app/import" search={{ hva: 'Avdeling' }}>
            {t.firstSteps.records}
          </Link>
        </li>
        <li>
          <Link to="/app/administrasjon">{t.firstSteps.key}</Link>
        </li>
        <li>
          <Link to="/app/administrasjon" search={{ vis: 'personer' }}>
            {t.firstSteps.people}
          </Link>
        </li>
        {isOperator && (
          <li>
            <Link to="/app/administrasjon" search={{ vis: 'firmaer' }}>
              {t.firstSteps.companies}
            </Link>
          </li>
        )}
      </ol>
    </section>
  )
}
