// Companies of the server: list, add, close, reopen.
import type { CompanySummary, CreatedCompany } from '../../../src/app/contract/administration.ts'
import { appPaths } from '../../../src/app/contract/paths.ts'
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAdminAction } from './api.ts'
import { companiesQuery } from './companies-api.ts'
import { useSession } from '../../api/session.ts'
import { QueryStates } from '../../components/QueryStates.tsx'
import { useTranslation } from '../../i18n/translation.tsx'
import { CopyableSecret } from './CopyableSecret.tsx'
import { NewCompany } from './NewCompany.tsx'
import { SecretRevealDialog } from './SecretReveal.tsx'
import { ActionDialog } from '../../components/Dialog.tsx'
import { companyText } from './companies-i18n.ts'

export function Companies() {
  const query = useQuery(companiesQuery)
  return <QueryStates query={query}>{(all) => <CompanyList {...all} />}</QueryStates>
}

interface CompanyListProps {
  readonly companies: readonly CompanySummary[]
  readonly sendsMail: boolean
}

function CompanyList({ companies, sendsMail }: CompanyListProps) {
  const { t } = useTranslation(companyText)
  const [isAdding, setAdding] = useState(false)
  const [created, setCreated] = useState<CreatedCompany | null>(null)
  const [closing, setClosing] = useState<CompanySummary | null>(null)
  const [message, setMessage] = useState('')
  const onCreated = (reply: CreatedCompany) => {
    setAdding(false)
    setMessage(reply.link === null ? t.companies.sent(reply.email) : '')
    setCreated(reply)
  }
  return (
    <section aria-label={t.companies.title}>
      <div className="toolbar">
        <Button onClick={() => setAdding(true)}>{t.companies.add}</Button>
      </div>
      <div aria-live="polite">{message !== '' && <p className="alert">{message}</p>}</div>
      <ul className="card-list">
        {companies.map((company) => (
          <li key={company.id} className="panel">
            <CompanyCard
              company={company}
              onClosing={() => setClosing(company)}
              onOpened={() => setMessage(t.companies.opened(company.name))}
            />
          </li>
        ))}
      </ul>
      {isAdding && <NewCompany sendsMail={sendsMail} onClose={() => setAdding(false)} onCreated={onCreated} />}
      {closing !== null && (
        <CloseCompanyDialog
          company={closing}
          onClose={() => setClosing(null)}
          onDone={() => {
            setClosing(null)
            setMessage(t.companies.closed(closing.name))
          }}
        />
      )}
      {created !== null && (created.password !== null || created.link !== null) && (
        <CreatedCompanyDialog {...created} onClose={() => setCreated(null)} />
      )}
    </section>
  )
}

interface CompanyCardProps {
  readonly company: CompanySummary
  readonly onClosing: () => void
  readonly onOpened: () => void
}

function CompanyCard({ company, onClosing, onOpened }: CompanyCardProps) {
  const { t, format } = useTranslation(companyText)
  const { company: own } = useSession()
  const { mutate, isPending, error } = useAdminAction(onOpened)
  const { id, name, createdAt, disabledAt, people, credentials } = company
  const moment = (at: number) => format.timestamp(at)
  return (
    <>
      <div className="card-line">
        <strong className="long-word">{name}</strong>
        {name === own && <span className="status-badge Registrert">{t.companies.here}</span>}
        {disabledAt !== null && (
          <span className="status-badge Avvist">{t.companies.closedSince(moment(disabledAt))}</span>
        )}
      </div>
      <p className="muted">
        {t.companies.facts(people, credentials)} · {t.companies.since(moment(createdAt))}
      </p>
      <div aria-live="polite">{error !== null && <p className="problem">{error.message}</p>}</div>
      {name !== own && (
        <div className="actions">
          {disabledAt === null ? (
            <Button variant="subtle" aria-label={`${t.companies.close}: ${name}`} onClick={onClosing}>
              {t.companies.close}
            </Button>
          ) : (
            <Button
              variant="default"
              loading={isPending}
              aria-label={`${t.companies.open}: ${name}`}
              onClick={() => mutate({ path: appPaths.companyOpen, fields: { id: String(id) } })}
            >
              {t.companies.open}
            </Button>
          )}
        </div>
      )}
    </>
  )
}

interface CloseCompanyDialogProps {
  readonly company: CompanySummary
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Closing stops all integrations of the company, so its name must be typed. */
function CloseCompanyDialog({ company: { id, name }, onClose, onDone }: CloseCompanyDialogProps) {
  const { t } = useTranslation(companyText)
  const { mutate, isPending, error } = useAdminAction(onDone)
  const [typed, setTyped] = useState('')
  const [isTried, setTried] = useState(false)
  const isRight = typed.trim().toLowerCase() === name.toLowerCase()
  return (
    <ActionDialog
      title={t.companies.closeTitle(name)}
      submit={t.companies.close}
      isBusy={isPending}
      isDestructive
      error={error}
      onClose={onClose}
      onSubmit={() => {
        setTried(true)
        if (isRight) mutate({ path: appPaths.companyClose, fields: { id: String(id), name: typed } })
      }}
    >
      <p>{t.companies.closeText}</p>
      <TextInput
        data-autofocus
        label={t.companies.confirm(name)}
        autoComplete="off"
        value={typed}
        error={isTried && !isRight ? t.companies.notTheName : undefined}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </ActionDialog>
  )
}

function CreatedCompanyDialog({ company, password, email, link, onClose }: CreatedCompany & { onClose: () => void }) {
  const { t } = useTranslation(companyText)
  return (
    <SecretRevealDialog
      title={t.companies.made(company)}
      text={t.companies.madeText}
      confirmLabel={t.companies.kept}
      onClose={onClose}
    >
      {password !== null && <CopyableSecret label={t.companies.madePassword} secret={password} isFirst />}
      {link !== null && (
        <CopyableSecret label={t.companies.madeLink(email)} secret={link} isFirst={password === null} />
      )}
    </SecretRevealDialog>
  )
}
