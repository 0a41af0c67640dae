// Passkeys of the account: create, list, delete.
import { Button } from '../../components/Button.tsx'
import type { Account } from '../../../src/app/contract/account.ts'
import { useAccountAction } from './api.ts'
import { post } from '../../api/client.ts'
import { browserName } from './browser-name.ts'
import { supportsPasskeys, createPasskey, toPasskeyProblem } from '../../api/passkey.ts'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { useAction } from '../../components/use-action.ts'
import { useAccountText } from '../../i18n/account.ts'
import { DataTable } from '../../components/DataTable.tsx'

export function Passkeys({ passkeys }: Pick<Account, 'passkeys'>) {
  const { t, format } = useAccountText()
  const deletion = useAccountAction('accountPasskeyEnd')
  const creation = useAction(
    async () => {
      const created = await createPasskey()
      if (created !== null) await post('accountPasskey', created)
    },
    { refreshes: ['account'] },
  )
  const nameOf = ({ agent }: (typeof passkeys)[number]) => browserName(agent) || t.sessions.unknown
  const error = toPasskeyProblem(creation.error, t.passkeys) ?? deletion.error
  return (
    <section className="panel" aria-labelledby="passkeys">
      <h2 id="passkeys">{t.passkeys.title}</h2>
      <p>{t.passkeys.text}</p>
      <ErrorAlert error={error} />
      <DataTable
        labelledBy="passkeys"
        rows={passkeys}
        keyOf={({ id }) => id}
        nameOf={(passkey) => `${nameOf(passkey)}, ${format.timestamp(passkey.createdAt)}`}
        columns={[
          { title: t.sessions.browser, isRowHeader: true, value: nameOf },
          { title: t.table.since, type: 'timestamp', value: 'createdAt' },
          { title: t.table.lastUsed, type: 'timestamp', value: 'usedAt', unknown: t.passkeys.unused },
        ]}
        actions={({ id }) => [{ label: t.sessions.remove, run: () => deletion.mutate({ id }) }]}
      />
      {supportsPasskeys && (
        <Button label={t.passkeys.create} loading={creation.isPending} onClick={() => creation.mutate()} />
      )}
    </section>
  )
}
