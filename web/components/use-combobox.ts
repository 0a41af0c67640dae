// useCombobox: a text input with a list of choices (WAI-ARIA combobox): the focus stays in the input.
import { useEffect, useId, useState, type KeyboardEvent } from 'react'

interface ComboboxState<Choice> {
  readonly isOpen: boolean
  readonly setOpen: (isOpen: boolean) => void
  /** The choices for what is typed. */
  readonly list: () => readonly Choice[]
  readonly keyOf: (choice: Choice) => string
}

/** The current choice, by key because it may move, and whether the button in its row is current. */
interface Current {
  readonly key: string
  readonly isButton: boolean
}

export type ComboboxOf<Choice> = ReturnType<typeof useCombobox<Choice>>

/** Up and down move through the choices, from the last one to the first; Escape closes. */
export function useCombobox<Choice>({ isOpen, setOpen, list, keyOf }: ComboboxState<Choice>) {
  const id = useId()
  const [current, setCurrent] = useState<Current | null>(null)
  const isButton = current?.isButton ?? false
  const shown = isOpen ? list() : []
  const index = shown.findIndex((choice) => keyOf(choice) === current?.key)
  const optionId = (at: number, ofButton = false) => `${id}-${at}${ofButton ? '-button' : ''}`
  const currentId = index < 0 ? undefined : optionId(index, isButton)
  useEffect(() => {
    if (currentId !== undefined) document.getElementById(currentId)?.scrollIntoView({ block: 'nearest' })
  }, [currentId])

  const move = (choice: Choice, toButton = false) => setCurrent({ key: keyOf(choice), isButton: toButton })
  const step = (rows: 1 | -1) => {
    setOpen(true)
    const choices = list()
    const next = index < 0 ? Math.min(rows, 0) : index + rows
    const choice = choices.at(next % choices.length)
    if (choice !== undefined) move(choice, isButton && index >= 0)
  }
  const close = () => {
    setOpen(false)
    setCurrent(null)
  }
  return {
    id,
    listId: `${id}-list`,
    shown,
    /** The index of the current choice, or -1. */
    index,
    current: shown[index],
    isButton,
    optionId,
    move,
    close,
    /** Opens the list of what was typed. */
    search: () => {
      setOpen(true)
      setCurrent(null)
    },
    /** Properties of the input. */
    input: {
      role: 'combobox',
      'aria-expanded': shown.length > 0,
      'aria-controls': shown.length > 0 ? `${id}-list` : undefined,
      'aria-activedescendant': currentId,
      'aria-autocomplete': 'list',
      autoComplete: 'off',
      onClick: () => setOpen(true),
    },
    /** Other keys: `onKey` returns whether it did something. */
    handleKeys: (onKey: (key: string) => boolean) => (event: KeyboardEvent) => {
      if (event.key === 'ArrowDown') step(1)
      else if (event.key === 'ArrowUp') step(-1)
      else if (event.key === 'Escape' && isOpen) close()
      else if (!onKey(event.key)) return
      event.preventDefault()
      event.stopPropagation()
    },
  } as const
}

/** More than that nobody reads: typing narrows the list. */
export const shownMax = 60
