// Keys and passwords of integrations: list, create, renew, revoke.
import type { Administration, CreatedCredential, Credential } from '../../../src/app/contract/administration.ts'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAdminAction } from './api.ts'
import { EmptyState } from '../../components/QueryStates.tsx'
import { FieldNamesSwitch } from '../../components/Table.tsx'
import { administrationText } from '../../i18n/administration.ts'
import { integrationText } from './integrations-i18n.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { NewCredential } from './NewCredential.tsx'
import { SecretReveal } from './SecretReveal.tsx'
import { CredentialAlertRule } from './AlertRules.tsx'
import { ActionDialog } from '../../components/Dialog.tsx'
import { RowButton } from '../../components/RowButton.tsx'

export function Credentials({ credentials, scopes }: Pick<Administration, 'credentials' | 'scopes'>) {
  const { t } = useTranslation(administrationText, integrationText)
  const [isAdding, setAdding] = useState(false)
  const [acting, setActing] = useState<{ credential: Credential; actionName: 'forny' | 'trekk' } | null>(null)
  const [alertFor, setAlertFor] = useState<Credential | null>(null)
  const [created, setCreated] = useState<CreatedCredential | null>(null)
  const active = credentials.filter(({ state }) => state !== 'revoked').toReversed()
  const revoked = credentials.filter(({ state }) => state === 'revoked').toReversed()
  const finish = (reply: CreatedCredential | null) => {
    setAdding(false)
    setActing(null)
    setCreated(reply)
  }
  const nameOf = ({ name }: Pick<Credential, 'name'>) => name ?? t.administration.wholeCompany
  return (
    <section aria-label={t.administration.keys}>
      <div className="toolbar">
        <Button onClick={() => setAdding(true)}>{t.administration.newCredential}</Button>
        <FieldNamesSwitch />
      </div>
      {active.length === 0 && <EmptyState title={t.administration.noKeys}>{t.administration.noKeysText}</EmptyState>}
      <ul className="card-list">
        {active.map((one) => (
          <li key={one.id} className="panel">
            <CredentialFacts credential={one} />
            <div className="actions">
              {(['forny', 'trekk'] as const).map((actionName) => (
                <RowButton
                  key={actionName}
                  label={t.administration.keyActions[actionName]}
                  of={`${nameOf(one)}, ${one.id}`}
                  variant={actionName === 'forny' ? 'default' : 'subtle'}
                  onClick={() => setActing({ credential: one, actionName })}
                />
              ))}
              <RowButton
                label={t.alerts.title}
                of={`${nameOf(one)}, ${one.id}`}
                variant="subtle"
                onClick={() => setAlertFor(one)}
              />
            </div>
          </li>
        ))}
      </ul>
      {revoked.length > 0 && (
        <details className="page-section">
          <summary>{t.administration.revoked(revoked.length)}</summary>
          <ul className="card-list">
            {revoked.map((one) => (
              <li key={one.id} className="panel">
                <CredentialFacts credential={one} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {isAdding && <NewCredential scopes={scopes} onClose={() => finish(null)} onCreated={finish} />}
      {acting !== null && <ActOnCredential {...acting} onClose={() => finish(null)} onDone={finish} />}
      {alertFor !== null && <CredentialAlertRule credential={alertFor} onClose={() => setAlertFor(null)} />}
      {created !== null && (
        <SecretReveal
          title={t.administration.credentialOf[created.kind](nameOf(created))}
          text={t.administration.shownOnce[created.kind]}
          secret={created.secret}
          onClose={() => setCreated(null)}
        />
      )}
    </section>
  )
}

function CredentialFacts({ credential }: { credential: Credential }) {
  const { t, format } = useTranslation(administrationText, integrationText)
  const { id, kind, state, scopes, allowedNetworks, expiresAt, lastUsedAt, alertRule } = credential
  const { succeededAt, lastRejectedCall } = credential
  const { administration } = t
  const name = credential.name ?? administration.wholeCompany
  const scopeNames: Readonly<Record<string, string>> = administration.scopeNames
  return (
    <>
      <div className="card-line">
        <span>
          <strong>{name}</strong>{' '}
          <span className="muted">
            {administration.kinds[kind]} <code>{id}</code>
          </span>
        </span>
        <span className={`status-badge ${state === 'live' ? 'Godkjent' : 'Avvist'}`}>
          {administration.keyStates[state]}
        </span>
      </div>
      <p>
        <span className="long-word" title={scopes.join(' ')}>
          {scopes.map((scope) => scopeNames[scope] ?? scope).join(', ')}
        </span>
      </p>
      <p className="muted">
        {lastUsedAt === null ? administration.neverUsed : administration.used(format.timestamp(lastUsedAt))}
        {' · '}
        {expiresAt === null ? administration.neverExpires : administration.expires(format.timestamp(expiresAt))}
        {allowedNetworks !== null && ` · ${administration.from(allowedNetworks.join(' '))}`}
        {alertRule !== null && ` · ${t.alerts.expectedEvery(alertRule.hours)}`}
      </p>
      {(succeededAt !== null || lastRejectedCall !== null) && (
        <p className="muted">
          {succeededAt !== null && t.calls.succeeded(format.timestamp(succeededAt))}
          {succeededAt !== null && lastRejectedCall !== null && ' · '}
          {lastRejectedCall !== null && (
            <>
              {t.calls.lastRejected(format.timestamp(lastRejectedCall.at))} {lastRejectedCall.text}{' '}
              <Link
                to="/app/administrasjon"
                search={{ vis: 'kall', id: lastRejectedCall.requestId }}
                aria-label={`${t.calls.show}: ${name}, ${lastRejectedCall.requestId}`}
              >
                {t.calls.show}
              </Link>
            </>
          )}
        </p>
      )}
      {alertRule !== null && alertRule.raisedAt !== null && (
        <p>
          <span className="warning-tag">{t.alerts.silent(format.timestamp(alertRule.raisedAt))}</span>
        </p>
      )}
    </>
  )
}

interface ActOnCredentialProps {
  readonly credential: Credential
  readonly actionName: 'forny' | 'trekk'
  readonly onClose: () => void
  readonly onDone: (created: CreatedCredential | null) => void
}

const keyEndpoints = { forny: 'keyRotate', trekk: 'keyRevoke' } as const

function ActOnCredential({ credential, actionName, onClose, onDone }: ActOnCredentialProps) {
  const { t } = useTranslation(administrationText)
  const action = useAdminAction<(typeof keyEndpoints)[keyof typeof keyEndpoints]>((created) =>
    onDone('secret' in created ? created : null),
  )
  const name = credential.name ?? t.administration.wholeCompany
  return (
    <ActionDialog
      title={`${t.administration.keyActions[actionName]}: ${name}`}
      submit={t.administration.keyActions[actionName]}
      action={action}
      isDestructive={actionName === 'trekk'}
      onClose={onClose}
      onSubmit={() => action.mutate({ endpoint: keyEndpoints[actionName], fields: { id: credential.id } })}
    >
      <p>{t.administration.keyActionTexts[actionName]}</p>
    </ActionDialog>
  )
}
