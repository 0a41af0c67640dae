// ColumnMenu: the choice of a list's columns, kept in this browser, and the order of its cards.
import { Button } from './Button.tsx'
import { Checkbox, Popover } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useMemo } from 'react'
import { useTranslation } from '../i18n/translation.ts'
import { ChoiceSelect, type Choice } from './ChoiceSelect.tsx'
import type { ListColumn } from './list-columns.tsx'
import type { TableOrder } from './Table.tsx'
import { useMatches } from './use-matches.ts'

type ChosenColumn = Pick<ListColumn<never>, 'key' | 'title' | 'isMinor' | 'isOptional' | 'isHidden' | 'sortName'>

/** `choice` is by key of a column: whether the user shows it. Without a name of the list nothing can be chosen. */
export function useColumnChoice<One extends ChosenColumn>(name = '', columns: readonly One[]) {
  const [choice, choose] = useLocalStorage<Readonly<Record<string, boolean>>>({
    key: `dagsverk-columns-${name}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  })
  const hasCards = useHasCards()
  const chosen = useMemo(() => {
    // Also those that the screen is too narrow for.
    const inFile = columns.filter(({ key = '', isOptional = false }) => choice[key] ?? !isOptional)
    const shown = inFile.filter(
      ({ key = '', isMinor = false, isHidden = isMinor && hasCards }) => choice[key] === true || !isHidden,
    )
    return { inFile, shown }
  }, [columns, choice, hasCards])
  return { columns, ...chosen, choice, choose, hasCards }
}

/** Rows are cards: beside the navigation, a tablet is too narrow for a table without truncated numbers. */
export function useHasCards(): boolean {
  return useMatches('(max-width: 64rem)')
}

type ColumnMenuProps = ReturnType<typeof useColumnChoice> & { readonly sorted: TableOrder | undefined }

export function ColumnMenu({ columns, shown, choice, choose, hasCards, sorted }: ColumnMenuProps) {
  const { t } = useTranslation()
  const orders = columns.flatMap(({ sortName, title }): readonly Choice<string>[] =>
    sortName === undefined
      ? []
      : [
          [sortName, `${title} ↑`],
          [`-${sortName}`, `${title} ↓`],
        ],
  )
  return (
    <Popover position="bottom-end" trapFocus returnFocus transitionProps={{ duration: 0 }}>
      <Popover.Target>
        <Button label={t.table.view} size="compact-sm" variant="subtle" icon="settings" title={t.table.view} />
      </Popover.Target>
      <Popover.Dropdown className="stack column-menu">
        {hasCards && sorted !== undefined && (
          // Cards have no column titles.
          <ChoiceSelect
            aria-label={t.table.sortBy}
            value={sorted.order ?? ''}
            choices={[['', t.table.sortBy], ...orders]}
            onPick={(order) => sorted.onSort(order || undefined)}
          />
        )}
        <Checkbox.Group label={t.table.columns} value={shown.flatMap(({ key = [] }) => key)}>
          {columns.map(
            ({ key, title }) =>
              key !== undefined && (
                <Checkbox
                  key={key}
                  mt="xs"
                  value={key}
                  label={title}
                  onChange={({ currentTarget }) => choose({ ...choice, [key]: currentTarget.checked })}
                />
              ),
          )}
        </Checkbox.Group>
        <Button label={t.table.reset} disabled={Object.keys(choice).length === 0} onClick={() => choose({})} />
      </Popover.Dropdown>
    </Popover>
  )
}
