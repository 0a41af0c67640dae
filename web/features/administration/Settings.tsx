// Company settings: time zone, currency, what amounts mean, and validation rules.
import { Button } from '../../components/Button.tsx'
import type { Administration } from '../../../src/app/contract/administration.ts'
import { Select, Switch, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useAdminAction } from './api.ts'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { sessionQuery } from '../../api/session.ts'
import { useSettingsText } from './settings-i18n.ts'
import { TimeZoneSelect } from '../../components/TimeZoneSelect.tsx'
import { errorsOfFields, type ActionState } from '../../components/use-fields.ts'
import styles from './Settings.module.css'

export function Settings({ zone, currency, settings }: Pick<Administration, 'zone' | 'currency' | 'settings'>) {
  const { t } = useSettingsText()
  const texts = t.settings
  const client = useQueryClient()
  const stored: Readonly<Record<string, string>> = {
    zone,
    currency,
    ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)])),
  }
  /** Sends only what differs, so that concurrent changes are kept. */
  const [changes, setChanges] = useState<Readonly<Record<string, string>>>({})
  const saving = useAdminAction(() => {
    setChanges({})
    void client.invalidateQueries({ queryKey: sessionQuery.queryKey })
  })
  const change = (name: string, value: string) => {
    saving.reset()
    const { [name]: _, ...others } = changes
    setChanges(value === stored[name] ? others : { ...others, [name]: value })
  }
  // Errors of these are shown at their fields.
  const problems = errorsOfFields(saving.error, { currency: texts.currency, 'day-ends-at': texts.dayEndsAt })
  const now = { ...stored, ...changes }
  return (
    <SettingsForm
      label={t.administration.settings}
      action={Object.keys(problems).length === 0 ? saving : { ...saving, error: null }}
      isChanged={Object.keys(changes).length > 0}
      onSave={() => saving.mutate({ endpoint: 'settings', fields: changes })}
    >
      <TimeZoneSelect
        label={texts.zone}
        description={texts.zoneHint}
        value={now['zone'] ?? zone}
        onChange={(value) => change('zone', value)}
      />
      <TextInput
        label={texts.currency}
        description={texts.currencyHint}
        error={problems['currency']}
        value={now['currency'] ?? ''}
        maxLength={3}
        onChange={({ currentTarget }) => change('currency', currentTarget.value.toUpperCase())}
      />
      <TextInput
        // The browser's field for a time is in the browser's language: 12:00 AM.
        label={texts.dayEndsAt}
        description={texts.reportedNotApplied}
        error={problems['day-ends-at']}
        maxLength={5}
        value={now['day-ends-at'] ?? ''}
        onChange={({ currentTarget }) => change('day-ends-at', currentTarget.value)}
      />
      <Select
        label={texts.amounts}
        description={texts.reportedNotApplied}
        allowDeselect={false}
        value={now['amounts'] ?? null}
        data={Object.entries(texts.amountChoices).map(([value, label]) => ({ value, label }))}
        onChange={(value) => value !== null && change('amounts', value)}
      />
      {Object.entries(texts.switches).map(([name, { label, text }]) => (
        <Switch
          key={name}
          label={label}
          description={text}
          checked={now[name] === 'true'}
          onChange={({ currentTarget }) => change(name, String(currentTarget.checked))}
        />
      ))}
      <RolesWithFactor values={now} onChange={change} />
    </SettingsForm>
  )
}

interface RolesWithFactorProps {
  readonly values: Readonly<Record<string, string>>
  readonly onChange: (name: string, value: string) => void
}

function RolesWithFactor({ values, onChange }: RolesWithFactorProps) {
  const { t } = useSettingsText()
  const roles = Object.keys(t.roles)
  const bound = roles.filter((role) => values[factorOf(role)] === 'true')
  return (
    <Switch.Group
      label={t.settings.factorRequired}
      description={t.settings.factorRequiredHint}
      value={bound}
      onChange={(chosen) => {
        const role = roles.find((one) => chosen.includes(one) !== bound.includes(one))
        if (role !== undefined) onChange(factorOf(role), String(chosen.includes(role)))
      }}
    >
      <div className="choices">
        {Object.entries(t.roles).map(([role, label]) => (
          <Switch key={role} value={role} label={label} />
        ))}
      </div>
    </Switch.Group>
  )
}

/** The setting that requires a second factor of a role. */
function factorOf(role: string): string {
  return `requires-factor-of-${role}`
}

interface SettingsFormProps {
  readonly label: string
  readonly action: ActionState & { readonly isSuccess: boolean; readonly isError: boolean }
  readonly isChanged: boolean
  readonly onSave: () => void
  readonly children: ReactNode
}

export function SettingsForm({ label, action, isChanged, onSave, children }: SettingsFormProps) {
  const { t } = useSettingsText()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (action.isError) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [action.isError])
  return (
    <form
      ref={form}
      className={styles.form}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged) onSave()
      }}
    >
      {children}
      {/* Beside the button: the first fields may be out of view. */}
      <div aria-live="polite">
        <ErrorAlert error={action.error} />
        {action.isSuccess && <p className="alert">{t.settings.saved}</p>}
      </div>
      <div className="dialog-actions">
        <Button isPrimary label={t.save} type="submit" loading={action.isPending} disabled={!isChanged} />
      </div>
    </form>
  )
}
