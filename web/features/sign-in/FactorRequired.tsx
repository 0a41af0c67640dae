// FactorRequired: set-up of a second factor that the company requires.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSigning, type Session } from '../../api/session.ts'
import { Front } from '../../app/PublicLayout.tsx'
import { accountText } from '../../i18n/account.ts'
import { useText } from '../../i18n/translation.tsx'
import { Codes } from '../account/RecoveryCodeList.tsx'
import { FactorSetup } from '../account/FactorSetup.tsx'

interface FactorDemandedProps {
  readonly session: Session
  /** Called when the recovery codes are confirmed. */
  readonly onDone: () => void
}

export function FactorDemanded({ session, onDone }: FactorDemandedProps) {
  const { say } = useText(accountText)
  const { signOut } = useSigning()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  return (
    <Front title={say.factor.title}>
      <div className="public-notice">
        {codes === null ? (
          <>
            <p>{say.factor.demanded(session.company)}</p>
            <p>{say.factor.text}</p>
            <FactorSetup onCodes={setCodes} />
            <Button variant="subtle" onClick={() => void signOut()}>
              {say.signOut}
            </Button>
          </>
        ) : (
          <Codes codes={codes} onKept={onDone} />
        )}
      </div>
    </Front>
  )
}
