// What belongs to the person: second factor, password, identity provider, and where the account is signed in.
import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '../../data/account.ts'
import { Page } from '../../parts/Page.tsx'
import { Fetched } from '../../parts/States.tsx'
import { useText } from '../../text/text.tsx'
import { Factor } from './Factor.tsx'
import { Linked } from './Linked.tsx'
import { NewPassword } from './NewPassword.tsx'
import { Places } from './Places.tsx'
import './Account.css'

export const Account = () => {
  const { say } = useText()
  const query = useQuery(accountQuery)
  return (
    <Page title={say.myAccount}>
      <Fetched query={query}>
        {(account) => (
          <div className="account-parts">
            {/* Whoever comes over the provider has password and second factor there. */}
            {account.via === 'password' && <Factor account={account} />}
            {account.via === 'password' && <NewPassword email={account.email} />}
            {account.provider !== null && <Linked account={account} name={account.provider} />}
            <Places account={account} />
          </div>
        )}
      </Fetched>
    </Page>
  )
}
