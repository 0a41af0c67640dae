// Passkeys of the account: create, list, delete.
import type { Account } from '../../../src/app/contract/account.ts'
import { Button } from '@mantine/core'
import { useAccountAction } from './api.ts'
import { post } from '../../api/client.ts'
import { browserName } from './browser-name.ts'
import { supportsPasskeys, createPasskey } from '../../api/passkey.ts'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { useAction } from '../../components/use-action.ts'
import { accountText } from '../../i18n/account.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { RowButton } from '../../components/RowButton.tsx'

export function Passkeys({ passkeys }: Pick<Account, 'passkeys'>) {
  const { t, format } = useTranslation(accountText)
  const deletion = useAccountAction('accountPasskeyEnd')
  const creation = useAction(
    async () => {
      const created = await createPasskey()
      if (created !== null) await post('accountPasskey', created)
    },
    { refreshes: ['account'] },
  )
  const error = creation.error ?? deletion.error
  return (
    <section className="panel" aria-labelledby="passkeys">
      <h2 id="passkeys">{t.passkeys.title}</h2>
      <p>{t.passkeys.text}</p>
      <ErrorAlert error={error} />
      <ul className="card-list">
        {passkeys.map(({ id, agent, createdAt, usedAt }) => {
          const name = browserName(agent) || t.sessions.unknown
          const since = format.timestamp(createdAt)
          return (
            <li key={id}>
              <strong>{name}</strong>
              <p className="muted">
                {usedAt === null ? t.passkeys.unused(since) : t.sessions.lastUsed(since, format.timestamp(usedAt))}
              </p>
              <RowButton
                label={t.sessions.remove}
                of={`${name}, ${since}`}
                variant="subtle"
                onClick={() => deletion.mutate({ id })}
              />
            </li>
          )
        })}
      </ul>
      {supportsPasskeys && (
        <Button variant="default" loading={creation.isPending} onClick={() => creation.mutate()}>
          {t.passkeys.create}
        </Button>
      )}
    </section>
  )
}
