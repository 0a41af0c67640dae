// Rejected API calls with their error; searched by request id.
import { Button, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { refusedCallsQuery } from './api-call-log.ts'
import { momentText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { ShowMore } from '../../components/ShowMore.tsx'
import { Fetched, State } from '../../components/QueryStates.tsx'
import { administrationText } from '../../i18n/administration.ts'
import { auditText } from '../../i18n/audit.ts'
import { useText } from '../../i18n/translation.tsx'

export function RefusedCalls() {
  const { say, language } = useText(administrationText, auditText)
  const { calls } = say
  const { zone } = useSession()
  const { id = '' } = useSearch({ from: '/app/administrasjon' })
  const query = useInfiniteQuery(refusedCallsQuery(id, language))
  return (
    <section aria-label={calls.title}>
      <Search key={id} id={id} />
      <Fetched query={query}>
        {({ pages }) => {
          const rows = pages.flat()
          if (rows.length === 0)
            return (
              <State title={id === '' ? calls.none : calls.noSuch}>
                {id === '' ? calls.noneText : calls.noSuchText}
              </State>
            )
          return (
            <>
              <ul className="card-list">
                {rows.map((row) => (
                  <li key={`${row.at} ${row.requestId}`} className="panel">
                    <div className="card-line">
                      <strong className="long-word">
                        {row.credential.name ?? row.credential.id}
                      </strong>
                      <span className="muted">{momentText(row.at, language, zone)}</span>
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
              <ShowMore query={query}>{say.audit.older}</ShowMore>
            </>
          )
        }}
      </Fetched>
    </section>
  )
}

function Search({ id }: { id: string }) {
  const { say } = useText(administrationText)
  const navigate = useNavigate({ from: '/app/administrasjon' })
  const [text, setText] = useState(id)
  return (
    <form
      className="toolbar"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        const id = text.trim()
        void navigate({
          search: (search) => ({ ...search, id: id === '' ? undefined : id }),
          replace: true,
        })
      }}
    >
      <TextInput
        type="search"
        size="sm"
        aria-label={say.calls.find}
        placeholder={say.calls.find}
        value={text}
        maxLength={200}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button size="sm" type="submit" variant="default">
        {say.calls.search}
      </Button>
    </form>
  )
}
