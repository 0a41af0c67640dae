// ErrorAlert: the message of a failed action, read aloud at once; above a form it takes the focus.
import { useEffect, useRef } from 'react'

interface ErrorAlertProps {
  readonly error: Error | string | null | undefined
  readonly takesFocus?: boolean
}

export function ErrorAlert({ error, takesFocus = false }: ErrorAlertProps) {
  const element = useRef<HTMLParagraphElement>(null)
  const message = typeof error === 'string' ? error : error?.message
  useEffect(() => {
    if (takesFocus) element.current?.focus()
  }, [message, takesFocus])
  return message === undefined ? null : (
    <p className="problem" role="alert" tabIndex={takesFocus ? -1 : undefined} ref={element}>
      {message}
    </p>
  )
}
