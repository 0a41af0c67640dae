// System status for the operator: health, backups, mail, limits.
import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { act } from '../../api/client.ts'
import { countText, momentText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { systemQuery, type Backup, type System as Shown } from './system-api.ts'
import { useGrave } from '../../components/Reauthenticate.tsx'
import { Fetched } from '../../components/QueryStates.tsx'
import { administrationText } from '../../i18n/administration.ts'
import { useText } from '../../i18n/translation.tsx'
import './System.css'

export function System() {
  const query = useQuery(systemQuery)
  return (
    <Fetched query={query}>
      {(shown) => (
        <div className="system">
          <Facts shown={shown} />
          <Backups shown={shown} />
          <Limits limits={shown.limits} />
          <Bundle />
        </div>
      )}
    </Fetched>
  )
}

function useMoment() {
  const { language } = useText()
  const { zone } = useSession()
  return (at: number) => momentText(at, language, zone)
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

function Facts({ shown }: { shown: Shown }) {
  const { say, language } = useText(administrationText)
  const { system } = say
  const moment = useMoment()
  const { version, database, databaseBytes, degraded, mail } = shown
  const words: Readonly<Record<string, string>> = system.degradations
  return (
    <section className="panel" aria-label={system.health}>
      <dl>
        <Fact name={system.health}>
          {degraded.length === 0 ? (
            system.healthy
          ) : (
            <span className="warning-tag">
              {degraded.map((one) => words[one] ?? one).join(', ')}
            </span>
          )}
        </Fact>
        <Fact name={system.version}>{version}</Fact>
        <Fact name={system.database}>
          {system.databases[database]}, {bytesText(databaseBytes, language)}
        </Fact>
        <Fact name={system.mail}>
          {mail.isSet
            ? system.mailOn(countText(mail.waiting, language), countText(mail.givenUp, language)) +
              (mail.lastSentAt === null ? '' : system.lastSent(moment(mail.lastSentAt)))
            : system.mailOff}
        </Fact>
      </dl>
    </section>
  )
}

function Backups({ shown: { backup, backupFolder } }: { shown: Shown }) {
  const { say, language } = useText(administrationText)
  const { system } = say
  const moment = useMoment()
  const grave = useGrave()
  const client = useQueryClient()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => grave.run(() => act<Backup>('POST', '/app/data/drift/sikkerhetskopi', {})),
    onSettled: () => client.invalidateQueries({ queryKey: systemQuery.queryKey }),
  })
  return (
    <section className="panel" aria-labelledby="backups">
      <h2 id="backups">{system.backup}</h2>
      <p>
        {backup === null
          ? system.noBackup
          : system.backupMade(moment(backup.at), countText(backup.rows, language))}
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
        <Button size="sm" loading={isPending} onClick={() => mutate()}>
          {system.makeBackup}
        </Button>
      </div>
      {grave.dialog}
    </section>
  )
}

function Limits({ limits }: Pick<Shown, 'limits'>) {
  const { say, language } = useText(administrationText)
  const { system } = say
  return (
    <section className="panel" aria-labelledby="limits">
      <h2 id="limits">{system.limits}</h2>
      <dl>
        <Fact name={system.calls}>
          {limits.rateLimit === null ? system.unlimited : countText(limits.rateLimit, language)}
        </Fact>
        <Fact name={system.listBody}>{bytesText(limits.listBytesMax, language)}</Fact>
        <Fact name={system.body}>{bytesText(limits.bodyBytesMax, language)}</Fact>
        <Fact name={system.inFlight}>{bytesText(limits.bodyBytesInFlightMax, language)}</Fact>
        <Fact name={system.address}>{bytesText(limits.urlBytesMax, language)}</Fact>
      </dl>
    </section>
  )
}

function Bundle() {
  const { system } = useText(administrationText).say
  return (
    <p className="muted">
      <a href="/app/data/drift/pakke" download>
        {system.bundle}
      </a>{' '}
      {system.bundleText}
    </p>
  )
}

function bytesText(bytes: number, language: string): string {
  const unit =
    bytes >= 1_000_000 ? (['megabyte', 1024 * 1024] as const) : (['kilobyte', 1024] as const)
  return new Intl.NumberFormat(language === 'nb' ? 'nb-NO' : 'en-GB', {
    style: 'unit',
    unit: unit[0],
    maximumFractionDigits: 1,
  }).format(bytes / unit[1])
}
