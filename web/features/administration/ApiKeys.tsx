// API keys: list, create, renew, revoke.
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useAdministering, type Administration, type Key, type MadeKey } from './api.ts'
import { momentText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { useGrave } from '../../components/Reauthenticate.tsx'
import { State } from '../../components/QueryStates.tsx'
import { administrationText } from '../../i18n/administration.ts'
import { useText } from '../../i18n/translation.tsx'
import { Asking } from '../../components/ActionDialog.tsx'
import { NewKey } from './NewKey.tsx'
import { Once } from './SecretReveal.tsx'
import { KeyWatch } from './AlertRules.tsx'

export function Keys({ keys, scopes }: Pick<Administration, 'keys' | 'scopes'>) {
  const { say } = useText(administrationText)
  const [isAdding, setAdding] = useState(false)
  const [acting, setActing] = useState<{ apiKey: Key; path: 'forny' | 'trekk' } | null>(null)
  const [watched, setWatched] = useState<Key | null>(null)
  const [made, setMade] = useState<MadeKey | null>(null)
  const alive = keys.filter(({ state }) => state !== 'revoked').toReversed()
  const revoked = keys.filter(({ state }) => state === 'revoked').toReversed()
  const closed = (answer: MadeKey | null) => {
    setAdding(false)
    setActing(null)
    setMade(answer)
  }
  return (
    <section aria-label={say.administration.keys}>
      <div className="toolbar">
        <Button size="sm" onClick={() => setAdding(true)}>
          {say.administration.newKey}
        </Button>
      </div>
      {alive.length === 0 && (
        <State title={say.administration.noKeys}>{say.administration.noKeysText}</State>
      )}
      <ul className="card-list">
        {alive.map((key) => (
          <li key={key.id} className="panel">
            <KeyFacts apiKey={key} />
            <div className="actions">
              {(['forny', 'trekk'] as const).map((path) => (
                <Button
                  key={path}
                  size="sm"
                  variant={path === 'forny' ? 'default' : 'subtle'}
                  aria-label={`${say.administration.keyActs[path]}: ${key.name}, ${key.id}`}
                  onClick={() => setActing({ apiKey: key, path })}
                >
                  {say.administration.keyActs[path]}
                </Button>
              ))}
              <Button
                size="sm"
                variant="subtle"
                aria-label={`${say.watches.alarm}: ${key.name}, ${key.id}`}
                onClick={() => setWatched(key)}
              >
                {say.watches.alarm}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {revoked.length > 0 && (
        <details className="page-section">
          <summary>{say.administration.revokedKeys(revoked.length)}</summary>
          <ul className="card-list">
            {revoked.map((key) => (
              <li key={key.id} className="panel">
                <KeyFacts apiKey={key} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {isAdding && <NewKey scopes={scopes} onClose={() => closed(null)} onMade={closed} />}
      {acting !== null && <Ending {...acting} onClose={() => closed(null)} onDone={closed} />}
      {watched !== null && <KeyWatch apiKey={watched} onClose={() => setWatched(null)} />}
      {made !== null && (
        <Once
          title={say.administration.keyMade(made.name)}
          text={say.administration.once}
          secret={made.key}
          onClose={() => setMade(null)}
        />
      )}
    </section>
  )
}

function KeyFacts({ apiKey }: { apiKey: Key }) {
  const { say, language } = useText(administrationText)
  const { zone } = useSession()
  const { name, id, state, scopes, addresses, expiresAt, lastUsedAt, watch } = apiKey
  const { succeededAt, refused } = apiKey
  const moment = (at: number) => momentText(at, language, zone)
  const { administration } = say
  const rights: Readonly<Record<string, string>> = administration.rights
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
        <span className="rights" title={scopes.join(' ')}>
          {scopes.map((scope) => rights[scope] ?? scope).join(', ')}
        </span>
      </p>
      <p className="muted">
        {lastUsedAt === null ? administration.neverUsed : administration.used(moment(lastUsedAt))}
        {' · '}
        {expiresAt === null
          ? administration.neverExpires
          : administration.expires(moment(expiresAt))}
        {addresses !== null && ` · ${administration.from(addresses.join(' '))}`}
        {watch !== null && ` · ${say.watches.every(watch.hours)}`}
      </p>
      {(succeededAt !== null || refused !== null) && (
        <p className="muted">
          {succeededAt !== null && say.calls.succeeded(moment(succeededAt))}
          {succeededAt !== null && refused !== null && ' · '}
          {refused !== null && (
            <>
              {say.calls.refused(moment(refused.at))} {refused.text}{' '}
              <Link
                to="/app/administrasjon"
                search={{ vis: 'kall', id: refused.requestId }}
                aria-label={`${say.calls.show}: ${name}, ${refused.requestId}`}
              >
                {say.calls.show}
              </Link>
            </>
          )}
        </p>
      )}
      {watch !== null && watch.raisedAt !== null && (
        <p>
          <span className="warning-tag">{say.watches.silent(moment(watch.raisedAt))}</span>
        </p>
      )}
    </>
  )
}

interface EndingProps {
  readonly apiKey: Key
  readonly path: 'forny' | 'trekk'
  readonly onClose: () => void
  readonly onDone: (made: MadeKey | null) => void
}

function Ending({ apiKey, path, onClose, onDone }: EndingProps) {
  const { say } = useText(administrationText)
  const grave = useGrave()
  const { mutate, isPending, error } = useAdministering<MadeKey>(grave.run, (made) =>
    onDone(path === 'forny' ? made : null),
  )
  return (
    <>
      <Asking
        title={`${say.administration.keyActs[path]}: ${apiKey.name}`}
        submit={say.administration.keyActs[path]}
        isBusy={isPending}
        error={error}
        onClose={onClose}
        onSubmit={() => mutate({ path: `nokler/${path}`, fields: { id: apiKey.id } })}
      >
        <p>{say.administration.keyActTexts[path]}</p>
      </Asking>
      {grave.dialog}
    </>
  )
}
