// FactorRequired: set-up of a second factor that the company requires.
import { Button } from '../../components/Button.tsx'
import type { Session } from '../../../src/app/contract/session.ts'
import { useState } from 'react'
import { useSignInActions } from '../../api/session.ts'
import { PublicLayout } from '../../app/PublicLayout.tsx'
import { useAccountText } from '../../i18n/account.ts'
import { RecoveryCodeList } from '../account/RecoveryCodeList.tsx'
import { FactorSetup } from '../account/FactorSetup.tsx'

interface FactorRequiredProps {
  readonly session: Session
  /** Called when the recovery codes are confirmed. */
  readonly onDone: () => void
}

export function FactorRequired({ session, onDone }: FactorRequiredProps) {
  const { t } = useAccountText()
  const { signOut } = useSignInActions()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  return (
    <PublicLayout title={t.factor.title}>
      <div className="public-notice">
        {codes === null ? (
          <>
            <p>{t.factor.required(session.company)}</p>
            <p>{t.factor.text}</p>
            <FactorSetup onCodes={setCodes} />
            <Button label={t.signOut} variant="subtle" onClick={() => void signOut()} />
          </>
        ) : (
          <RecoveryCodeList codes={codes} onSaved={onDone} />
        )}
      </div>
    </PublicLayout>
  )
}
