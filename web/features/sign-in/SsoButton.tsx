// SsoButton: sign-in by the identity provider, and the error of a failed attempt.
import { post } from '../../api/client.ts'
import { appPaths } from '../../../src/app/contract/paths.ts'
import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { redirectToProvider, providerQuery, getCurrentPath } from '../../api/sso.ts'
import { signInText } from '../../i18n/sign-in.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import styles from './SsoButton.module.css'

export function SsoButton({ outcome }: { outcome: string | null }) {
  const { t } = useTranslation(signInText)
  const { data: name = null } = useQuery(providerQuery)
  const { mutate, error, isIdle, isError } = useMutation({
    mutationFn: () => redirectToProvider(() => post(appPaths.oidcLogin, { to: removeOutcome(getCurrentPath()) })),
  })
  if (name === null) return null
  const outcomes: Readonly<Record<string, string>> = t.sso.outcomes
  const message = error?.message ?? outcomes[outcome ?? '']
  return (
    <div className={styles.provider}>
      {message !== undefined && (
        <p className="problem" role="alert">
          {message}
        </p>
      )}
      {/* Until the browser leaves the page. */}
      <Button variant="default" size="md" fullWidth loading={!isIdle && !isError} onClick={() => mutate()}>
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
