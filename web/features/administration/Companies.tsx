// Companies of the server: list, add, close, reopen.
import type { CompanySummary, CreatedCompany } from '../../../src/app/contract/administration.ts'
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { companiesQuery, useAdminAction } from './api.ts'
import { useSession } from '../../api/session.ts'
import { QueryStates } from '../../components/QueryStates.tsx'
import { useTranslation } from '../../i18n/translation.tsx'
import { CopyableText } from '../../components/CopyableText.tsx'
import { NewCompany } from './NewCompany.tsx'
import { SecretRevealDialog } from './SecretReveal.tsx'
import { ActionDialog } from '../../components/Dialog.tsx'
import { useFields } from '../../components/use-fields.ts'
import { companyText } from './companies-i18n.ts'
import { RowButton } from '../../components/RowButton.tsx'

export function Companies() {
  const query = useQuery(companiesQuery)
  return <QueryStates query={query}>{(all) => <CompanyList {...all} />}</QueryStates>
}

function CompanyList({ companies, sendsMail }: { companies: readonly CompanySummary[]; sendsMail: boolean }) {
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
  return (
    <>
      <div className="card-line">
        <strong className="long-word">{name}</strong>
        {name === own && <span className="status-badge Registrert">{t.companies.here}</span>}
        {disabledAt !== null && (
          <span className="status-badge Avvist">{t.companies.closedSince(format.timestamp(disabledAt))}</span>
        )}
      </div>
      <p className="muted">
        {t.companies.facts(people, credentials)} · {t.companies.since(format.timestamp(createdAt))}
      </p>
      <div aria-live="polite">{error !== null && <p className="problem">{error.message}</p>}</div>
      {name !== own && (
        <div className="actions">
          {disabledAt === null ? (
            <RowButton label={t.companies.close} of={name} variant="subtle" onClick={onClosing} />
          ) : (
            <RowButton
              label={t.companies.open}
              of={name}
              loading={isPending}
              onClick={() => mutate({ endpoint: 'companyOpen', fields: { id: String(id) } })}
            />
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
  const closing = useAdminAction(onDone)
  const { action, field, onSubmit } = useFields({
    initialValues: { name: '' },
    validate: { name: (typed) => typed.trim().toLowerCase() !== name.toLowerCase() && t.companies.notTheName },
    labels: { name: t.companies.confirm(name) },
    action: closing,
  })
  return (
    <ActionDialog
      title={t.companies.closeTitle(name)}
      submit={t.companies.close}
      action={action}
      isDestructive
      onClose={onClose}
      onSubmit={onSubmit((typed) => closing.mutate({ endpoint: 'companyClose', fields: { id: String(id), ...typed } }))}
    >
      <p>{t.companies.closeText}</p>
      <TextInput {...field('name')} data-autofocus autoComplete="off" />
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
      {password !== null && <CopyableText label={t.companies.madePassword} text={password} data-autofocus />}
      {link !== null && (
        <CopyableText label={t.companies.madeLink(email)} text={link} data-autofocus={password === null || undefined} />
      )}
    </SecretRevealDialog>
  )
}
