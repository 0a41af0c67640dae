// Passkeys of the account: create, list, delete.
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { accountQuery, useAccountAct, type Account } from './api.ts'
import { act } from '../../api/client.ts'
import { browserName } from './browser-name.ts'
import { momentText } from '../../api/format.ts'
import { knowsPasskeys, makePasskey } from '../../api/passkey.ts'
import { useSession } from '../../api/session.ts'
import { useGrave } from '../../components/Reauthenticate.tsx'
import { accountText } from '../../i18n/account.ts'
import { useText } from '../../i18n/translation.tsx'

export function Passkeys({ passkeys }: Pick<Account, 'passkeys'>) {
  const { say, language } = useText(accountText)
  const { zone } = useSession()
  const client = useQueryClient()
  const grave = useGrave()
  const ending = useAccountAct(grave.run)
  const making = useMutation({
    mutationFn: async () => {
      const made = await grave.run(makePasskey)
      if (made !== null) await act('POST', '/app/data/konto/passnokler', made)
    },
    onSettled: () => client.invalidateQueries({ queryKey: accountQuery.queryKey }),
  })
  const error = making.error ?? ending.error
  return (
    <section className="panel" aria-labelledby="passkeys">
      <h2 id="passkeys">{say.passkeys.title}</h2>
      <p>{say.passkeys.text}</p>
      {error !== null && (
        <p className="problem" role="alert">
          {error.message}
        </p>
      )}
      <ul className="card-list">
        {passkeys.map(({ id, agent, createdAt, usedAt }) => {
          const name = browserName(agent) || say.places.unknown
          const since = momentText(createdAt, language, zone)
          return (
            <li key={id}>
              <strong>{name}</strong>
              <p className="muted">
                {usedAt === null
                  ? say.passkeys.unused(since)
                  : say.places.seen(since, momentText(usedAt, language, zone))}
              </p>
              <Button
                size="sm"
                variant="subtle"
                aria-label={`${say.places.distrust}: ${name}, ${since}`}
                onClick={() => ending.mutate({ path: 'passnokler/slutt', fields: { id } })}
              >
                {say.places.distrust}
              </Button>
            </li>
          )
        })}
      </ul>
      {knowsPasskeys && (
        <Button
          size="sm"
          variant="default"
          loading={making.isPending}
          onClick={() => making.mutate()}
        >
          {say.passkeys.make}
        </Button>
      )}
      {grave.dialog}
    </section>
  )
}
