// Links the account with the identity provider, or unlinks it.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useAccountAct, type Account } from './api.ts'
import { momentText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { leaveFor, signOnOutcome } from '../../api/sso.ts'
import { useGrave } from '../../components/Reauthenticate.tsx'
import { signInText } from '../../i18n/sign-in.ts'
import { useText } from '../../i18n/translation.tsx'

export function Linked({ account, name }: { account: Account; name: string }) {
  const { say, language } = useText(signInText)
  const { zone } = useSession()
  const grave = useGrave()
  const unlinking = useAccountAct(grave.run)
  const [problem, setProblem] = useState<string | null>(null)
  const outcomes: Readonly<Record<string, string>> = say.signOn.outcomes
  const [identity] = account.identities
  const link = async () => {
    setProblem(null)
    try {
      await grave.run(() => leaveFor('/app/data/konto/sso'))
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  const told =
    problem ??
    unlinking.error?.message ??
    (signOnOutcome === null ? undefined : outcomes[signOnOutcome])
  return (
    <section className="panel" aria-labelledby="linked">
      <h2 id="linked">{say.signOn.title(name)}</h2>
      <p>
        {identity === undefined
          ? say.signOn.notLinked(name)
          : say.signOn.linkedSince(name, momentText(identity.createdAt, language, zone))}
      </p>
      {told !== undefined && (
        <p className="problem" role="alert">
          {told}
        </p>
      )}
      {account.via !== 'provider' && (
        <div className="actions">
          {identity === undefined ? (
            <Button size="sm" variant="default" onClick={() => void link()}>
              {say.signOn.link(name)}
            </Button>
          ) : (
            <Button
              size="sm"
              variant="subtle"
              loading={unlinking.isPending}
              onClick={() => unlinking.mutate({ path: 'sso/fjern' })}
            >
              {say.signOn.unlink}
            </Button>
          )}
        </div>
      )}
      {grave.dialog}
    </section>
  )
}
