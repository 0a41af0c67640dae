// SetUpResult: the secrets of the first company, shown once.
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { addDays } from '../../api/days.ts'
import { toDay } from '../../api/format.ts'
import { PublicLayout } from '../../app/PublicLayout.tsx'
import { focusElement } from '../../components/focus-element.ts'
import { CopyableText } from '../../components/CopyableText.tsx'
import { useSetUpText } from '../../i18n/set-up.ts'
import styles from './SetUp.module.css'

export interface SetUpSecrets {
  readonly company: string
  /** Null when it was chosen. */
  readonly companyPassword: string | null
  readonly email: string
  /** Null without scopes. */
  readonly key: string | null
  readonly scopes: readonly string[]
}

export function SetUpResult({ secrets, zone }: { secrets: SetUpSecrets; zone: string }) {
  const { t } = useSetUpText()
  const { parts, labels, ...texts } = t.setUp
  const { company, companyPassword, email, key, scopes } = secrets
  return (
    <PublicLayout title={texts.doneTitle}>
      <div className={`stack ${styles.setUp} ${styles.result}`}>
        <p role="status" tabIndex={-1} ref={focusElement}>
          {texts.doneLead}
        </p>
        <dl>
          <dt>{parts.company}</dt>
          <dd>{company}</dd>
          <dt>{parts.owner}</dt>
          <dd>{email}</dd>
          {companyPassword === null && (
            <>
              <dt>{labels.companyPassword}</dt>
              <dd>{texts.chosenPassword}</dd>
            </>
          )}
        </dl>
        {companyPassword !== null && <CopyableText label={labels.companyPassword} text={companyPassword} />}
        {key !== null && <CopyableText label={parts.key} text={key} />}
        {key !== null && scopes.includes('revenue:write') && (
          <CopyableText label={texts.firstFigure} text={firstCommand(key, zone)} />
        )}
        <p>
          {texts.moreEndpoints} <a href="/openapi.json">/openapi.json</a>.
        </p>
        <Button size="md" renderRoot={(props) => <Link to="/app/i-dag" {...props} />}>
          {texts.open}
        </Button>
      </div>
    </PublicLayout>
  )
}

/** Sets the revenue of yesterday, which Today shows. */
function firstCommand(key: string, zone: string): string {
  const day = addDays(toDay(Date.now() * 1000, zone), -1)
  return [
    `curl '${window.location.origin}/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato'`,
    `-H 'tb-key: ${key}' -H 'Content-Type: application/json'`,
    `-d '[{"Dato":"${day}","AvdelingID":"10","Omsetning":12500.50}]'`,
  ].join(' ')
}
