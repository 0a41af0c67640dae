// Account screen: second factor, passkeys, password, identity provider, sessions.
import { Button } from '../../components/Button.tsx'
import { accountQuery, useAccountAction } from './api.ts'
import { Page } from '../../components/Page.tsx'
import { Loaded } from '../../components/QueryStates.tsx'
import { Passkeys } from './Passkeys.tsx'
import { Sessions } from './Sessions.tsx'
import styles from './Account.module.css'
import type { Account as AccountDetails } from '../../../src/app/contract/account.ts'
import { post } from '../../api/client.ts'
import { PasswordInput } from '@mantine/core'
import { redirectToProvider, ssoOutcome } from '../../api/sso.ts'
import { useAction } from '../../components/use-action.ts'
import { useState } from 'react'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { useAccountText } from '../../i18n/account.ts'
import { RecoveryCodeList } from './RecoveryCodeList.tsx'
import { FactorSetup } from './FactorSetup.tsx'
import { toSignInProblem } from '../../api/session.ts'
import { useFields } from '../../components/use-fields.ts'

export function Account() {
  const { t } = useAccountText()
  return (
    <Page title={t.myAccount}>
      <Loaded options={accountQuery}>
        {(account) => (
          <div className={styles.sections}>
            {/* The identity provider manages password and second factor of its users. */}
            {account.via !== 'provider' && <SecondFactor account={account} />}
            {account.via !== 'provider' && <Passkeys passkeys={account.passkeys} />}
            {account.via !== 'provider' && <NewPassword email={account.email} />}
            {account.provider !== null && <LinkedIdentity account={account} name={account.provider} />}
            <Sessions account={account} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

/** Links the account with the identity provider, or unlinks it. */
function LinkedIdentity({ account, name }: { account: AccountDetails; name: string }) {
  const { t, format } = useAccountText()
  const unlinking = useAccountAction('accountIdentityEnd')
  const linking = useAction(() => redirectToProvider(() => post('accountIdentity', {})), { refreshes: [] })
  const outcomes: Readonly<Record<string, string>> = t.sso.outcomes
  const [identity] = account.identities
  const message = linking.error?.message ?? unlinking.error?.message ?? outcomes[ssoOutcome ?? '']
  return (
    <section className="panel" aria-labelledby="linked">
      <h2 id="linked">{t.sso.title(name)}</h2>
      <p>
        {identity === undefined ? t.sso.notLinked(name) : t.sso.linkedSince(name, format.timestamp(identity.createdAt))}
      </p>
      <ErrorAlert error={message} />
      {account.via !== 'provider' && (
        <div className="actions">
          {identity === undefined ? (
            <Button label={t.sso.link(name)} onClick={() => linking.mutate()} />
          ) : (
            <Button
              label={t.sso.unlink}
              variant="subtle"
              loading={unlinking.isPending}
              onClick={() => unlinking.mutate({})}
            />
          )}
        </div>
      )}
    </section>
  )
}

/** Second factor: set up, renew recovery codes, turn off. */
function SecondFactor({ account }: { account: AccountDetails }) {
  const { t } = useAccountText()
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
  readonly factor: NonNullable<AccountDetails['factor']>
  readonly onCodes: (codes: readonly string[]) => void
}

function ActiveSecondFactor({ factor, onCodes }: ActiveSecondFactorProps) {
  const { t, format } = useAccountText()
  const renewal = useAccountAction('accountFactorCodes', ({ codes }) => onCodes(codes))
  const disabling = useAccountAction('accountFactorEnd')
  const error = renewal.error ?? disabling.error
  return (
    <>
      <p>{t.factor.since(format.timestamp(factor.since))}</p>
      <p className={factor.codes < 3 ? 'banner' : 'muted'}>{t.factor.codesLeft(factor.codes)}</p>
      <ErrorAlert error={error} />
      <div className="actions">
        <Button label={t.factor.newCodes} loading={renewal.isPending} onClick={() => renewal.mutate({})} />
        <Button
          label={t.factor.turnOff}
          variant="subtle"
          loading={disabling.isPending}
          onClick={() => disabling.mutate({})}
        />
      </div>
    </>
  )
}

const noPasswords = { current: '', password: '' }

/** Requires the current password, and ends all other sessions. */
function NewPassword({ email }: { email: string }) {
  const { t } = useAccountText()
  const change = useAccountAction('accountPassword', () => setValues(noPasswords))
  const { values, setValues, field, action, onSubmit } = useFields({
    initialValues: noPasswords,
    labels: { current: t.newPassword.current, password: t.links.newPassword },
    action: change,
  })
  const shown = { visibilityToggleButtonProps: { 'aria-label': t.signIn.showPassword } }
  return (
    <section className="panel" aria-labelledby="new-password">
      <h2 id="new-password">{t.links.newPassword}</h2>
      <p>{t.newPassword.text}</p>
      <div aria-live="polite">{change.isSuccess && <p className="alert">{t.newPassword.done}</p>}</div>
      <ErrorAlert error={toSignInProblem(action.error, t.reauthentication.wrong)} takesFocus />
      <form onSubmit={onSubmit((typed) => change.mutate(typed))} noValidate aria-labelledby="new-password">
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <PasswordInput {...field('current')} {...shown} name="current-password" autoComplete="current-password" />
        <PasswordInput
          {...field('password')}
          {...shown}
          name="new-password"
          description={t.newPassword.hint}
          autoComplete="new-password"
        />
        <Button
          isPrimary
          label={t.newPassword.submit}
          type="submit"
          loading={change.isPending}
          disabled={values.current === '' || values.password === ''}
        />
      </form>
    </section>
  )
}
