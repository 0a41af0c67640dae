// ItemField: free text, or an item from a searchable list with favourites.
import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState, type KeyboardEvent, type Ref } from 'react'
import { fittingItems, itemKey, searchQuery, useStar } from './items-api.ts'
import type { ListedItem, UsedItem } from './listed-item.ts'
import { usageText } from './i18n.ts'
import { useText } from '../../i18n/translation.tsx'
import { ItemRows, spotId, type Spot } from './ItemGrid.tsx'

interface ItemFieldProps {
  readonly ref: Ref<HTMLInputElement>
  readonly items: readonly ListedItem[]
  readonly value: string
  readonly onType: (text: string) => void
  readonly onChoose: (item: UsedItem) => void
}

/** Keyed by item: an item moves to another group when it becomes a favourite. */
interface Place {
  readonly key: string
  readonly isStar: boolean
}

/**
 * A combobox with a grid (WAI-ARIA): the focus stays in the input. Up and down move through items, right and left to the
 * favourite button and back, Enter chooses, Escape closes.
 */
export function ItemField({ ref, items, value, onType, onChoose }: ItemFieldProps) {
  const { say } = useText(usageText)
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState<Place | null>(null)
  const [asked] = useDebouncedValue(value.trim(), 200)
  const found = useQuery({ ...searchQuery(asked), enabled: isOpen && asked.length > 1 })
  const star = useStar()
  const shown = fittingItems(items, found.data ?? [], value).slice(0, shownMax)
  const row = shown.findIndex((item) => itemKey(item) === at?.key)
  const spot = at === null || row < 0 ? null : { row, isStar: at.isStar }
  const current = spot === null ? undefined : shown[spot.row]
  const active = isOpen && spot !== null && current !== undefined ? spotId(id, spot) : undefined

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
  const move = (next: Spot) => {
    const item = shown.at(next.row % shown.length)
    if (item !== undefined) setAt({ key: itemKey(item), isStar: next.isStar })
  }
  const step = (rows: number) => {
    setOpen(true)
    if (spot === null) move({ row: rows > 0 ? 0 : -1, isStar: false })
    else move({ ...spot, row: spot.row + rows })
  }
  const press = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'ArrowDown') step(1)
    else if (key === 'ArrowUp') step(-1)
    else if (key === 'Escape' && isOpen) close()
    else if (!isOpen || spot === null || current === undefined) return
    else if (key === 'ArrowRight') move({ ...spot, isStar: true })
    else if (key === 'ArrowLeft') move({ ...spot, isStar: false })
    else if (key === 'Enter' && spot.isStar) star.mutate(current)
    else if (key === 'Enter') choose(current)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className="item-field" onBlur={close}>
      <TextInput
        ref={ref}
        size="md"
        label={say.usage.item}
        description={say.usage.itemHint}
        role="combobox"
        aria-haspopup="grid"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-items` : undefined}
        aria-activedescendant={active}
        aria-autocomplete="list"
        autoComplete="off"
        value={value}
        onClick={() => setOpen(true)}
        onKeyDown={press}
        onChange={({ currentTarget }) => {
          setOpen(true)
          setAt(null)
          onType(currentTarget.value)
        }}
      />
      {star.error !== null && (
        <p className="problem" role="alert">
          {star.error.message || say.states.offlineTitle}
        </p>
      )}
      {isOpen && (
        <>
          <p className="visually-hidden" role="status">
            {say.usage.itemCount(shown.length)} {say.usage.itemKeys}
          </p>
          <ItemRows
            id={id}
            items={shown}
            spot={spot}
            onMove={move}
            onChoose={choose}
            onStar={star.mutate}
          />
          {shown.length === 0 && !found.isFetching && value.trim() !== '' && (
            <p className="item-list muted">{say.usage.newItem(value.trim())}</p>
          )}
        </>
      )}
    </div>
  )
}

/** More than that nobody reads: typing narrows the list. */
const shownMax = 60
