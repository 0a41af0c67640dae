// Authenticator set-up: QR code and secret, confirmed by a first code.
import { Button } from '../../components/Button.tsx'
import type { EnrolmentSecret } from '../../../src/app/contract/account.ts'
import { useState, type SyntheticEvent } from 'react'
import { useAccountAction } from './api.ts'
import { CodeField } from '../../components/CodeField.tsx'
import { CopyableText } from '../../components/CopyableText.tsx'
import { loadOnDemand } from '../../components/load-on-demand.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { useAccountText } from '../../i18n/account.ts'
import styles from './FactorSetup.module.css'

const QrCode = loadOnDemand(async () => (await import('./QrCode.tsx')).QrCode, <span className={styles.qrCode} />)

type OnCodes = (codes: readonly string[]) => void

export function FactorSetup({ onCodes }: { onCodes: OnCodes }) {
  const { t } = useAccountText()
  const [offered, setOffered] = useState<EnrolmentSecret | null>(null)
  const { mutate, error, isPending } = useAccountAction('accountFactor', setOffered)
  if (offered !== null) return <ConfirmFactor offered={offered} onCodes={onCodes} />
  return (
    <>
      <ErrorAlert error={error} />
      <Button isPrimary label={t.factor.setUp} loading={isPending} onClick={() => mutate({})} />
    </>
  )
}

function ConfirmFactor({ offered, onCodes }: { offered: EnrolmentSecret; onCodes: OnCodes }) {
  const { t } = useAccountText()
  const [code, setCode] = useState('')
  const { mutate, error, isPending } = useAccountAction('accountFactorConfirm', ({ codes }) => onCodes(codes))
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (code.trim() !== '') mutate({ code })
  }
  return (
    <ol className={styles.steps}>
      <li>
        <p>{t.factor.scan}</p>
        <QrCode text={offered.otpauthUrl} label={t.factor.picture} />
        <p>{t.factor.typeInstead}</p>
        <CopyableText text={offered.secret} shown={offered.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')} />
      </li>
      <li>
        <form onSubmit={submit} noValidate>
          <CodeField
            isAppOnly
            value={code}
            onChange={setCode}
            error={error !== null && <span role="alert">{error.message}</span>}
          />
          <Button isPrimary label={t.factor.confirm} type="submit" loading={isPending} disabled={code.trim() === ''} />
        </form>
      </li>
    </ol>
  )
}
