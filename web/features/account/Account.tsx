// Account screen: second factor, passkeys, password, identity provider, sessions.
import { useQuery } from '@tanstack/react-query'
import { accountQuery } from './api.ts'
import { Page } from '../../components/Page.tsx'
import { Fetched } from '../../components/QueryStates.tsx'
import { useText } from '../../i18n/translation.tsx'
import { Factor } from './SecondFactor.tsx'
import { Linked } from './LinkedIdentity.tsx'
import { NewPassword } from './NewPassword.tsx'
import { Passkeys } from './Passkeys.tsx'
import { Places } from './Sessions.tsx'
import './Account.css'

export function Account() {
  const { say } = useText()
  const query = useQuery(accountQuery)
  return (
    <Page title={say.myAccount}>
      <Fetched query={query}>
        {(account) => (
          <div className="account-sections">
            {/* The identity provider manages password and second factor of its users. */}
            {account.via !== 'provider' && <Factor account={account} />}
            {account.via !== 'provider' && <Passkeys passkeys={account.passkeys} />}
            {account.via !== 'provider' && <NewPassword email={account.email} />}
            {account.provider !== null && <Linked account={account} name={account.provider} />}
            <Places account={account} />
          </div>
        )}
      </Fetched>
    </Page>
  )
}
