// Passkeys of the account: create, list, delete.
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { accountQuery, useAccountAction, type Account } from './api.ts'
import { request } from '../../api/client.ts'
import { browserName } from './browser-name.ts'
import { formatTimestamp } from '../../api/format.ts'
import { supportsPasskeys, createPasskey } from '../../api/passkey.ts'
import { useSession } from '../../api/session.ts'
import { useReauthentication } from '../../components/Reauthenticate.tsx'
import { accountText } from '../../i18n/account.ts'
import { useTranslation } from '../../i18n/translation.tsx'

export function Passkeys({ passkeys }: Pick<Account, 'passkeys'>) {
  const { t, language } = useTranslation(accountText)
  const { zone } = useSession()
  const client = useQueryClient()
  const reauthentication = useReauthentication()
  const deletion = useAccountAction(reauthentication.run)
  const creation = useMutation({
    mutationFn: async () => {
      const created = await reauthentication.run(createPasskey)
      if (created !== null) await request('POST', '/app/data/konto/passnokler', created)
    },
    onSettled: () => client.invalidateQueries({ queryKey: accountQuery.queryKey }),
  })
  const error = creation.error ?? deletion.error
  return (
    <section className="panel" aria-labelledby="passkeys">
      <h2 id="passkeys">{t.passkeys.title}</h2>
      <p>{t.passkeys.text}</p>
      {error !== null && (
        <p className="problem" role="alert">
          {error.message}
        </p>
      )}
      <ul className="card-list">
        {passkeys.map(({ id, agent, createdAt, usedAt }) => {
          const name = browserName(agent) || t.sessions.unknown
          const since = formatTimestamp(createdAt, language, zone)
          return (
            <li key={id}>
              <strong>{name}</strong>
              <p className="muted">
                {usedAt === null
                  ? t.passkeys.unused(since)
                  : t.sessions.lastUsed(since, formatTimestamp(usedAt, language, zone))}
              </p>
              <Button
                size="sm"
                variant="subtle"
                aria-label={`${t.sessions.remove}: ${name}, ${since}`}
                onClick={() => deletion.mutate({ path: 'passnokler/slutt', fields: { id } })}
              >
                {t.sessions.remove}
              </Button>
            </li>
          )
        })}
      </ul>
      {supportsPasskeys && (
        <Button
          size="sm"
          variant="default"
          loading={creation.isPending}
          onClick={() => creation.mutate()}
        >
          {t.passkeys.create}
        </Button>
      )}
    </section>
  )
}
