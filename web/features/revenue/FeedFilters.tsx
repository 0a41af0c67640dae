// Filters of the feed: sender, department, action and date received; all in the URL.
import { NativeSelect } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { actionParams } from '../../app/search-params.ts'
import { feedActions } from './feed-api.ts'
import { DayField } from '../../components/DayField.tsx'
import { DepartmentFilter } from '../../components/DepartmentFilter.tsx'
import { feedText } from './feed-i18n.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'

export interface FeedSender {
  readonly source: string
  readonly actor: string
  readonly lastAt: number
}

interface FeedFiltersProps {
  readonly sources: readonly FeedSender[]
  readonly onChange: (changes: object) => void
}

const route = getRouteApi('/app/omsetning')

export function FeedFilters({ sources, onChange }: FeedFiltersProps) {
  const { t, format } = useTranslation(feedText, revenueText)
  const { kilde, avd, handling, fra, til } = route.useSearch()
  const given = (value: string) => value || undefined
  return (
    <div className="toolbar">
      <NativeSelect
        aria-label={t.feed.source}
        value={kilde ?? ''}
        onChange={({ currentTarget }) => onChange({ kilde: given(currentTarget.value) })}
        data={[
          { value: '', label: t.feed.allSources },
          ...sources.map(({ source, actor }) => ({ value: source, label: format.actor(actor) })),
        ]}
      />
      <DepartmentFilter value={avd} onChange={(department) => onChange({ avd: department })} />
      <NativeSelect
        aria-label={t.feed.action}
        value={handling ?? ''}
        onChange={({ currentTarget }) => onChange({ handling: given(currentTarget.value) })}
        data={[
          { value: '', label: t.feed.allActions },
          ...feedActions.map((one) => ({ value: actionParams[one], label: t.feed.actions[one] })),
        ]}
      />
      {(
        [
          ['fra', t.revenue.from, fra],
          ['til', t.revenue.to, til],
        ] as const
      ).map(([name, label, day]) => (
        <DayField
          key={name}
          inlineLabel={label}
          value={day ?? ''}
          isOptional
          onPick={(picked) => onChange({ [name]: given(picked) })}
        />
      ))}
    </div>
  )
}
