// API keys: list, create, renew, revoke.
import { appPaths } from '../../../src/app/contract/paths.ts'
import type {
  Administration,
  ApiKey,
  CreatedKey,
} from '../../../src/app/contract/administration.ts'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAdminAction } from './api.ts'
import { EmptyState } from '../../components/QueryStates.tsx'
import { administrationText } from '../../i18n/administration.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { NewKey } from './NewKey.tsx'
import { SecretReveal } from './SecretReveal.tsx'
import { KeyAlertRule } from './AlertRules.tsx'
import { ActionDialog } from '../../components/Dialog.tsx'

export function ApiKeys({ keys, scopes }: Pick<Administration, 'keys' | 'scopes'>) {
  const { t } = useTranslation(administrationText)
  const [isAdding, setAdding] = useState(false)
  const [acting, setActing] = useState<{ apiKey: ApiKey; path: 'forny' | 'trekk' } | null>(null)
  const [alertKey, setAlertKey] = useState<ApiKey | null>(null)
  const [created, setCreated] = useState<CreatedKey | null>(null)
  const active = keys.filter(({ state }) => state !== 'revoked').toReversed()
  const revoked = keys.filter(({ state }) => state === 'revoked').toReversed()
  const finish = (reply: CreatedKey | null) => {
    setAdding(false)
    setActing(null)
    setCreated(reply)
  }
  return (
    <section aria-label={t.administration.keys}>
      <div className="toolbar">
        <Button size="sm" onClick={() => setAdding(true)}>
          {t.administration.newKey}
        </Button>
      </div>
      {active.length === 0 && (
        <EmptyState title={t.administration.noKeys}>{t.administration.noKeysText}</EmptyState>
      )}
      <ul className="card-list">
        {active.map((key) => (
          <li key={key.id} className="panel">
            <ApiKeyFacts apiKey={key} />
            <div className="actions">
              {(['forny', 'trekk'] as const).map((path) => (
                <Button
                  key={path}
                  size="sm"
                  variant={path === 'forny' ? 'default' : 'subtle'}
                  aria-label={`${t.administration.keyActions[path]}: ${key.name}, ${key.id}`}
                  onClick={() => setActing({ apiKey: key, path })}
                >
                  {t.administration.keyActions[path]}
                </Button>
              ))}
              <Button
                size="sm"
                variant="subtle"
                aria-label={`${t.alerts.title}: ${key.name}, ${key.id}`}
                onClick={() => setAlertKey(key)}
              >
                {t.alerts.title}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {revoked.length > 0 && (
        <details className="page-section">
          <summary>{t.administration.revokedKeys(revoked.length)}</summary>
          <ul className="card-list">
            {revoked.map((key) => (
              <li key={key.id} className="panel">
                <ApiKeyFacts apiKey={key} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {isAdding && <NewKey scopes={scopes} onClose={() => finish(null)} onCreated={finish} />}
      {acting !== null && (
        <KeyActionDialog {...acting} onClose={() => finish(null)} onDone={finish} />
      )}
      {alertKey !== null && <KeyAlertRule apiKey={alertKey} onClose={() => setAlertKey(null)} />}
      {created !== null && (
        <SecretReveal
          title={t.administration.keyCreated(created.name)}
          text={t.administration.keyShownOnce}
          secret={created.key}
          onClose={() => setCreated(null)}
        />
      )}
    </section>
  )
}

function ApiKeyFacts({ apiKey }: { apiKey: ApiKey }) {
  const { t, format } = useTranslation(administrationText)
  const { name, id, state, scopes, allowedNetworks, expiresAt, lastUsedAt, alertRule } = apiKey
  const { succeededAt, lastRejectedCall } = apiKey
  const moment = (at: number) => format.timestamp(at)
  const { administration } = t
  const scopeNames: Readonly<Record<string, string>> = administration.scopeNames
  return (
    <>
      <div className="card-line">
        <span>
          <strong>{name}</strong> <code className="muted">{id}</code>
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
        {lastUsedAt === null ? administration.neverUsed : administration.used(moment(lastUsedAt))}
        {' · '}
        {expiresAt === null
          ? administration.neverExpires
          : administration.expires(moment(expiresAt))}
        {allowedNetworks !== null && ` · ${administration.from(allowedNetworks.join(' '))}`}
        {alertRule !== null && ` · ${t.alerts.expectedEvery(alertRule.hours)}`}
      </p>
      {(succeededAt !== null || lastRejectedCall !== null) && (
        <p className="muted">
          {succeededAt !== null && t.calls.succeeded(moment(succeededAt))}
          {succeededAt !== null && lastRejectedCall !== null && ' · '}
          {lastRejectedCall !== null && (
            <>
              {t.calls.lastRejected(moment(lastRejectedCall.at))} {lastRejectedCall.text}{' '}
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
          <span className="warning-tag">{t.alerts.silent(moment(alertRule.raisedAt))}</span>
        </p>
      )}
    </>
  )
}

interface KeyActionDialogProps {
  readonly apiKey: ApiKey
  readonly path: 'forny' | 'trekk'
  readonly onClose: () => void
  readonly onDone: (created: CreatedKey | null) => void
}

const keyPaths = { forny: appPaths.keyRotate, trekk: appPaths.keyRevoke } as const

function KeyActionDialog({ apiKey, path, onClose, onDone }: KeyActionDialogProps) {
  const { t } = useTranslation(administrationText)
  const { mutate, isPending, error } = useAdminAction<(typeof keyPaths)[keyof typeof keyPaths]>(
    (created) => onDone('key' in created ? created : null),
  )
  return (
    <ActionDialog
      title={`${t.administration.keyActions[path]}: ${apiKey.name}`}
      submit={t.administration.keyActions[path]}
      isBusy={isPending}
      error={error}
      onClose={onClose}
      onSubmit={() => mutate({ path: keyPaths[path], fields: { id: apiKey.id } })}
    >
      <p>{t.administration.keyActionTexts[path]}</p>
    </ActionDialog>
  )
}
