// Alert rules: an integration that falls silent, and approved lines that are not fetched.
import type { AlertRule, Credential } from '../../../src/app/contract/administration.ts'
import { NumberInput } from '@mantine/core'
import { useState } from 'react'
import { useAdminAction } from './api.ts'
import { useIntegrationText } from './integrations-i18n.ts'
import { ActionDialog } from '../../components/Dialog.tsx'
import { SettingsForm } from './Settings.tsx'

export function CredentialAlertRule({ credential, onClose }: { credential: Credential; onClose: () => void }) {
  const { t } = useIntegrationText()
  const { alerts } = t
  const [hours, setHours] = useState<string | number>(credential.alertRule?.hours ?? 24)
  const saving = useAdminAction(onClose)
  return (
    <ActionDialog
      title={`${alerts.title}: ${credential.name ?? t.administration.wholeCompany}`}
      submit={t.save}
      action={saving}
      onClose={onClose}
      onSubmit={() =>
        saving.mutate({ endpoint: 'alertRule', fields: { key: credential.id, hours: String(hours || 0) } })
      }
    >
      <NumberInput
        data-autofocus
        label={alerts.hours}
        description={alerts.hoursHint}
        value={hours}
        min={0}
        max={1440}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        onChange={setHours}
      />
    </ActionDialog>
  )
}

export function ExportAlertRule({ exportAlertRule }: { exportAlertRule: AlertRule }) {
  const { alerts } = useIntegrationText().t
  const stored = exportAlertRule.hours / 24
  const [days, setDays] = useState<string | number>(stored)
  const saving = useAdminAction()
  return (
    <SettingsForm
      label={alerts.title}
      action={saving}
      isChanged={days !== '' && Number(days) !== stored}
      onSave={() => saving.mutate({ endpoint: 'alertRule', fields: { hours: String(Math.round(Number(days) * 24)) } })}
    >
      <NumberInput
        label={alerts.days}
        description={alerts.daysHint}
        value={days}
        min={0}
        max={60}
        allowNegative={false}
        hideControls
        onChange={(value) => {
          saving.reset()
          setDays(value)
        }}
      />
    </SettingsForm>
  )
}
