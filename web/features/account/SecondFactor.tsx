// Second factor: set up, renew recovery codes, turn off.
import type { Account } from '../../../src/app/contract/account.ts'
import { appPaths } from '../../../src/app/contract/paths.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useAccountAction } from './api.ts'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { accountText } from '../../i18n/account.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { RecoveryCodeList } from './RecoveryCodeList.tsx'
import { FactorSetup } from './FactorSetup.tsx'

export function SecondFactor({ account }: { account: Account }) {
  const { t } = useTranslation(accountText)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  return (
    <section className="panel" aria-labelledby="factor">
      <h2 id="factor">{t.factor.title}</h2>
      {codes !== null ? (
        <RecoveryCodeList codes={codes} onSaved={() => setCodes(null)} />
      ) : account.factor === null ? (
        <>
          <p>{t.factor.text}</p>
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
  const { t, format } = useTranslation(accountText)
  const renewal = useAccountAction(appPaths.accountFactorCodes, ({ codes }) => onCodes(codes))
  const disabling = useAccountAction(appPaths.accountFactorEnd)
  const error = renewal.error ?? disabling.error
  return (
    <>
      <p>{t.factor.since(format.timestamp(factor.since))}</p>
      <p className={factor.codes < 3 ? 'banner' : 'muted'}>{t.factor.codesLeft(factor.codes)}</p>
      <ErrorAlert error={error} />
      <div className="actions">
        <Button variant="default" loading={renewal.isPending} onClick={() => renewal.mutate({})}>
          {t.factor.newCodes}
        </Button>
        <Button variant="subtle" loading={disabling.isPending} onClick={() => disabling.mutate({})}>
          {t.factor.turnOff}
        </Button>
      </div>
    </>
  )
}
