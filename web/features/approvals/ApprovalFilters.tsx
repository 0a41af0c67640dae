// ApprovalFilters: tabs with counts, and filters; all of it in the URL.
import { Button } from '../../components/Button.tsx'
import type { ApprovalOverview } from '../../../src/app/contract/approvals.ts'
import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { groupings } from '../../api/approvals.ts'
import { getMonday, addDays, getIsoWeek } from '../../api/days.ts'
import { listNames, listStates } from '../../app/approval-search.ts'
import { groupingParams } from '../../app/search-params.ts'
import { useSearchParams } from '../../app/use-search-params.ts'
import { useSession } from '../../api/session.ts'
import { directoryCodesQuery, type CodeChoices } from '../../api/directory-codes.ts'
import { ChoiceSelect } from '../../components/ChoiceSelect.tsx'
import { FilterField } from '../../components/FilterField.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { SavedViews } from '../../components/SavedViews.tsx'
import { DepartmentFilter } from '../../components/DepartmentFilter.tsx'
import { useApprovalText } from '../../i18n/approvals.ts'
import { stateNames } from './use-decisions.ts'
import styles from './ApprovalFilters.module.css'

const filterNames = ['fra', 'avd', 'prosjekt', 'ansatt', 'kilde', 'sok', 'avvik'] as const

/** All parameters but the list and its groups. */
export const noFilter = Object.fromEntries(
  [...filterNames, 'til', 'sorter', 'merket', 'linje'].map((name) => [name, undefined]),
)

/** `counts` is undefined until the reply has come. */
export function ApprovalFilters({ counts }: { counts: ApprovalOverview['counts'] | undefined }) {
  const { t, format } = useApprovalText()
  const [search, change] = useSearchParams('/app/godkjenning')
  const [isOpen, setOpen] = useState(false)
  const filters = filterNames.filter((name) => search[name] !== undefined).length
  return (
    <>
      <nav className="tabs" aria-label={t.approvals.lists}>
        {listNames.map((name) => {
          const count = counts?.find(({ state }) => state === stateNames[listStates[name]])?.count ?? 0
          const isHere = (search.liste ?? 'venter') === name
          return (
            <button
              key={name}
              type="button"
              aria-current={isHere ? 'page' : undefined}
              onClick={() => change({ liste: name, linje: undefined, merket: undefined })}
            >
              {t.approvals.tabs[name]}{' '}
              <span className="tab-count">{counts === undefined ? t.none : format.count(count)}</span>
            </button>
          )
        })}
      </nav>
      <div className={`toolbar ${styles.bar}`}>
        {search.liste !== 'eksportert' && (
          <SearchField label={t.approvals.search} value={search.sok ?? ''} onSearch={(sok) => change({ sok })} />
        )}
        <ChoiceSelect
          aria-label={t.approvals.groupBy}
          value={search.gruppe ?? groupingParams.project}
          choices={groupings.map((one) => [groupingParams[one], t.approvals.groups[one]])}
          onPick={(gruppe) => change({ gruppe })}
        />
        {/* On narrow screens these filters are collapsed. */}
        <Button
          label={t.approvals.filters(filters)}
          className={styles.toggle}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
        <div className={`${styles.more} ${isOpen ? styles.open : ''}`}>
          <WeekSelect />
          <DepartmentFilter value={search.avd} onChange={(avd) => change({ avd })} />
          <MoreFilters />
          <Switch
            label={t.approvals.anomaliesOnly}
            checked={search.avvik === true}
            onChange={({ currentTarget }) => change({ avvik: currentTarget.checked })}
          />
          <SavedViews screen="godkjenning" />
        </div>
        {filters > 0 && <Button label={t.states.clearFilter} variant="subtle" onClick={() => change(noFilter)} />}
      </div>
    </>
  )
}

/** Filters by project, employee and source, shown on demand or when set. */
function MoreFilters() {
  const { t } = useApprovalText()
  const [search, change] = useSearchParams('/app/godkjenning')
  const [isOpen, setOpen] = useState(false)
  const isSet = [search.prosjekt, search.ansatt, search.kilde].some((one) => one !== undefined)
  const isShown = isOpen || isSet
  const { data: projects = [] } = useQuery({ ...directoryCodesQuery('Prosjekt'), enabled: isShown })
  const { data: employees = [] } = useQuery({ ...directoryCodesQuery('Ansatt'), enabled: isShown })
  if (!isShown) return <Button label={t.approvals.moreFilters} onClick={() => setOpen(true)} />
  const field = (name: 'prosjekt' | 'ansatt' | 'kilde', label: string, choices: CodeChoices) => (
    <FilterField
      key={`${name} ${search[name]}`}
      label={label}
      w="9rem"
      value={search[name] ?? ''}
      choices={choices}
      onSet={(value) => change({ [name]: value })}
    />
  )
  const { columns } = t.approvals
  return (
    <>
      {field('prosjekt', columns.project, projects)}
      {field('ansatt', columns.employee, employees)}
      {field('kilde', columns.source, [])}
    </>
  )
}

/** The last four weeks, or all. */
function WeekSelect() {
  const { t } = useApprovalText()
  const { today } = useSession()
  const [{ fra = '' }, change] = useSearchParams('/app/godkjenning')
  const mondays = [0, 1, 2, 3].map((weeks) => addDays(getMonday(today), -7 * weeks))
  return (
    <ChoiceSelect
      aria-label={t.revenue.period}
      value={fra}
      choices={[
        ['', t.approvals.allWeeks],
        ...mondays.map((monday) => [monday, `${t.revenue.per.week} ${getIsoWeek(monday)}`] as const),
      ]}
      onPick={(monday) => change({ fra: monday, til: monday && addDays(monday, 6) })}
    />
  )
}
