// Sessions and trusted browsers of the account, each of which can be ended.
import { Button } from '@mantine/core'
import { useAccountAct, type Account, type Place } from './api.ts'
import { browserName } from './browser-name.ts'
import { momentText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { accountText } from '../../i18n/account.ts'
import { useText } from '../../i18n/translation.tsx'

export function Places({ account: { sessions, devices } }: { account: Account }) {
  const { say } = useText(accountText)
  const { mutate, error, isPending } = useAccountAct((work) => work())
  return (
    <>
      {error !== null && (
        <p className="problem" role="alert">
          {error.message}
        </p>
      )}
      <section className="panel" aria-labelledby="sessions">
        <h2 id="sessions">{say.places.sessions}</h2>
        <ul className="card-list">
          {sessions.map((session) => (
            <Item
              key={session.id}
              place={session}
              about={session.company}
              end={say.places.signOutThere}
              onEnd={() => mutate({ path: 'okter/slutt', fields: { id: session.id } })}
            />
          ))}
        </ul>
        {sessions.length > 1 && (
          <Button
            size="sm"
            variant="default"
            loading={isPending}
            onClick={() => mutate({ path: 'okter/slutt' })}
          >
            {say.places.signOutElsewhere}
          </Button>
        )}
      </section>
      {devices.length > 0 && (
        <section className="panel" aria-labelledby="devices">
          <h2 id="devices">{say.places.devices}</h2>
          <p>{say.places.devicesText}</p>
          <ul className="card-list">
            {devices.map((device) => (
              <Item
                key={device.id}
                place={device}
                isEndable
                end={say.places.distrust}
                onEnd={() => mutate({ path: 'enheter/slutt', fields: { id: device.id } })}
              />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

interface ItemProps {
  readonly place: Place
  readonly about?: string
  /** Can be ended even when it is the current browser. */
  readonly isEndable?: boolean
  readonly end: string
  readonly onEnd: () => void
}

function Item({ place, about, isEndable = false, end, onEnd }: ItemProps) {
  const { say, language } = useText(accountText)
  const { zone } = useSession()
  const name = browserName(place.agent) || say.places.unknown
  return (
    <li>
      <div className="card-line">
        <strong>{name}</strong>
        {place.isThis && <span className="status-badge Godkjent">{say.places.this}</span>}
      </div>
      <p className="muted">
        {about !== undefined && `${about} · `}
        {say.places.seen(
          momentText(place.createdAt, language, zone),
          momentText(place.seenAt, language, zone),
        )}
      </p>
      {(isEndable || !place.isThis) && (
        <Button size="sm" variant="subtle" aria-label={`${end}: ${name}`} onClick={onEnd}>
          {end}
        </Button>
      )}
    </li>
  )
}
