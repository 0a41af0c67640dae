// Alert rules: an integration that falls silent, and approved lines that are not fetched.
import type { AlertRule, Credential } from '../../../src/app/contract/administration.ts'
import { appPaths } from '../../../src/app/contract/paths.ts'
import { Button, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { useAdminAction } from './api.ts'
import { administrationText } from '../../i18n/administration.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { ActionDialog } from '../../components/Dialog.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import styles from './Settings.module.css'

interface CredentialAlertRuleProps {
  readonly credential: Credential
  readonly onClose: () => void
}

export function CredentialAlertRule({ credential, onClose }: CredentialAlertRuleProps) {
  const { t } = useTranslation(administrationText)
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
        saving.mutate({ path: appPaths.alertRule, fields: { key: credential.id, hours: String(hours || 0) } })
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
  const { t } = useTranslation(administrationText)
  const { alerts } = t
  const stored = exportAlertRule.hours / 24
  const [days, setDays] = useState<string | number>(stored)
  const { mutate, isPending, error, isSuccess, reset } = useAdminAction(() => {})
  return (
    <form
      className={styles.form}
      aria-label={alerts.title}
      onSubmit={(event) => {
        event.preventDefault()
        mutate({ path: appPaths.alertRule, fields: { hours: String(Math.round(Number(days) * 24)) } })
      }}
    >
      <div aria-live="polite">
        <ErrorAlert error={error} />
        {isSuccess && <p className="alert">{t.administration.saved}</p>}
      </div>
      <NumberInput
        label={alerts.days}
        description={alerts.daysHint}
        value={days}
        min={0}
        max={60}
        allowNegative={false}
        hideControls
        onChange={(value) => {
          reset()
          setDays(value)
        }}
      />
      <div className="dialog-actions">
        <Button type="submit" loading={isPending} disabled={days === '' || Number(days) === stored}>
          {t.save}
        </Button>
      </div>
    </form>
  )
}
