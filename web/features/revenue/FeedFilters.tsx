// Filters of the feed: sender, department, action and date received; all in the URL.
import type { NamedFeedPage } from '../../../src/app/contract/revenue.ts'
import { NativeSelect } from '@mantine/core'
import { actionParams } from '../../app/search-params.ts'
import { useSearchParams } from '../../app/use-search-params.ts'
import { feedActions } from './feed-api.ts'
import { DayField } from '../../components/DayField.tsx'
import { DepartmentFilter } from '../../components/DepartmentFilter.tsx'
import { feedText } from './feed-i18n.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'

export type FeedSender = NamedFeedPage['sources'][number]

export function FeedFilters({ sources }: { sources: readonly FeedSender[] }) {
  const { t, format } = useTranslation(feedText, revenueText)
  const [{ kilde, avd, handling, fra, til }, change] = useSearchParams('/app/omsetning')
  const given = (value: string) => value || undefined
  return (
    <>
      <NativeSelect
        aria-label={t.feed.source}
        value={kilde ?? ''}
        onChange={({ currentTarget }) => change({ kilde: given(currentTarget.value) })}
        data={[
          { value: '', label: t.feed.allSources },
          ...sources.map(({ source, actor }) => ({ value: source, label: format.actor(actor) })),
        ]}
      />
      <DepartmentFilter value={avd} onChange={(department) => change({ avd: department })} />
      <NativeSelect
        aria-label={t.feed.action}
        value={handling ?? ''}
        onChange={({ currentTarget }) =>
          change({ handling: Object.values(actionParams).find((one) => one === currentTarget.value) })
        }
        data={[
          { value: '', label: t.feed.allActions },
          ...feedActions.map((one) => ({ value: actionParams[one], label: t.feed.actions[one] })),
        ]}
      />
      <DayField inlineLabel={t.table.from} value={fra ?? ''} isOptional onPick={(day) => change({ fra: given(day) })} />
      <DayField inlineLabel={t.table.to} value={til ?? ''} isOptional onPick={(day) => change({ til: given(day) })} />
    </>
  )
}
