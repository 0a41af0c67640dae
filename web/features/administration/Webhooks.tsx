// Webhooks: status, add, rotate secret, delete.
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAdministering } from './api.ts'
import { momentText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { webhooksQuery, type MadeSecret, type Webhook } from './webhooks-api.ts'
import { useGrave } from '../../components/Reauthenticate.tsx'
import { Fetched, State } from '../../components/QueryStates.tsx'
import { administrationText } from '../../i18n/administration.ts'
import { useText } from '../../i18n/translation.tsx'
import { Asking } from '../../components/ActionDialog.tsx'
import { Deliveries, Outcome } from './Deliveries.tsx'
import { NewWebhook } from './NewWebhook.tsx'
import { Once } from './SecretReveal.tsx'

export function Webhooks() {
  const { say } = useText(administrationText)
  const [isAdding, setAdding] = useState(false)
  const [acting, setActing] = useState<Acting | null>(null)
  const [opened, setOpened] = useState<Webhook | null>(null)
  const [made, setMade] = useState<MadeSecret | null>(null)
  const closed = (answer: MadeSecret | null) => {
    setAdding(false)
    setActing(null)
    setMade(answer)
  }
  return (
    <section aria-label={say.webhooks.title}>
      <div className="toolbar">
        <Button size="sm" onClick={() => setAdding(true)}>
          {say.webhooks.add}
        </Button>
      </div>
      <Fetched query={useQuery(webhooksQuery)}>
        {({ webhooks, events }) => (
          <>
            {webhooks.length === 0 && (
              <State title={say.webhooks.none}>{say.webhooks.noneText}</State>
            )}
            <ul className="card-list">
              {webhooks.map((webhook) => (
                <li key={webhook.id} className="panel">
                  <WebhookFacts webhook={webhook} />
                  <Acts webhook={webhook} onAct={setActing} onOpen={setOpened} />
                </li>
              ))}
            </ul>
            {isAdding && (
              <NewWebhook events={events} onClose={() => closed(null)} onMade={closed} />
            )}
          </>
        )}
      </Fetched>
      {acting !== null && <Doing {...acting} onClose={() => closed(null)} onDone={closed} />}
      {opened !== null && <Deliveries webhook={opened} onClose={() => setOpened(null)} />}
      {made !== null && (
        <Once
          title={say.webhooks.secretOf(made.url)}
          text={say.webhooks.once}
          secret={made.secret}
          onClose={() => setMade(null)}
        />
      )}
    </section>
  )
}

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { say, language } = useText(administrationText)
  const { zone } = useSession()
  const { webhooks } = say
  const { id, url, events, createdAt, disabledAt, bothUntil, last } = webhook
  const moment = (at: number) => momentText(at, language, zone)
  return (
    <>
      <div className="card-line">
        <span>
          <strong className="long-word">{url}</strong> <code className="muted">{id}</code>
        </span>
        <span className={`status-badge ${disabledAt === null ? 'Godkjent' : 'Avvist'}`}>
          {disabledAt === null ? webhooks.on : webhooks.off}
        </span>
      </div>
      <p>
        {events.length === 0 ? (
          webhooks.allEvents
        ) : (
          <code className="rights">{events.join(' ')}</code>
        )}
      </p>
      <p className="muted">
        {webhooks.since(moment(createdAt))}
        {bothUntil !== null && ` · ${webhooks.both(moment(bothUntil))}`}
      </p>
      <p className="muted">
        {last === null ? (
          webhooks.neverTold
        ) : (
          <>
            {webhooks.last(last.type, moment(last.at))} <Outcome delivery={last} />
          </>
        )}
      </p>
      {disabledAt !== null && (
        <p>
          <span className="warning-tag">{webhooks.offSince(moment(disabledAt))}</span>
        </p>
      )}
    </>
  )
}

type Act = 'prov' | 'forny' | 'apne' | 'fjern'

interface Acting {
  readonly webhook: Webhook
  readonly path: Act
}

interface ActsProps {
  readonly webhook: Webhook
  readonly onAct: (acting: Acting) => void
  readonly onOpen: (webhook: Webhook) => void
}

function Acts({ webhook, onAct, onOpen }: ActsProps) {
  const { webhooks } = useText(administrationText).say
  const about = `${webhook.url}, ${webhook.id}`
  const first: Act = webhook.disabledAt === null ? 'prov' : 'apne'
  return (
    <div className="actions">
      <Button
        size="sm"
        variant="default"
        aria-label={`${webhooks.deliveries}: ${about}`}
        onClick={() => onOpen(webhook)}
      >
        {webhooks.deliveries}
      </Button>
      {([first, 'forny', 'fjern'] as const).map((path) => (
        <Button
          key={path}
          size="sm"
          variant={path === 'fjern' ? 'subtle' : 'default'}
          aria-label={`${webhooks.acts[path]}: ${about}`}
          onClick={() => onAct({ webhook, path })}
        >
          {webhooks.acts[path]}
        </Button>
      ))}
    </div>
  )
}

interface DoingProps extends Acting {
  readonly onClose: () => void
  readonly onDone: (made: MadeSecret | null) => void
}

function Doing({ webhook, path, onClose, onDone }: DoingProps) {
  const { webhooks } = useText(administrationText).say
  const grave = useGrave()
  const { mutate, isPending, error } = useAdministering<MadeSecret>(grave.run, (made) =>
    onDone(path === 'forny' ? made : null),
  )
  return (
    <>
      <Asking
        title={`${webhooks.acts[path]}: ${webhook.url}`}
        submit={webhooks.acts[path]}
        isBusy={isPending}
        error={error}
        onClose={onClose}
        onSubmit={() => mutate({ path: `webhooks/${path}`, fields: { id: String(webhook.id) } })}
      >
        <p>{webhooks.actTexts[path]}</p>
      </Asking>
      {grave.dialog}
    </>
  )
}
