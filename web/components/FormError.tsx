// FormError: an error message above a form, which takes the focus.
import { useEffect, useRef } from 'react'

export function FormError({ text }: { text: string | null }) {
  const element = useRef<HTMLParagraphElement>(null)
  useEffect(() => element.current?.focus(), [text])
  return text === null ? null : (
    <p className="problem" role="alert" tabIndex={-1} ref={element}>
      {text}
    </p>
  )
}
