// CopyableText: a text with a button that copies it.
import { Button } from './Button.tsx'
import { CopyButton as CopyState, type ButtonProps } from '@mantine/core'
import { useTranslation } from '../i18n/translation.ts'

interface CopyButtonProps extends ButtonProps {
  readonly text: string
  /** Of the text, where several can be copied. */
  readonly label?: string | undefined
}

export function CopyButton({ text, label, ...button }: CopyButtonProps) {
  const { t } = useTranslation()
  const name = label === undefined ? undefined : `${t.help.copy}: ${label}`
  return (
    <CopyState value={text}>
      {({ copied, copy }) => (
        <Button label={copied ? t.revenue.copied : t.help.copy} aria-label={name} {...button} onClick={copy} />
      )}
    </CopyState>
  )
}

interface CopyableTextProps extends CopyButtonProps {
  /** In groups, where it is easier to read. */
  readonly shown?: string
}

export function CopyableText({ shown, ...copied }: CopyableTextProps) {
  return (
    <p className="copyable">
      {copied.label !== undefined && <strong>{copied.label}</strong>}
      <code className="secret">{shown ?? copied.text}</code>
      <CopyButton {...copied} />
    </p>
  )
}
