// Sessions and trusted browsers of the account, each of which can be ended.
import type { Account, SessionOrDevice } from '../../../src/app/contract/account.ts'
import { Button } from '@mantine/core'
import { useAccountAction } from './api.ts'
import { browserName } from './browser-name.ts'
import { RowButton } from '../../components/RowButton.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { accountText } from '../../i18n/account.ts'
import { useTranslation } from '../../i18n/translation.tsx'

export function Sessions({ account: { sessions, devices } }: { account: Account }) {
  const { t } = useTranslation(accountText)
  const ending = useAccountAction('accountSessionEnd')
  const removal = useAccountAction('accountDeviceEnd')
  const error = ending.error ?? removal.error
  return (
    <>
      <ErrorAlert error={error} />
      <section className="panel" aria-labelledby="sessions">
        <h2 id="sessions">{t.sessions.title}</h2>
        <ul className="card-list">
          {sessions.map((session) => (
            <SessionItem
              key={session.id}
              sessionOrDevice={session}
              company={session.company}
              endLabel={t.sessions.signOutThere}
              onEnd={() => ending.mutate({ id: session.id })}
            />
          ))}
        </ul>
        {sessions.length > 1 && (
          <Button variant="default" loading={ending.isPending} onClick={() => ending.mutate({})}>
            {t.sessions.signOutElsewhere}
          </Button>
        )}
      </section>
      {devices.length > 0 && (
        <section className="panel" aria-labelledby="devices">
          <h2 id="devices">{t.sessions.devices}</h2>
          <p>{t.sessions.devicesText}</p>
          <ul className="card-list">
            {devices.map((device) => (
              <SessionItem
                key={device.id}
                sessionOrDevice={device}
                canEndCurrent
                endLabel={t.sessions.remove}
                onEnd={() => removal.mutate({ id: device.id })}
              />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

interface SessionItemProps {
  readonly sessionOrDevice: SessionOrDevice
  readonly company?: string
  /** Can be ended even when it is the current browser. */
  readonly canEndCurrent?: boolean
  readonly endLabel: string
  readonly onEnd: () => void
}

function SessionItem({ sessionOrDevice, company, canEndCurrent = false, endLabel, onEnd }: SessionItemProps) {
  const { t, format } = useTranslation(accountText)
  const name = browserName(sessionOrDevice.agent) || t.sessions.unknown
  return (
    <li>
      <div className="card-line">
        <strong>{name}</strong>
        {sessionOrDevice.isThis && <span className="status-badge Godkjent">{t.sessions.current}</span>}
      </div>
      <p className="muted">
        {company !== undefined && `${company} · `}
        {t.sessions.lastUsed(format.timestamp(sessionOrDevice.createdAt), format.timestamp(sessionOrDevice.seenAt))}
      </p>
      {(canEndCurrent || !sessionOrDevice.isThis) && (
        <RowButton label={endLabel} of={name} variant="subtle" onClick={onEnd} />
      )}
    </li>
  )
}
