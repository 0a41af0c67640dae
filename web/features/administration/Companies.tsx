// Companies of the server: list, add, close, reopen.
import { Button } from '../../components/Button.tsx'
import type { CompanySummary, CreatedCompany } from '../../../src/app/contract/administration.ts'
import { TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { companiesQuery, useAdminAction } from './api.ts'
import { useSession } from '../../api/session.ts'
import { DataTable } from '../../components/DataTable.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { Loaded } from '../../components/QueryStates.tsx'
import { CopyableText } from '../../components/CopyableText.tsx'
import { NewCompany } from './NewCompany.tsx'
import { SecretReveal } from './SecretReveal.tsx'
import { ActionDialog } from '../../components/Dialog.tsx'
import { useFields } from '../../components/use-fields.ts'
import { useCompanyText } from './companies-i18n.ts'

export function Companies() {
  return <Loaded options={companiesQuery}>{(all) => <CompanyList {...all} />}</Loaded>
}

function CompanyList({ companies, sendsMail }: { companies: readonly CompanySummary[]; sendsMail: boolean }) {
  const { t, format } = useCompanyText()
  const { company: own } = useSession()
  const opening = useAdminAction()
  const open = ({ id, name }: CompanySummary) =>
    opening.mutate(
      { endpoint: 'companyOpen', fields: { id: String(id) } },
      { onSuccess: () => setMessage(t.companies.opened(name)) },
    )
  const stateOf = ({ name, disabledAt }: CompanySummary) => {
    if (disabledAt !== null) return t.companies.closedSince(format.timestamp(disabledAt))
    return name === own ? t.companies.here : t.administration.keyStates.live
  }
  const [dialog, setDialog] = useState<ReactNode>(null)
  const [message, setMessage] = useState('')
  const dismiss = () => setDialog(null)
  const onCreated = (reply: CreatedCompany) => {
    setMessage(reply.link === null ? t.administration.invitationSent(reply.email) : '')
    const hasSecret = reply.password !== null || reply.link !== null
    setDialog(hasSecret && <CreatedCompanyDialog {...reply} onClose={dismiss} />)
  }
  const add = () => setDialog(<NewCompany sendsMail={sendsMail} onClose={dismiss} onCreated={onCreated} />)
  const close = (company: CompanySummary) => {
    const onDone = () => {
      dismiss()
      setMessage(t.companies.closed(company.name))
    }
    setDialog(<CloseCompanyDialog company={company} onClose={dismiss} onDone={onDone} />)
  }
  return (
    <section aria-label={t.companies.title}>
      <div aria-live="polite">{message !== '' && <p className="alert">{message}</p>}</div>
      <ErrorAlert error={opening.error} />
      <DataTable
        name="firmaer"
        label={t.companies.title}
        tools={<Button isPrimary label={t.companies.add} onClick={add} />}
        rows={companies}
        keyOf={({ id }) => id}
        columns={[
          { value: 'name', title: t.company, isRowHeader: true, isLong: true },
          {
            key: 'state',
            title: t.table.state,
            value: stateOf,
            badge: ({ disabledAt }) => (disabledAt === null ? 'Registrert' : 'Avvist'),
          },
          { value: 'people', title: t.administration.people, type: 'count' },
          { value: 'credentials', title: t.companies.credentials, type: 'count' },
          { value: 'createdAt', title: t.table.since, type: 'timestamp' },
        ]}
        nameOf={({ name }) => name}
        actions={(company) => [
          company.name !== own &&
            (company.disabledAt === null
              ? { label: t.companies.close, run: () => close(company) }
              : { label: t.companies.open, isBusy: opening.isPending, run: () => open(company) }),
        ]}
      />
      {dialog}
    </section>
  )
}

interface CloseCompanyDialogProps {
  readonly company: CompanySummary
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Closing stops all integrations of the company, so its name must be typed. */
function CloseCompanyDialog({ company: { id, name }, onClose, onDone }: CloseCompanyDialogProps) {
  const { t } = useCompanyText()
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
  const { t } = useCompanyText()
  return (
    <SecretReveal
      title={t.companies.made(company)}
      text={t.companies.madeText}
      confirm={t.companies.kept}
      onClose={onClose}
    >
      {password !== null && <CopyableText label={t.companies.madePassword} text={password} data-autofocus />}
      {link !== null && (
        <CopyableText label={t.companies.madeLink(email)} text={link} data-autofocus={password === null || undefined} />
      )}
    </SecretReveal>
  )
}
