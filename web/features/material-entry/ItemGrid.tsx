// ItemGrid: items grouped by who used them, each with a favourite button.
import { getItemLabel } from './items-api.ts'
import { itemGroups, type ListedItem } from './listed-item.ts'
import { Icon } from '../../components/Icon.tsx'
import { materialEntryText } from './i18n.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import styles from './MaterialEntry.module.css'

/** The active cell. */
export interface GridPosition {
  readonly row: number
  readonly isStar: boolean
}

/** Element id, for aria-activedescendant. */
export function positionId(list: string, { row, isStar }: GridPosition): string {
  return `${list}-${row}${isStar ? '-star' : ''}`
}

interface ItemGridProps {
  readonly id: string
  readonly items: readonly ListedItem[]
  readonly position: GridPosition | null
  readonly onMove: (position: GridPosition) => void
  readonly onChoose: (item: ListedItem) => void
  readonly onStar: (item: ListedItem) => void
}

export function ItemGrid({ id, items, ...acts }: ItemGridProps) {
  const { t } = useTranslation(materialEntryText)
  const rows = items.map((item, row) => ({ item, row }))
  if (rows.length === 0) return null
  return (
    // Keeps the focus in the input when the pointer chooses.
    <div className="item-list" onMouseDown={(event) => event.preventDefault()} role="presentation">
      <div id={`${id}-items`} role="grid" aria-label={t.materialEntry.items}>
        {itemGroups.map((group) => {
          const members = rows.filter(({ item }) => item.group === group)
          if (members.length === 0) return null
          return (
            <div key={group} role="rowgroup" aria-label={t.materialEntry.itemGroups[group]}>
              <p className={styles.group} aria-hidden="true">
                {t.materialEntry.itemGroups[group]}
              </p>
              {members.map((one) => (
                <ItemRow key={one.row} id={id} {...one} {...acts} />
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}

interface ItemRowProps extends Omit<ItemGridProps, 'items'> {
  readonly item: ListedItem
  readonly row: number
}

function ItemRow({ id, item, row, position, onMove, onChoose, onStar }: ItemRowProps) {
  const { t } = useTranslation(materialEntryText)
  const isHere = position?.row === row
  const isStarred = item.group === 'favourite'
  return (
    <div role="row" className={styles.row}>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */}
      <div
        id={positionId(id, { row, isStar: false })}
        role="gridcell"
        className="item-name"
        aria-selected={isHere && !position.isStar}
        onClick={() => onChoose(item)}
        onPointerMove={() => onMove({ row, isStar: false })}
      >
        <span>{getItemLabel(item)}</span>
        <span className="muted">
          {[item.itemName === null ? null : item.itemId, item.unit].filter(Boolean).join(' · ')}
        </span>
      </div>
      <div role="gridcell">
        <button
          id={positionId(id, { row, isStar: true })}
          type="button"
          tabIndex={-1}
          className={isStarred ? styles.starred : styles.star}
          data-focused={isHere && position.isStar ? true : undefined}
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
