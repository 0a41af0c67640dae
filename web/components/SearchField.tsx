// SearchField: searches when the typing pauses; `/` focuses the first of a page.
import { TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Icon } from './Icon.tsx'
import { useShortcuts } from './shortcut-keys.ts'

interface SearchFieldProps {
  readonly label: string
  readonly value: string
  readonly onSearch: (text: string) => void
}

export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value)
  const [sent, setSent] = useState(value)
  const [last, setLast] = useState(value)
  // Changed elsewhere, such as by clearing the filters.
  if (value !== last) {
    setLast(value)
    if (value !== sent) setText(value)
  }
  useShortcuts((event) => {
    if (event.key !== '/' || !isFirst(field.current)) return
    event.preventDefault()
    field.current?.focus()
  })
  useEffect(() => {
    const timer = setTimeout(() => {
      if (text.trim() === value) return
      setSent(text.trim())
      onSearch(text.trim())
    }, 250)
    return () => clearTimeout(timer)
  }, [text, value, onSearch])
  return (
    <TextInput
      ref={field}
      type="search"
      className="search"
      aria-label={label}
      placeholder={label}
      leftSection={<Icon name="search" size={16} />}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
    />
  )
}

/** Of those that can be seen: a tab or a closed section may hide some. */
function isFirst(field: HTMLInputElement | null): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>('.search input')
  return field !== null && [...fields].find((one) => one.checkVisibility()) === field
}
