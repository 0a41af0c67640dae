// FormError: an error message above a form, which takes the focus.
import { useEffect, useRef } from 'react'

export function Problem({ text }: { text: string | null }) {
  const place = useRef<HTMLParagraphElement>(null)
  useEffect(() => place.current?.focus(), [text])
  return text === null ? null : (
    <p className="problem" role="alert" tabIndex={-1} ref={place}>
      {text}
    </p>
  )
}
