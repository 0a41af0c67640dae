// ItemGrid: items grouped by who used them, each with a favourite button.
import { nameOf } from './items-api.ts'
import { itemGroups, type ListedItem } from './listed-item.ts'
import { Icon } from '../../components/Icon.tsx'
import { usageText } from './i18n.ts'
import { useText } from '../../i18n/translation.tsx'

/** The active cell. */
export interface Spot {
  readonly row: number
  readonly isStar: boolean
}

/** Element id, for aria-activedescendant. */
export function spotId(list: string, { row, isStar }: Spot): string {
  return `${list}-${row}${isStar ? '-star' : ''}`
}

interface ItemRowsProps {
  readonly id: string
  readonly items: readonly ListedItem[]
  readonly spot: Spot | null
  readonly onMove: (spot: Spot) => void
  readonly onChoose: (item: ListedItem) => void
  readonly onStar: (item: ListedItem) => void
}

export function ItemRows({ id, items, ...acts }: ItemRowsProps) {
  const { say } = useText(usageText)
  const rows = items.map((item, row) => ({ item, row }))
  if (rows.length === 0) return null
  return (
    // Keeps the focus in the input when the pointer chooses.
    <div className="item-list" onMouseDown={(event) => event.preventDefault()} role="presentation">
      <div id={`${id}-items`} role="grid" aria-label={say.usage.items}>
        {itemGroups.map((group) => {
          const members = rows.filter(({ item }) => item.group === group)
          if (members.length === 0) return null
          return (
            <div key={group} role="rowgroup" aria-label={say.usage.itemGroups[group]}>
              <p className="item-group" aria-hidden="true">
                {say.usage.itemGroups[group]}
              </p>
              {members.map((one) => (
                <Row key={one.row} id={id} {...one} {...acts} />
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}

interface RowProps extends Omit<ItemRowsProps, 'items'> {
  readonly item: ListedItem
  readonly row: number
}

function Row({ id, item, row, spot, onMove, onChoose, onStar }: RowProps) {
  const { say } = useText(usageText)
  const isHere = spot?.row === row
  const isStarred = item.group === 'favourite'
  return (
    <div role="row" className="item-row">
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */}
      <div
        id={spotId(id, { row, isStar: false })}
        role="gridcell"
        className="item-name"
        aria-selected={isHere && !spot.isStar}
        onClick={() => onChoose(item)}
        onPointerMove={() => onMove({ row, isStar: false })}
      >
        <span>{nameOf(item)}</span>
        <span className="muted">
          {[item.itemName === null ? null : item.itemId, item.unit].filter(Boolean).join(' · ')}
        </span>
      </div>
      <div role="gridcell">
        <button
          id={spotId(id, { row, isStar: true })}
          type="button"
          tabIndex={-1}
          className={isStarred ? 'item-star is-starred' : 'item-star'}
          data-focused={isHere && spot.isStar ? true : undefined}
          aria-label={say.usage.star(nameOf(item))}
          aria-pressed={isStarred}
          onClick={() => onStar(item)}
        >
          <Icon name="star" />
        </button>
      </div>
    </div>
  )
}
