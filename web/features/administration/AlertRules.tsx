// Alert rules: an integration that falls silent, and approved lines that are not fetched.
import { Button, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { useAdministering, type Key, type Watch } from './api.ts'
import { administrationText } from '../../i18n/administration.ts'
import { useText } from '../../i18n/translation.tsx'
import { Asking } from '../../components/ActionDialog.tsx'

export function KeyWatch({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const { say } = useText(administrationText)
  const { watches } = say
  const [hours, setHours] = useState<string | number>(apiKey.watch?.hours ?? 24)
  const { mutate, isPending, error } = useAdministering((work) => work(), onClose)
  return (
    <Asking
      title={`${watches.alarm}: ${apiKey.name}`}
      submit={say.save}
      isBusy={isPending}
      error={error}
      onClose={onClose}
      onSubmit={() =>
        mutate({ path: 'varsel', fields: { key: apiKey.id, hours: String(hours || 0) } })
      }
    >
      <NumberInput
        data-autofocus
        label={watches.hours}
        description={watches.hoursHint}
        value={hours}
        min={0}
        max={1440}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        onChange={setHours}
      />
    </Asking>
  )
}

export function ExportWatch({ exportWatch }: { exportWatch: Watch }) {
  const { say } = useText(administrationText)
  const { watches } = say
  const stored = exportWatch.hours / 24
  const [days, setDays] = useState<string | number>(stored)
  const { mutate, isPending, error, isSuccess, reset } = useAdministering(
    (work) => work(),
    () => {},
  )
  return (
    <form
      className="panel settings"
      aria-label={watches.alarm}
      onSubmit={(event) => {
        event.preventDefault()
        mutate({ path: 'varsel', fields: { hours: String(Math.round(Number(days) * 24)) } })
      }}
    >
      <div aria-live="polite">
        {error !== null && <p className="problem">{error.message}</p>}
        {isSuccess && <p className="alert">{say.administration.saved}</p>}
      </div>
      <NumberInput
        label={watches.days}
        description={watches.daysHint}
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
        <Button
          size="sm"
          type="submit"
          loading={isPending}
          disabled={days === '' || Number(days) === stored}
        >
          {say.save}
        </Button>
      </div>
    </form>
  )
}
