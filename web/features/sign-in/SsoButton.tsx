// SsoButton: sign-in by the identity provider, and the error of a failed attempt.
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { leaveFor, providerQuery, whereWeAre } from '../../api/sso.ts'
import { signInText } from '../../i18n/sign-in.ts'
import { useText } from '../../i18n/translation.tsx'
import './SsoButton.css'

export function SignOnButton({ outcome }: { outcome: string | null }) {
  const { say } = useText(signInText)
  const { data: name = null } = useQuery(providerQuery)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  if (name === null) return null
  const outcomes: Readonly<Record<string, string>> = say.signOn.outcomes
  const told = problem ?? (outcome === null ? null : (outcomes[outcome] ?? null))
  const leave = async () => {
    setBusy(true)
    setProblem(null)
    try {
      await leaveFor('/app/sso', { to: withoutOutcome(whereWeAre()) })
    } catch (error) {
      setBusy(false)
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <div className="sign-on">
      {told !== null && (
        <p className="problem" role="alert">
          {told}
        </p>
      )}
      <Button variant="default" size="md" fullWidth loading={isBusy} onClick={() => void leave()}>
        {say.signOn.with(name)}
      </Button>
      <p className="or-divider" aria-hidden="true">
        {say.signOn.or}
      </p>
    </div>
  )
}

/** The next attempt adds its own outcome. */
function withoutOutcome(path: string): string {
  return path.replace(/[?&]sso=\w+/, '')
}
