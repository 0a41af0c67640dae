// Rejected API calls with their error; searched by request id.
import { Button, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from '../../app/use-search-params.ts'
import { ShowMore } from '../../components/ShowMore.tsx'
import { rejectedCallsQuery } from './api.ts'
import { QueryStates, EmptyState } from '../../components/QueryStates.tsx'
import { integrationText } from './integrations-i18n.ts'
import { auditText } from '../../i18n/audit.ts'
import { useTranslation } from '../../i18n/translation.tsx'

export function RejectedCalls() {
  const { t, language, format } = useTranslation(integrationText, auditText)
  const { calls } = t
  const [{ id = '' }, change] = useSearchParams('/app/administrasjon')
  const query = useInfiniteQuery(rejectedCallsQuery(id, language))
  return (
    <section aria-label={calls.title}>
      <RequestIdSearch key={id} id={id} onSearch={(text) => change({ id: text || undefined })} />
      <QueryStates query={query}>
        {({ pages }) => {
          const rows = pages.flat()
          if (rows.length === 0)
            return (
              <EmptyState title={id === '' ? calls.none : calls.notFound}>
                {id === '' ? calls.noneText : calls.notFoundText}
              </EmptyState>
            )
          return (
            <>
              <ul className="card-list">
                {rows.map((row) => (
                  <li key={`${row.at} ${row.requestId}`} className="panel">
                    <div className="card-line">
                      <strong className="long-word">{row.credential.name ?? row.credential.id}</strong>
                      <span className="muted">{format.timestamp(row.at)}</span>
                    </div>
                    <p className="long-word">{row.text}</p>
                    <p className="muted long-word">
                      <code>
                        {row.method} {row.route} · {row.status} {row.code}
                      </code>
                      {` · ${calls.request} `}
                      <code>{row.requestId}</code>
                    </p>
                  </li>
                ))}
              </ul>
              <ShowMore query={query}>{t.audit.older}</ShowMore>
            </>
          )
        }}
      </QueryStates>
    </section>
  )
}

function RequestIdSearch({ id, onSearch }: { id: string; onSearch: (id: string) => void }) {
  const { t } = useTranslation(integrationText)
  const [text, setText] = useState(id)
  return (
    <form
      className="toolbar"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        onSearch(text.trim())
      }}
    >
      <TextInput
        type="search"
        aria-label={t.calls.find}
        placeholder={t.calls.find}
        value={text}
        maxLength={200}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button type="submit" variant="default">
        {t.calls.search}
      </Button>
    </form>
  )
}
