// Second factor: set up, renew recovery codes, turn off.
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useAccountAct, type Account, type RecoveryCodes } from './api.ts'
import { momentText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { useGrave } from '../../components/Reauthenticate.tsx'
import { accountText } from '../../i18n/account.ts'
import { useText } from '../../i18n/translation.tsx'
import { Codes } from './RecoveryCodeList.tsx'
import { FactorSetup } from './FactorSetup.tsx'

export function Factor({ account }: { account: Account }) {
  const { say } = useText(accountText)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  return (
    <section className="panel" aria-labelledby="factor">
      <h2 id="factor">{say.factor.title}</h2>
      {codes !== null ? (
        <Codes codes={codes} onKept={() => setCodes(null)} />
      ) : account.factor === null ? (
        <>
          <p>{say.factor.text}</p>
          <FactorSetup onCodes={setCodes} />
        </>
      ) : (
        <ActiveSecondFactor factor={account.factor} onCodes={setCodes} />
      )}
    </section>
  )
}

interface ActiveSecondFactorProps {
  readonly factor: NonNullable<Account['factor']>
  readonly onCodes: (codes: readonly string[]) => void
}

function ActiveSecondFactor({ factor, onCodes }: ActiveSecondFactorProps) {
  const { say, language } = useText(accountText)
  const { zone } = useSession()
  const grave = useGrave()
  const renewal = useAccountAct<RecoveryCodes>(grave.run, ({ codes }) => onCodes(codes))
  const ending = useAccountAct(grave.run)
  const error = renewal.error ?? ending.error
  return (
    <>
      <p>{say.factor.since(momentText(factor.since, language, zone))}</p>
      <p className={factor.codes < 3 ? 'banner' : 'muted'}>{say.factor.codesLeft(factor.codes)}</p>
      {error !== null && (
        <p className="problem" role="alert">
          {error.message}
        </p>
      )}
      <div className="actions">
        <Button
          size="sm"
          variant="default"
          loading={renewal.isPending}
          onClick={() => renewal.mutate({ path: 'totrinn/koder' })}
        >
          {say.factor.newCodes}
        </Button>
        <Button
          size="sm"
          variant="subtle"
          loading={ending.isPending}
          onClick={() => ending.mutate({ path: 'totrinn/av' })}
        >
          {say.factor.turnOff}
        </Button>
      </div>
      {grave.dialog}
    </>
  )
}
