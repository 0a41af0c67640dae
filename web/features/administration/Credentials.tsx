// Keys and passwords of integrations: list, create, renew, revoke.
import { Button } from '../../components/Button.tsx'
import type { Administration, CreatedCredential, Credential } from '../../../src/app/contract/administration.ts'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { AdminActionDialog } from './AdminActionDialog.tsx'
import { DataTable, type DataTableProps } from '../../components/DataTable.tsx'
import { FieldNamesSwitch } from '../../components/Table.tsx'
import { useIntegrationText } from './integrations-i18n.ts'
import { NewCredential } from './NewCredential.tsx'
import { SecretReveal } from './SecretReveal.tsx'
import { CredentialAlertRule } from './AlertRules.tsx'

export function Credentials({ credentials, scopes }: Pick<Administration, 'credentials' | 'scopes'>) {
  const { t } = useIntegrationText()
  const { keyActions } = t.administration
  const [dialog, setDialog] = useState<ReactNode>(null)
  const active = credentials.filter(({ state }) => state !== 'revoked').toReversed()
  const revoked = credentials.filter(({ state }) => state === 'revoked').toReversed()
  const nameOf = ({ name }: Pick<Credential, 'name'>) => name ?? t.administration.wholeCompany
  const close = () => setDialog(null)
  const reveal = (created: CreatedCredential) =>
    setDialog(
      <SecretReveal
        title={t.administration.credentialOf[created.kind](nameOf(created))}
        text={t.administration.shownOnce[created.kind]}
        secret={created.secret}
        onClose={close}
      />,
    )
  const act = (credential: Credential, name: 'keyRotate' | 'keyRevoke') =>
    setDialog(
      <AdminActionDialog
        action={keyActions[name]}
        of={nameOf(credential)}
        text={t.administration.keyActionTexts[name]}
        isDestructive={name === 'keyRevoke'}
        request={{ endpoint: name, fields: { id: credential.id } }}
        onClose={close}
        onDone={(reply) => ('secret' in reply ? reveal(reply) : close())}
      />,
    )
  return (
    <section aria-label={t.administration.keys}>
      <CredentialTable
        name="integrasjoner"
        label={t.administration.keys}
        tools={
          <>
            <Button
              isPrimary
              label={t.administration.newCredential}
              onClick={() => setDialog(<NewCredential scopes={scopes} onClose={close} onCreated={reveal} />)}
            />
            <FieldNamesSwitch />
          </>
        }
        rows={active}
        empty={[t.administration.noKeys, t.administration.noKeysText]}
        nameOf={(one) => `${nameOf(one)}, ${one.id}`}
        actions={(credential) => [
          { label: keyActions.keyRotate, run: () => act(credential, 'keyRotate') },
          { label: keyActions.keyRevoke, isDestructive: true, run: () => act(credential, 'keyRevoke') },
          {
            label: t.alerts.title,
            run: () => setDialog(<CredentialAlertRule credential={credential} onClose={close} />),
          },
        ]}
      />
      {revoked.length > 0 && (
        <details className="page-section">
          <summary>{t.administration.revoked(revoked.length)}</summary>
          <CredentialTable label={t.administration.revoked(revoked.length)} rows={revoked} />
        </details>
      )}
      {dialog}
    </section>
  )
}

function CredentialTable(props: Omit<DataTableProps<Credential>, 'columns' | 'keyOf'>) {
  const { t, format } = useIntegrationText()
  const { administration } = t
  const { columns } = administration
  const nameOf = ({ name }: Credential) => name ?? administration.wholeCompany
  return (
    <DataTable
      {...props}
      keyOf={({ id }) => id}
      columns={[
        { title: administration.keyName, isRowHeader: true, isLong: true, value: nameOf },
        { key: 'kind', title: columns.kind, isOptional: true, value: ({ kind }) => administration.kinds[kind] },
        { value: 'id', title: columns.id, isOptional: true },
        {
          key: 'scopes',
          title: administration.scopes,
          isLong: true,
          value: ({ scopes }) => scopes.map((scope) => format.code(administration.scopeNames, scope)).join(', '),
        },
        {
          key: 'state',
          title: t.table.state,
          value: ({ state }) => administration.keyStates[state],
          badge: ({ state }) => (state === 'live' ? 'Godkjent' : 'Avvist'),
        },
        { value: 'lastUsedAt', title: t.table.lastUsed, type: 'timestamp', unknown: administration.neverUsed },
        { value: 'succeededAt', title: columns.succeeded, type: 'timestamp', isOptional: true },
        {
          key: 'rejected',
          title: columns.rejected,
          type: 'timestamp',
          isLong: true,
          value: ({ lastRejectedCall }) => lastRejectedCall?.at,
          show: ({ id, name, lastRejectedCall: call }) =>
            call !== null && (
              <>
                {format.timestamp(call.at)} {call.text}{' '}
                <Link
                  to="/app/administrasjon"
                  search={{ vis: 'kall', id: call.requestId }}
                  aria-label={`${t.calls.show}: ${name ?? id}, ${call.requestId}`}
                >
                  {t.calls.show}
                </Link>
              </>
            ),
        },
        { value: 'expiresAt', title: columns.expires, type: 'timestamp', unknown: administration.neverExpires },
        { key: 'networks', title: columns.networks, isOptional: true, value: (one) => one.allowedNetworks?.join(' ') },
        {
          key: 'alert',
          title: t.alerts.title,
          isLong: true,
          value: ({ alertRule }) =>
            alertRule &&
            (alertRule.raisedAt === null
              ? t.alerts.expectedEvery(alertRule.hours)
              : t.alerts.silent(format.timestamp(alertRule.raisedAt))),
          badge: ({ alertRule }) => alertRule !== null && alertRule.raisedAt !== null && 'warning-tag',
        },
      ]}
    />
  )
}
