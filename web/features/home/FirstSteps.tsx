// What whoever set up a company or the server does next, as long as there is nothing to see.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { countQuery, everyLine } from '../../api/approvals.ts'
import { overviewQuery } from '../../api/revenue.ts'
import { useSession } from '../../api/session.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { useFirstStepText } from './i18n.ts'
import './FirstSteps.css'

/** Nothing where there is a department, revenue or a line that waits, and nothing before that is known. */
export function FirstStepsWhereEmpty() {
  const { data: departments } = useQuery(departmentsQuery)
  const { data: overview } = useQuery(overviewQuery)
  const { data: waiting } = useQuery(countQuery(everyLine))
  const isEmpty =
    departments?.size === 0 && overview?.lastChangedAt === null && waiting?.count === 0
  return isEmpty ? <FirstSteps /> : null
}

function FirstSteps() {
  const texts = useFirstStepText()
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
