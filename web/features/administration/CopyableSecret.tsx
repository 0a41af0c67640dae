// CopyableSecret: a secret with a copy button.
import { Button, CopyButton } from '@mantine/core'
import { useText } from '../../i18n/translation.tsx'

interface CopyableProps {
  readonly secret: string
  /** Needed where several secrets are shown. */
  readonly label?: string
  readonly isFirst?: boolean
}

export function Copyable({ secret, label, isFirst = false }: CopyableProps) {
  const { say } = useText()
  return (
    <p className="copyable">
      {label !== undefined && <strong>{label}</strong>}
      <code className="secret">{secret}</code>
      <CopyButton value={secret}>
        {({ copied, copy }) => (
          <Button
            data-autofocus={isFirst || undefined}
            variant="default"
            size="sm"
            aria-label={label === undefined ? undefined : `${say.help.copy}: ${label}`}
            onClick={copy}
          >
            {copied ? say.revenue.copied : say.help.copy}
          </Button>
        )}
      </CopyButton>
    </p>
  )
}
