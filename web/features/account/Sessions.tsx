// Sessions and trusted browsers of the account, each of which can be ended.
import { Button } from '../../components/Button.tsx'
import type { Account, SessionOrDevice } from '../../../src/app/contract/account.ts'
import { useAccountAction } from './api.ts'
import { browserName } from './browser-name.ts'
import { DataTable, type DataTableProps } from '../../components/DataTable.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { useAccountText } from '../../i18n/account.ts'

export function Sessions({ account: { sessions, devices } }: { account: Account }) {
  const { t } = useAccountText()
  const ending = useAccountAction('accountSessionEnd')
  const removal = useAccountAction('accountDeviceEnd')
  const error = ending.error ?? removal.error
  return (
    <>
      <ErrorAlert error={error} />
      <section className="panel" aria-labelledby="sessions">
        <h2 id="sessions">{t.sessions.title}</h2>
        <SessionTable
          labelledBy="sessions"
          rows={sessions}
          actions={({ id, isThis }) => [
            !isThis && { label: t.sessions.signOutThere, run: () => ending.mutate({ id }) },
          ]}
        />
        {sessions.length > 1 && (
          <Button label={t.sessions.signOutElsewhere} loading={ending.isPending} onClick={() => ending.mutate({})} />
        )}
      </section>
      {devices.length > 0 && (
        <section className="panel" aria-labelledby="devices">
          <h2 id="devices">{t.sessions.devices}</h2>
          <p>{t.sessions.devicesText}</p>
          <SessionTable
            labelledBy="devices"
            rows={devices}
            actions={({ id }) => [{ label: t.sessions.remove, run: () => removal.mutate({ id }) }]}
          />
        </section>
      )}
    </>
  )
}

type SessionTableProps<Row> = Pick<DataTableProps<Row>, 'labelledBy' | 'rows' | 'actions'>

function SessionTable<Row extends SessionOrDevice & { company?: string }>(props: SessionTableProps<Row>) {
  const { t } = useAccountText()
  // A trusted browser is the user's, in all companies.
  const hasCompany = props.rows.some(({ company }) => company !== undefined)
  const nameOf = ({ agent }: Row) => browserName(agent) || t.sessions.unknown
  return (
    <DataTable
      {...props}
      keyOf={({ id }) => id}
      nameOf={nameOf}
      columns={[
        { title: t.sessions.browser, isRowHeader: true, value: nameOf },
        ...(hasCompany ? [{ title: t.company, value: ({ company }: Row) => company }] : []),
        { title: t.table.since, type: 'timestamp', value: ({ createdAt }) => createdAt },
        { title: t.table.lastUsed, type: 'timestamp', value: ({ seenAt }) => seenAt },
        {
          title: t.sessions.current,
          value: ({ isThis }) => (isThis ? t.yes : ''),
          badge: ({ isThis }) => isThis && 'Godkjent',
        },
      ]}
    />
  )
}
