// CopyableSecret: a secret with a copy button.
import { Button, CopyButton } from '@mantine/core'
import { useTranslation } from '../../i18n/translation.tsx'

interface CopyableSecretProps {
  readonly secret: string
  /** Needed where several secrets are shown. */
  readonly label?: string
  readonly isFirst?: boolean
}

export function CopyableSecret({ secret, label, isFirst = false }: CopyableSecretProps) {
  const { t } = useTranslation()
  return (
    <p className="copyable">
      {label !== undefined && <strong>{label}</strong>}
      <code className="secret">{secret}</code>
      <CopyButton value={secret}>
        {({ copied, copy }) => (
          <Button
            data-autofocus={isFirst || undefined}
            variant="default"
            aria-label={label === undefined ? undefined : `${t.help.copy}: ${label}`}
            onClick={copy}
          >
            {copied ? t.revenue.copied : t.help.copy}
          </Button>
        )}
      </CopyButton>
    </p>
  )
}
