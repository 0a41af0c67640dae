// Authenticator set-up: QR code and secret, confirmed by a first code.
import { Button, CopyButton } from '@mantine/core'
import { lazy, Suspense, useState, type SyntheticEvent } from 'react'
import { useAccountAct, type OfferedFactor, type RecoveryCodes } from './api.ts'
import { CodeField } from '../../components/CodeField.tsx'
import { useGrave } from '../../components/Reauthenticate.tsx'
import { accountText } from '../../i18n/account.ts'
import { useText } from '../../i18n/translation.tsx'
import './FactorSetup.css'

const QrCode = lazy(async () => ({ default: (await import('./QrCode.tsx')).QrCode }))

type OnCodes = (codes: readonly string[]) => void

export function FactorSetup({ onCodes }: { onCodes: OnCodes }) {
  const { say } = useText(accountText)
  const grave = useGrave()
  const [offered, setOffered] = useState<OfferedFactor | null>(null)
  const { mutate, error, isPending } = useAccountAct<OfferedFactor>(grave.run, setOffered)
  if (offered !== null) return <Showing offered={offered} onCodes={onCodes} />
  return (
    <>
      {error !== null && (
        <p className="problem" role="alert">
          {error.message}
        </p>
      )}
      <Button size="sm" loading={isPending} onClick={() => mutate({ path: 'totrinn' })}>
        {say.factor.setUp}
      </Button>
      {grave.dialog}
    </>
  )
}

function Showing({ offered, onCodes }: { offered: OfferedFactor; onCodes: OnCodes }) {
  const { say } = useText(accountText)
  const grave = useGrave()
  const [code, setCode] = useState('')
  const { mutate, error, isPending } = useAccountAct<RecoveryCodes>(grave.run, ({ codes }) =>
    onCodes(codes),
  )
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (code.trim() !== '') mutate({ path: 'totrinn/bekreft', fields: { code } })
  }
  return (
    <>
      <ol className="factor-steps">
        <li>
          <p>{say.factor.scan}</p>
          <Suspense fallback={<span className="qr-code" />}>
            <QrCode text={offered.address} label={say.factor.picture} />
          </Suspense>
          <p>{say.factor.typeInstead}</p>
          <p className="copyable">
            <code className="secret">{inFours(offered.secret)}</code>
            <CopyButton value={offered.secret}>
              {({ copied, copy }) => (
                <Button variant="default" size="sm" onClick={copy}>
                  {copied ? say.revenue.copied : say.help.copy}
                </Button>
              )}
            </CopyButton>
          </p>
        </li>
        <li>
          <form onSubmit={submit} noValidate>
            <CodeField
              isAppOnly
              value={code}
              onChange={setCode}
              error={error !== null && <span role="alert">{error.message}</span>}
            />
            <Button type="submit" size="sm" loading={isPending} disabled={code.trim() === ''}>
              {say.factor.confirm}
            </Button>
          </form>
        </li>
      </ol>
      {grave.dialog}
    </>
  )
}

function inFours(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
}
