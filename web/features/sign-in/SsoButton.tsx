// SsoButton: sign-in by the identity provider, and the error of a failed attempt.
import { post } from '../../api/client.ts'
import { appPaths } from '../../../src/app/contract/paths.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { redirectToProvider, providerQuery, getCurrentPath } from '../../api/sso.ts'
import { signInText } from '../../i18n/sign-in.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import styles from './SsoButton.module.css'

export function SsoButton({ outcome }: { outcome: string | null }) {
  const { t } = useTranslation(signInText)
  const { data: name = null } = useQuery(providerQuery)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  if (name === null) return null
  const outcomes: Readonly<Record<string, string>> = t.sso.outcomes
  const message = problem ?? (outcome === null ? null : (outcomes[outcome] ?? null))
  const leave = async () => {
    setBusy(true)
    setProblem(null)
    try {
      await redirectToProvider(() => post(appPaths.oidcLogin, { to: removeOutcome(getCurrentPath()) }))
    } catch (error) {
      setBusy(false)
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <div className={styles.provider}>
      {message !== null && (
        <p className="problem" role="alert">
          {message}
        </p>
      )}
      <Button variant="default" size="md" fullWidth loading={isBusy} onClick={() => void leave()}>
        {t.sso.signInWith(name)}
      </Button>
      <p className={styles.divider} aria-hidden="true">
        {t.sso.or}
      </p>
    </div>
  )
}

/** The next attempt adds its own outcome. */
function removeOutcome(path: string): string {
  return path.replace(/[?&]sso=\w+/, '')
}
