// ItemGrid: items grouped by who used them, each with a favourite button.
import { getItemLabel, itemGroups, type ListedItem } from './items-api.ts'
import type { useCombobox } from '../../components/use-combobox.ts'
import { Icon } from '../../components/Icon.tsx'
import { useMaterialEntryText } from './i18n.ts'
import styles from './MaterialEntry.module.css'

interface ItemGridProps extends Pick<
  ReturnType<typeof useCombobox<ListedItem>>,
  'listId' | 'shown' | 'index' | 'isButton' | 'optionId' | 'move'
> {
  readonly onChoose: (item: ListedItem) => void
  readonly onStar: (item: ListedItem) => void
}

export function ItemGrid(props: ItemGridProps) {
  const { t } = useMaterialEntryText()
  const rows = props.shown.map((item, row) => ({ item, row }))
  return (
    // Keeps the focus in the input when the pointer chooses.
    <div className="item-list" onMouseDown={(event) => event.preventDefault()} role="presentation">
      <div id={props.listId} role="grid" aria-label={t.materialEntry.items}>
        {itemGroups.map((group) => {
          const members = rows.filter(({ item }) => item.group === group)
          if (members.length === 0) return null
          return (
            <div key={group} role="rowgroup" aria-label={t.materialEntry.itemGroups[group]}>
              <p className={styles.group} aria-hidden="true">
                {t.materialEntry.itemGroups[group]}
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
