// Company settings: time zone, currency, what amounts mean, and validation rules.
import type { Administration } from '../../../src/app/contract/administration.ts'
import { appPaths } from '../../../src/app/contract/paths.ts'
import { Button, Select, Switch, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAdminAction } from './api.ts'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { sessionQuery } from '../../api/session.ts'
import { administrationText } from '../../i18n/administration.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { TimeZoneSelect } from '../../components/TimeZoneSelect.tsx'
import { errorsOfFields } from '../../components/use-fields.ts'
import styles from './Settings.module.css'

export function Settings({ zone, currency, settings }: Pick<Administration, 'zone' | 'currency' | 'settings'>) {
  const { t } = useTranslation(administrationText)
  const { administration } = t
  const client = useQueryClient()
  const stored: Readonly<Record<string, string>> = {
    zone,
    currency,
    ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)])),
  }
  /** Sends only what differs, so that concurrent changes are kept. */
  const [changes, setChanges] = useState<Readonly<Record<string, string>>>({})
  const { mutate, isPending, error, isSuccess, reset } = useAdminAction(() => {
    setChanges({})
    void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  })
  const change = (name: string, value: string) => {
    reset()
    const { [name]: _, ...others } = changes
    setChanges(value === stored[name] ? others : { ...others, [name]: value })
  }
  // An error of the currency is shown at its field.
  const problems = errorsOfFields(error, { currency: administration.currency })
  const now = { ...stored, ...changes }
  const roles = Object.keys(t.roles)
  const bound = roles.filter((role) => now[factorOf(role)] === 'true')
  const isChanged = Object.keys(changes).length > 0
  return (
    <form
      className={styles.form}
      aria-label={administration.settings}
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged) mutate({ path: appPaths.settings, fields: changes })
      }}
    >
      <div aria-live="polite">
        <ErrorAlert error={problems['currency'] === undefined ? error : null} />
        {isSuccess && !isChanged && <p className="alert">{administration.saved}</p>}
      </div>
      <TimeZoneSelect
        label={administration.zone}
        description={administration.zoneHint}
        value={now['zone'] ?? zone}
        onChange={(value) => change('zone', value)}
      />
      <TextInput
        label={administration.currency}
        description={administration.currencyHint}
        error={problems['currency']}
        value={now['currency'] ?? ''}
        maxLength={3}
        onChange={({ currentTarget }) => change('currency', currentTarget.value.toUpperCase())}
      />
      <TextInput
        type="time"
        label={administration.dayEndsAt}
        description={administration.reportedNotApplied}
        value={now['day-ends-at'] ?? ''}
        onChange={({ currentTarget }) => change('day-ends-at', currentTarget.value)}
      />
      <Select
        label={administration.amounts}
        description={administration.reportedNotApplied}
        allowDeselect={false}
        value={now['amounts'] ?? null}
        data={Object.entries(administration.amountChoices).map(([value, label]) => ({ value, label }))}
        onChange={(value) => value !== null && change('amounts', value)}
      />
      {Object.entries(administration.switches).map(([name, { label, text }]) => (
        <Switch
          key={name}
          label={label}
          description={text}
          checked={now[name] === 'true'}
          onChange={({ currentTarget }) => change(name, String(currentTarget.checked))}
        />
      ))}
      <Switch.Group
        label={administration.factorRequired}
        description={administration.factorRequiredHint}
        value={bound}
        onChange={(chosen) => {
          const role = roles.find((one) => chosen.includes(one) !== bound.includes(one))
          if (role !== undefined) change(factorOf(role), String(chosen.includes(role)))
        }}
      >
        <div className="choices">
          {Object.entries(t.roles).map(([role, label]) => (
            <Switch key={role} value={role} label={label} />
          ))}
        </div>
      </Switch.Group>
      <div className="dialog-actions">
        <Button type="submit" loading={isPending} disabled={!isChanged}>
          {t.save}
        </Button>
      </div>
    </form>
  )
}

/** The setting that requires a second factor of a role. */
function factorOf(role: string): string {
  return `requires-factor-of-${role}`
}
