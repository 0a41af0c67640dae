// ItemField: free text, or an item from a searchable list with favourites.
import type { UsedItem } from '../../../src/app/contract/material-entry.ts'
import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { filterItems, getItemKey, itemSearchQuery, useToggleFavourite, type ListedItem } from './items-api.ts'
import { useMaterialEntryText } from './i18n.ts'
import { ItemGrid } from './ItemGrid.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { shownMax, useCombobox } from '../../components/use-combobox.ts'

interface ItemFieldProps {
  /** Its name in a form. */
  readonly 'data-path'?: string
  readonly items: readonly ListedItem[]
  readonly value: string
  readonly error: ReactNode
  readonly onType: (text: string) => void
  readonly onChoose: (item: UsedItem) => void
}

/** Right and left move to the favourite button of an item, and back. */
export function ItemField({ items, value, error, onType, onChoose, 'data-path': path }: ItemFieldProps) {
  const { t } = useMaterialEntryText()
  const [searchText] = useDebouncedValue(value.trim(), 200)
  const star = useToggleFavourite()
  const [isOpen, setOpen] = useState(false)
  const found = useQuery({ ...itemSearchQuery(searchText), enabled: isOpen && searchText.length > 1 })
  const combobox = useCombobox({
    isOpen,
    setOpen,
    list: () => filterItems(items, found.data ?? [], value).slice(0, shownMax),
    keyOf: getItemKey,
  })
  const { shown, current, isButton, move, close } = combobox
  const choose = (item: UsedItem) => {
    close()
    onChoose(item)
  }
  const press = (key: string) => {
    if (current === undefined) return false
    if (key === 'ArrowRight' || key === 'ArrowLeft') move(current, key === 'ArrowRight')
    else if (key === 'Enter' && isButton) star.mutate(current)
    else if (key === 'Enter') choose(current)
    else return false
    return true
  }
  return (
    <div className="item-field" onBlur={close}>
      <TextInput
        {...combobox.input}
        onKeyDown={combobox.handleKeys(press)}
        aria-haspopup="grid"
        data-path={path}
        size="md"
        label={t.materialEntry.item}
        description={t.materialEntry.itemHint}
        value={value}
        maxLength={200}
        error={error}
        onChange={({ currentTarget }) => {
          combobox.search()
          onType(currentTarget.value)
        }}
      />
      <ErrorAlert error={star.error} />
      {isOpen && (
        <>
          <p className="visually-hidden" role="status">
            {t.materialEntry.itemCount(shown.length)} {t.materialEntry.itemKeys}
          </p>
          {shown.length > 0 && <ItemGrid {...combobox} onChoose={choose} onStar={star.mutate} />}
          {shown.length === 0 && !found.isFetching && value.trim() !== '' && (
            <p className="item-list muted">{t.materialEntry.newItem(value.trim())}</p>
          )}
        </>
      )}
    </div>
  )
}
