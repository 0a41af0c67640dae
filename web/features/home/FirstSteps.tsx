// First steps after a set-up, each ticked once the data shows that it was taken.
import { Button } from '../../components/Button.tsx'
import { useLocalStorage } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { exportQuery } from '../../api/export.ts'
import { revenueOverviewQuery } from '../../api/revenue.ts'
import { useSession } from '../../api/session.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { Icon } from '../../components/Icon.tsx'
import { administrationQuery } from '../administration/api.ts'
import { hasOnlyExamples, importExampleData } from './example-data.ts'
import { defineSection, defineTranslation } from '../../i18n/translation.ts'
import styles from './Today.module.css'

/** Hidden once every step is taken or the user has closed it, and until the replies have come. */
export function FirstSteps() {
  const { t } = useFirstStepsText()
  const { company, isOperator } = useSession()
  const { data: departments } = useQuery(departmentsQuery)
  const { data: overview } = useQuery(revenueOverviewQuery)
  const { data: administration } = useQuery(administrationQuery)
  const { data: exports } = useQuery(exportQuery)
  const [closed, setClosed] = useLocalStorage({
    key: `dagsverk-first-steps-${company}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  if (closed !== '' || !departments || !overview || !administration || !exports) return null
  const { people, invitations } = administration
  const hasRevenue = overview.lastChangedAt !== null
  const steps: readonly (readonly [isDone: boolean, text: string, link: LinkProps])[] = [
    [departments.size > 0, t.firstSteps.records, { to: '/app/import', search: { hva: 'Avdeling' } }],
    [
      people.length + invitations.length > 1,
      t.firstSteps.people,
      { to: '/app/administrasjon', search: { vis: 'personer' } },
    ],
    [hasRevenue, t.firstSteps.figure, { to: '/app/administrasjon' }],
    [exports.retrievals.length > 0, t.firstSteps.handOff, { to: '/app/eksport' }],
  ]
  const done = steps.filter(([isDone]) => isDone).length
  if (done === steps.length) return null
  return (
    <section className="panel" aria-labelledby="first-steps">
      <h2 id="first-steps">{t.firstSteps.title(done, steps.length)}</h2>
      <ul className="stack">
        {steps.map(([isDone, text, link]) => (
          <li key={text} className={styles.step}>
            <span className={isDone ? styles.stepDone : styles.stepOpen}>
              {isDone && <Icon name="approve" size={14} />}
            </span>
            <Link {...link}>{text}</Link>
            {isDone && <span className="muted">{t.firstSteps.done}</span>}
          </li>
        ))}
      </ul>
      {isOperator && (
        <p>
          <Link to="/app/administrasjon" search={{ vis: 'firmaer' }}>
            {t.firstSteps.companies}
          </Link>
        </p>
      )}
      {!hasRevenue && hasOnlyExamples(departments) && <ExampleData />}
      <Button label={t.firstSteps.close} size="sm" variant="subtle" onClick={() => setClosed('closed')} />
    </section>
  )
}

function ExampleData() {
  const { t, language } = useFirstStepsText()
  const { today } = useSession()
  const client = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => importExampleData(today, language),
    onSettled: () => client.invalidateQueries(),
  })
  return (
    <>
      <ErrorAlert error={error} />
      <p className="muted">{t.firstSteps.exampleText}</p>
      <Button label={t.firstSteps.example} size="sm" loading={isPending} onClick={() => mutate()} />
    </>
  )
}

const firstStepsText = defineSection({
  firstSteps: {
    title: (done: number, all: number) => [`Kom i gang: ${done} av ${all}`, `Get started: ${done} of ${all}`],
    records: ['Importer avdelinger, ansatte og prosjekter', 'Import departments, employees and projects'],
    people: ['Inviter dem som skal bruke firmaet', 'Invite the people who will use it'],
    figure: [
      'Lag en nøkkel til kassen, og ta imot de første tallene',
      'Create a key for the till, and receive the first figures',
    ],
    handOff: [
      'Koble til regnskapet, så det henter godkjente uttak',
      'Connect the accounting, which fetches approved material',
    ],
    companies: [
      'Legg til flere firmaer, om flere skal bruke serveren',
      'Add more companies, if several share the server',
    ],
    done: ['ferdig', 'done'],
    example: ['Fyll med eksempeldata', 'Fill with example data'],
    exampleText: [
      'Tre avdelinger, to prosjekter og omsetning for fjorten måneder. Alt kan angres under Import.',
      'Three departments, two projects and revenue for fourteen months. All of it can be undone under Import.',
    ],
    close: ['Ikke vis dette mer', 'Do not show this again'],
  },
})

const useFirstStepsText = defineTranslation(firstStepsText)
