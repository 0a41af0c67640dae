// Recovery codes, shown once.
import { Button, CopyButton } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { accountText } from '../../i18n/account.ts'
import { useText } from '../../i18n/translation.tsx'
import './RecoveryCodeList.css'

interface CodesProps {
  readonly codes: readonly string[]
  readonly onKept: () => void
}

export function Codes({ codes, onKept }: CodesProps) {
  const { say } = useText(accountText)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <>
      <h3 tabIndex={-1} ref={title}>
        {say.factor.codesTitle}
      </h3>
      <p>{say.factor.codesText}</p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="actions">
        <CopyButton value={codes.join('\n')}>
          {({ copied, copy }) => (
            <Button variant="default" size="sm" onClick={copy}>
              {copied ? say.revenue.copied : say.help.copy}
            </Button>
          )}
        </CopyButton>
        <Button size="sm" onClick={onKept}>
          {say.factor.codesKept}
        </Button>
      </div>
    </>
  )
}
