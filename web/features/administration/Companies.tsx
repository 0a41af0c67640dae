// Companies of the server: list, add, close, reopen.
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { companiesQuery, useCompanyAct, type Company, type MadeCompany } from './companies-api.ts'
import { momentText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { useGrave } from '../../components/Reauthenticate.tsx'
import { Fetched } from '../../components/QueryStates.tsx'
import { useCompanyText } from './companies-i18n.ts'
import { useText } from '../../i18n/translation.tsx'
import { Asking } from '../../components/ActionDialog.tsx'
import { Copyable } from './CopyableSecret.tsx'
import { NewCompany } from './NewCompany.tsx'
import { OnceFrame } from './SecretReveal.tsx'

export function Companies() {
  const query = useQuery(companiesQuery)
  return <Fetched query={query}>{(all) => <Shown {...all} />}</Fetched>
}

interface ShownProps {
  readonly companies: readonly Company[]
  readonly sendsMail: boolean
}

function Shown({ companies, sendsMail }: ShownProps) {
  const texts = useCompanyText()
  const [isAdding, setAdding] = useState(false)
  const [made, setMade] = useState<MadeCompany | null>(null)
  const [closing, setClosing] = useState<Company | null>(null)
  const [told, setTold] = useState('')
  const onMade = (answer: MadeCompany) => {
    setAdding(false)
    setTold(answer.link === null ? texts.sent(answer.email) : '')
    setMade(answer)
  }
  return (
    <section aria-label={texts.title}>
      <div className="toolbar">
        <Button size="sm" onClick={() => setAdding(true)}>
          {texts.add}
        </Button>
      </div>
      <div aria-live="polite">{told !== '' && <p className="alert">{told}</p>}</div>
      <ul className="card-list">
        {companies.map((company) => (
          <li key={company.id} className="panel">
            <CompanyFacts
              company={company}
              onClosing={() => setClosing(company)}
              onOpened={() => setTold(texts.opened(company.name))}
            />
          </li>
        ))}
      </ul>
      {isAdding && (
        <NewCompany sendsMail={sendsMail} onClose={() => setAdding(false)} onMade={onMade} />
      )}
      {closing !== null && (
        <Closing
          company={closing}
          onClose={() => setClosing(null)}
          onDone={() => {
            setClosing(null)
            setTold(texts.closed(closing.name))
          }}
        />
      )}
      {made !== null && (made.password !== null || made.link !== null) && (
        <Made {...made} onClose={() => setMade(null)} />
      )}
    </section>
  )
}

interface CompanyFactsProps {
  readonly company: Company
  readonly onClosing: () => void
  readonly onOpened: () => void
}

function CompanyFacts({ company, onClosing, onOpened }: CompanyFactsProps) {
  const { language } = useText()
  const texts = useCompanyText()
  const { zone, company: own } = useSession()
  const grave = useGrave()
  const { mutate, isPending, error } = useCompanyAct('apne', grave.run, onOpened)
  const { id, name, createdAt, disabledAt, people, credentials } = company
  const moment = (at: number) => momentText(at, language, zone)
  return (
    <>
      <div className="card-line">
        <strong className="long-word">{name}</strong>
        {name === own && <span className="status-badge Registrert">{texts.here}</span>}
        {disabledAt !== null && (
          <span className="status-badge Avvist">{texts.closedSince(moment(disabledAt))}</span>
        )}
      </div>
      <p className="muted">
        {texts.facts(people, credentials)} · {texts.since(moment(createdAt))}
      </p>
      <div aria-live="polite">{error !== null && <p className="problem">{error.message}</p>}</div>
      {name !== own && (
        <div className="actions">
          {disabledAt === null ? (
            <Button
              size="sm"
              variant="subtle"
              aria-label={`${texts.close}: ${name}`}
              onClick={onClosing}
            >
              {texts.close}
            </Button>
          ) : (
            <Button
              size="sm"
              variant="default"
              loading={isPending}
              aria-label={`${texts.open}: ${name}`}
              onClick={() => mutate({ id: String(id) })}
            >
              {texts.open}
            </Button>
          )}
        </div>
      )}
      {grave.dialog}
    </>
  )
}

interface ClosingProps {
  readonly company: Company
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Closing stops all integrations of the company, so its name must be typed. */
function Closing({ company: { id, name }, onClose, onDone }: ClosingProps) {
  const texts = useCompanyText()
  const grave = useGrave()
  const { mutate, isPending, error } = useCompanyAct('steng', grave.run, onDone)
  const [typed, setTyped] = useState('')
  const [isTried, setTried] = useState(false)
  const isRight = typed.trim().toLowerCase() === name.toLowerCase()
  return (
    <>
      <Asking
        title={texts.closeTitle(name)}
        submit={texts.close}
        isBusy={isPending}
        error={error}
        onClose={onClose}
        onSubmit={() => {
          setTried(true)
          if (isRight) mutate({ id: String(id), name: typed })
        }}
      >
        <p>{texts.closeText}</p>
        <TextInput
          data-autofocus
          label={texts.confirm(name)}
          autoComplete="off"
          value={typed}
          error={isTried && !isRight ? texts.notTheName : undefined}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </Asking>
      {grave.dialog}
    </>
  )
}

function Made({ company, password, email, link, onClose }: MadeCompany & { onClose: () => void }) {
  const texts = useCompanyText()
  return (
    <OnceFrame
      title={texts.made(company)}
      text={texts.madeText}
      kept={texts.kept}
      onClose={onClose}
    >
      {password !== null && <Copyable label={texts.madePassword} secret={password} isFirst />}
      {link !== null && (
        <Copyable label={texts.madeLink(email)} secret={link} isFirst={password === null} />
      )}
    </OnceFrame>
  )
}
