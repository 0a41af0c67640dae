// ItemField: free text, or an item from a searchable list, grouped by who used it, with favourites.
import type { UsedItem } from '../../../src/app/contract/material-entry.ts'
import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  filterItems,
  getItemKey,
  itemSearchQuery,
  useToggleFavourite,
  type ListedItem,
  getItemLabel,
} from './items-api.ts'
import { useMaterialEntryText } from './i18n.ts'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { shownMax, useCombobox, type ComboboxOf } from '../../components/use-combobox.ts'
import type { FieldProps } from '../../components/use-fields.ts'
import { Icon } from '../../components/Icon.tsx'
import styles from './MaterialEntry.module.css'

interface ItemFieldProps extends FieldProps {
  readonly items: readonly ListedItem[]
  readonly value: string
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

interface ItemGridProps extends ComboboxOf<ListedItem> {
  readonly onChoose: (item: ListedItem) => void
  readonly onStar: (item: ListedItem) => void
}

function ItemGrid(props: ItemGridProps) {
  const { t } = useMaterialEntryText()
  const rows = props.shown.map((item, row) => ({ item, row }))
  return (
    // Keeps the focus in the input when the pointer chooses.
    <div className="item-list" onMouseDown={(event) => event.preventDefault()} role="presentation">
      <div id={props.listId} role="grid" aria-label={t.materialEntry.items}>
        {Object.entries(t.materialEntry.itemGroups).map(([group, name]) => {
          const members = rows.filter(({ item }) => item.group === group)
          if (members.length === 0) return null
          return (
            <div key={group} role="rowgroup" aria-label={name}>
              <p className={styles.group} aria-hidden="true">
                {name}
              </p>
              {members.map((one) => (
                <ItemRow key={one.row} {...props} {...one} />
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}

interface ItemRowProps extends ItemGridProps {
  readonly item: ListedItem
  readonly row: number
}

function ItemRow({ item, row, index, isButton, optionId, move, onChoose, onStar }: ItemRowProps) {
  const { t } = useMaterialEntryText()
  const isCurrent = index === row
  const isStarred = item.group === 'favourite'
  return (
    <div role="row" className={styles.row}>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */}
      <div
        id={optionId(row)}
        role="gridcell"
        className="item-name"
        aria-selected={isCurrent && !isButton}
        onClick={() => onChoose(item)}
        onPointerMove={() => move(item)}
      >
        <span>{getItemLabel(item)}</span>
        <span className="muted">
          {[item.itemName === null ? null : item.itemId, item.unit].filter(Boolean).join(' · ')}
        </span>
      </div>
      <div role="gridcell">
        <button
          id={optionId(row, true)}
          type="button"
          tabIndex={-1}
          className={isStarred ? styles.starred : styles.star}
          data-focused={isCurrent && isButton ? true : undefined}
          aria-label={t.materialEntry.star(getItemLabel(item))}
          aria-pressed={isStarred}
          onClick={() => onStar(item)}
        >
          <Icon name="star" />
        </button>
      </div>
    </div>
  )
}
