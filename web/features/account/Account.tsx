// Account screen: second factor, passkeys, password, identity provider, sessions.
import { useQuery } from '@tanstack/react-query'
import { accountQuery } from './api.ts'
import { Page } from '../../components/Page.tsx'
import { QueryStates } from '../../components/QueryStates.tsx'
import { useTranslation } from '../../i18n/translation.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { LinkedIdentity } from './LinkedIdentity.tsx'
import { NewPassword } from './NewPassword.tsx'
import { Passkeys } from './Passkeys.tsx'
import { Sessions } from './Sessions.tsx'
import styles from './Account.module.css'

export function Account() {
  const { t } = useTranslation()
  const query = useQuery(accountQuery)
  return (
    <Page title={t.myAccount}>
      <QueryStates query={query}>
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
      </QueryStates>
    </Page>
  )
}
