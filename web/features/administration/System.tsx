// System status for the operator: health, backups, mail, limits.
import { Button } from '../../components/Button.tsx'
import type { SystemStatus } from '../../../src/app/contract/administration.ts'
import { appPaths } from '../../../src/app/contract/endpoints.ts'
import type { ReactNode } from 'react'
import { post } from '../../api/client.ts'
import { useAction } from '../../components/use-action.ts'
import { systemQuery } from './api.ts'
import { Loaded } from '../../components/QueryStates.tsx'
import { useSettingsText } from './settings-i18n.ts'
import styles from './System.module.css'

export function System() {
  return (
    <Loaded options={systemQuery}>
      {(status) => (
        <div className={styles.system}>
          <SystemFacts status={status} />
          <Backups status={status} />
          <Limits limits={status.limits} />
          <SupportBundle />
        </div>
      )}
    </Loaded>
  )
}

function DefinitionRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

function SystemFacts({ status }: { status: SystemStatus }) {
  const { t, format } = useSettingsText()
  const { system } = t
  const { version, database, databaseBytes, degraded, mail } = status
  return (
    <section className="panel" aria-label={system.health}>
      <dl>
        <DefinitionRow name={system.health}>
          {degraded.length === 0 ? (
            system.healthy
          ) : (
            <span className="warning-tag">
              {degraded.map((one) => format.code(system.degradations, one)).join(', ')}
            </span>
          )}
        </DefinitionRow>
        <DefinitionRow name={system.version}>{version}</DefinitionRow>
        <DefinitionRow name={system.database}>
          {system.databases[database]}, {format.bytes(databaseBytes)}
        </DefinitionRow>
        <DefinitionRow name={system.mail}>
          {mail.isConfigured
            ? system.mailOn(format.count(mail.waiting), format.count(mail.givenUp)) +
              (mail.lastSentAt === null ? '' : system.lastSent(format.timestamp(mail.lastSentAt)))
            : system.mailOff}
        </DefinitionRow>
      </dl>
    </section>
  )
}

function Backups({ status: { backup, backupFolder } }: { status: SystemStatus }) {
  const { t, format } = useSettingsText()
  const { system } = t
  const { mutate, data, error, isPending } = useAction(() => post('backup', {}), { refreshes: ['system'] })
  return (
    <section className="panel" aria-labelledby="backups">
      <h2 id="backups">{system.backup}</h2>
      <p>
        {backup === null ? system.noBackup : system.backupMade(format.timestamp(backup.at), format.count(backup.rows))}
        {backup !== null && (
          <>
            {' '}
            <code className="muted long-word">{backup.file}</code>
          </>
        )}
      </p>
      <p className="muted long-word">{system.makingBackup(backupFolder)}</p>
      <div aria-live="polite">
        {error !== null && <p className="problem">{error.message}</p>}
        {data !== undefined && <p className="alert long-word">{system.backupDone(data.file)}</p>}
      </div>
      <div className="actions">
        <Button isPrimary label={system.makeBackup} loading={isPending} onClick={() => mutate()} />
      </div>
    </section>
  )
}

function Limits({ limits }: Pick<SystemStatus, 'limits'>) {
  const { t, format } = useSettingsText()
  const { system } = t
  return (
    <section className="panel" aria-labelledby="limits">
      <h2 id="limits">{system.limits}</h2>
      <dl>
        <DefinitionRow name={system.calls}>
          {limits.rateLimit === null ? system.unlimited : format.count(limits.rateLimit)}
        </DefinitionRow>
        <DefinitionRow name={system.listBody}>{format.bytes(limits.listBytesMax)}</DefinitionRow>
        <DefinitionRow name={system.body}>{format.bytes(limits.bodyBytesMax)}</DefinitionRow>
        <DefinitionRow name={system.inFlight}>{format.bytes(limits.bodyBytesInFlightMax)}</DefinitionRow>
        <DefinitionRow name={system.address}>{format.bytes(limits.urlBytesMax)}</DefinitionRow>
      </dl>
    </section>
  )
}

function SupportBundle() {
  const { system } = useSettingsText().t
  return (
    <p className="muted">
      <a href={appPaths.supportBundle} download>
        {system.bundle}
      </a>{' '}
      {system.bundleText}
    </p>
  )
}
