// ItemField: free text, or an item from a searchable list with favourites.
import type { UsedItem } from '../../../src/app/contract/material-entry.ts'
import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import { filterItems, getItemKey, itemSearchQuery, useToggleFavourite } from './items-api.ts'
import type { ListedItem } from './listed-item.ts'
import { materialEntryText } from './i18n.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { ItemGrid, positionId, type GridPosition } from './ItemGrid.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'

interface ItemFieldProps {
  /** Its name in a form. */
  readonly 'data-path'?: string
  readonly items: readonly ListedItem[]
  readonly value: string
  readonly error: ReactNode
  readonly onType: (text: string) => void
  readonly onChoose: (item: UsedItem) => void
}

/** Keyed by item: an item moves to another group when it becomes a favourite. */
interface ItemPosition {
  readonly key: string
  readonly isStar: boolean
}

/**
 * A combobox with a grid (WAI-ARIA): the focus stays in the input. Up and down move through items, right and left to the
 * favourite button and back, Enter chooses, Escape closes.
 */
export function ItemField({ items, value, error, onType, onChoose, 'data-path': path }: ItemFieldProps) {
  const { t } = useTranslation(materialEntryText)
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState<ItemPosition | null>(null)
  const [searchText] = useDebouncedValue(value.trim(), 200)
  const found = useQuery({ ...itemSearchQuery(searchText), enabled: isOpen && searchText.length > 1 })
  const star = useToggleFavourite()
  const shown = filterItems(items, found.data ?? [], value).slice(0, shownMax)
  const row = shown.findIndex((item) => getItemKey(item) === at?.key)
  const position = at === null || row < 0 ? null : { row, isStar: at.isStar }
  const current = position === null ? undefined : shown[position.row]
  const active = isOpen && position !== null && current !== undefined ? positionId(id, position) : undefined

  useEffect(() => {
    if (active !== undefined) document.getElementById(active)?.scrollIntoView({ block: 'nearest' })
  }, [active])

  const close = () => {
    setOpen(false)
    setAt(null)
  }
  const choose = (item: UsedItem) => {
    close()
    onChoose(item)
  }
  const move = (next: GridPosition) => {
    const item = shown.at(next.row % shown.length)
    if (item !== undefined) setAt({ key: getItemKey(item), isStar: next.isStar })
  }
  const step = (rows: number) => {
    setOpen(true)
    if (position === null) move({ row: rows > 0 ? 0 : -1, isStar: false })
    else move({ ...position, row: position.row + rows })
  }
  const press = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'ArrowDown') step(1)
    else if (key === 'ArrowUp') step(-1)
    else if (key === 'Escape' && isOpen) close()
    else if (!isOpen || position === null || current === undefined) return
    else if (key === 'ArrowRight') move({ ...position, isStar: true })
    else if (key === 'ArrowLeft') move({ ...position, isStar: false })
    else if (key === 'Enter' && position.isStar) star.mutate(current)
    else if (key === 'Enter') choose(current)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className="item-field" onBlur={close}>
      <TextInput
        data-path={path}
        size="md"
        label={t.materialEntry.item}
        description={t.materialEntry.itemHint}
        role="combobox"
        aria-haspopup="grid"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-items` : undefined}
        aria-activedescendant={active}
        aria-autocomplete="list"
        autoComplete="off"
        value={value}
        maxLength={200}
        error={error}
        onClick={() => setOpen(true)}
        onKeyDown={press}
        onChange={({ currentTarget }) => {
          setOpen(true)
          setAt(null)
          onType(currentTarget.value)
        }}
      />
      <ErrorAlert error={star.error} />
      {isOpen && (
        <>
          <p className="visually-hidden" role="status">
            {t.materialEntry.itemCount(shown.length)} {t.materialEntry.itemKeys}
          </p>
          <ItemGrid id={id} items={shown} position={position} onMove={move} onChoose={choose} onStar={star.mutate} />
          {shown.length === 0 && !found.isFetching && value.trim() !== '' && (
            <p className="item-list muted">{t.materialEntry.newItem(value.trim())}</p>
          )}
        </>
      )}
    </div>
  )
}

/** More than that nobody reads: typing narrows the list. */
const shownMax = 60
