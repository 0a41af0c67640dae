// Explore API: an OData query by form, its response, and the same query as code.
import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { get } from '../../api/client.ts'
import { useSearchParams } from '../../app/use-search-params.ts'
import { generateCode, languages, parseErrorPosition, type ExploredSet, type ExploreOptions } from './explore-params.ts'
import { CopyButton } from '../../components/CopyableText.tsx'
import { Page } from '../../components/Page.tsx'
import { ErrorState, Loading } from '../../components/QueryStates.tsx'
import { useExploreText } from './i18n.ts'
import styles from './Explore.module.css'
import { getTarget, QueryForm } from './QueryForm.tsx'
import { QueryResult } from './QueryResult.tsx'

export function Explore() {
  const { t } = useExploreText()
  const [{ sett = 'Omsetning', ...search }, change] = useSearchParams('/app/utforsk')
  const options: ExploreOptions = {
    $select: search.select,
    $filter: search.filter,
    $expand: search.expand,
    $orderby: search.orderby,
    $top: search.top ?? '20',
  }
  const query = useQuery({
    queryKey: ['explore', sett, options],
    queryFn: () => get('read', { set: sett, ...options }),
    retry: false,
  })
  return (
    <Page title={t.screens.utforsk}>
      <div className={styles.explore}>
        <QueryForm
          key={sett}
          set={sett}
          options={options}
          error={query.error}
          onRun={(set, chosen) =>
            change(
              {
                sett: set,
                select: chosen.$select || undefined,
                filter: chosen.$filter || undefined,
                expand: chosen.$expand || undefined,
                orderby: chosen.$orderby || undefined,
                top: chosen.$top || undefined,
              },
              { replace: false },
            )
          }
        />
        <div className={styles.result}>
          {query.error !== null && parseErrorPosition(getTarget(query.error)) === null && (
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          )}
          {query.data === undefined ? (
            query.isPending && <Loading />
          ) : (
            <QueryResult reply={query.data} set={sett} options={options} />
          )}
          <Code set={sett} options={options} />
        </div>
      </div>
    </Page>
  )
}

function Code({ set, options }: { set: ExploredSet; options: ExploreOptions }) {
  const { t } = useExploreText()
  const [language, setLanguage] = useState<(typeof languages)[number]>('curl')
  const code = generateCode(language, set, options, t.explore.key)
  return (
    <section aria-label={t.explore.code}>
      <div className="toolbar">
        <SegmentedControl aria-label={t.explore.code} value={language} onChange={setLanguage} data={[...languages]} />
        <CopyButton text={code} />
      </div>
      <pre className="code" tabIndex={0}>
        {code}
      </pre>
    </section>
  )
}
