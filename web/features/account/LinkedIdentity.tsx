// Links the account with the identity provider, or unlinks it.
import type { Account } from '../../../src/app/contract/account.ts'
import { post } from '../../api/client.ts'
import { appPaths } from '../../../src/app/contract/paths.ts'
import { Button } from '@mantine/core'
import { useAccountAction } from './api.ts'
import { redirectToProvider, ssoOutcome } from '../../api/sso.ts'
import { useAction } from '../../components/use-action.ts'
import { signInText } from '../../i18n/sign-in.ts'
import { useTranslation } from '../../i18n/translation.tsx'

export function LinkedIdentity({ account, name }: { account: Account; name: string }) {
  const { t, format } = useTranslation(signInText)
  const unlinking = useAccountAction(appPaths.accountIdentityEnd)
  const linking = useAction(() => redirectToProvider(() => post(appPaths.accountIdentity, {})), { refreshes: [] })
  const outcomes: Readonly<Record<string, string>> = t.sso.outcomes
  const [identity] = account.identities
  const message = linking.error?.message ?? unlinking.error?.message ?? outcomes[ssoOutcome ?? '']
  return (
    <section className="panel" aria-labelledby="linked">
      <h2 id="linked">{t.sso.title(name)}</h2>
      <p>
        {identity === undefined ? t.sso.notLinked(name) : t.sso.linkedSince(name, format.timestamp(identity.createdAt))}
      </p>
      {message !== undefined && (
        <p className="problem" role="alert">
          {message}
        </p>
      )}
      {account.via !== 'provider' && (
        <div className="actions">
          {identity === undefined ? (
            <Button variant="default" onClick={() => linking.mutate()}>
              {t.sso.link(name)}
            </Button>
          ) : (
            <Button variant="subtle" loading={unlinking.isPending} onClick={() => unlinking.mutate({})}>
              {t.sso.unlink}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}
