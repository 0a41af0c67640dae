// ErrorAlert: the message of a failed action, read aloud at once.
import { useTranslation } from '../i18n/translation.tsx'

export function ErrorAlert({ error }: { error: Error | null }) {
  const { t } = useTranslation()
  return error === null ? null : (
    <p className="problem" role="alert">
      {error.message || t.states.offlineTitle}
    </p>
  )
}
