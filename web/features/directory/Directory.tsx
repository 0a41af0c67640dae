// Directory: employees, departments, projects and sites, with a drawer for each record.
import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '../../api/session.ts'
import { setQuery, textOf, type Row, type SetName } from '../../api/sets.ts'
import { DataTable, type Column } from '../../components/DataTable.tsx'
import { Icon } from '../../components/Icon.tsx'
import { isTyping, shortcutsAreOn } from '../../components/shortcut-keys.ts'
import { Page } from '../../components/Page.tsx'
import { Fetched, NoMatch, State } from '../../components/QueryStates.tsx'
import { useRecordText } from './records-i18n.ts'
import { registerText } from '../../i18n/directory.ts'
import { useText } from '../../i18n/translation.tsx'
import { RecordDrawer } from './RecordDrawer.tsx'
import { Value } from './Value.tsx'
import { filterFor, listings, setNames, type FieldName } from './listings.ts'

const route = getRouteApi('/app/register')

const pageRows = 50

export function Directory() {
  const { say } = useText(registerText)
  const { liste = 'Ansatt', sok, side = 1, id, ny, kode } = route.useSearch()
  const { scopes } = useSession()
  const mayWrite = scopes.includes('directory:write')
  const records = useRecordText()
  const navigate = route.useNavigate()
  const listing = listings[liste]
  const page = useQuery(
    setQuery(liste, {
      $select: listing.select,
      $expand: listing.expand,
      $orderby: listing.order,
      $count: 'true',
      $top: pageRows,
      $skip: (side - 1) * pageRows,
      $filter: sok === undefined ? undefined : filterFor(listing.searched, sok),
    }),
  )
  const open = (row: Row) =>
    void navigate({ search: (last) => ({ ...last, id: textOf(row['Id']) }) })
  return (
    <Page
      title={say.directory.title}
      aside={
        mayWrite && (
          <Link to="/app/import" search={{ hva: liste }}>
            {say.directory.importFile}
          </Link>
        )
      }
    >
      <div className="toolbar">
        <SegmentedControl
          aria-label={say.directory.title}
          value={liste}
          onChange={(value) =>
            void navigate({ search: { liste: setNames.find((one) => one === value) } })
          }
          data={setNames.map((value) => ({ value, label: say.directory.sets[value] }))}
        />
        <Search
          key={liste}
          label={say.directory.searchIn(say.directory.sets[liste])}
          value={sok ?? ''}
          onSearch={(text) =>
            void navigate({ search: { liste, sok: text || undefined }, replace: true })
          }
        />
        {mayWrite && (
          <Button
            variant="default"
            onClick={() =>
              void navigate({ search: (last) => ({ ...last, id: undefined, ny: true }) })
            }
          >
            {records.add[liste]}
          </Button>
        )}
      </div>
      <Fetched query={page}>
        {({ value, '@odata.count': count = 0 }) =>
          value.length === 0 ? (
            <Nothing set={liste} isFiltered={sok !== undefined} />
          ) : (
            <>
              <DataTable
                label={say.directory.sets[liste]}
                rows={value}
                columns={listing.columns.map((name) => columnOf(name, say.directory.fields[name]))}
                keyOf={(row) => textOf(row['Id'])}
                openKey={id}
                onOpen={open}
              />
              <Pager page={side} count={count} rows={value.length} />
            </>
          )
        }
      </Fetched>
      {(id !== undefined || (ny && mayWrite)) && (
        <RecordDrawer
          key={`${liste} ${id}`}
          set={liste}
          id={id ?? null}
          startsWith={kode ?? ''}
          onOpen={(opened) =>
            void navigate({
              search: (last) => ({ ...last, id: opened, ny: undefined, kode: undefined }),
            })
          }
          onClose={() =>
            void navigate({
              search: (last) => ({ ...last, id: undefined, ny: undefined, kode: undefined }),
            })
          }
        />
      )}
    </Page>
  )
}

function columnOf(name: FieldName, title: string): Column<Row> {
  return {
    name,
    title,
    show: (row) => <Value value={row[name]} />,
    isMinor: name !== 'Id' && name !== 'Navn' && name !== 'Fornavn' && name !== 'Etternavn',
  }
}

interface SearchProps {
  readonly label: string
  readonly value: string
  readonly onSearch: (text: string) => void
}

/** Searches when the typing pauses; `/` focuses it. */
function Search({ label, value, onSearch }: SearchProps) {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event) || !shortcutsAreOn()) return
      event.preventDefault()
      field.current?.focus()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  useEffect(() => {
    const timer = setTimeout(() => {
      if (text.trim() !== value) onSearch(text.trim())
    }, 250)
    return () => clearTimeout(timer)
  }, [text, value, onSearch])
  return (
    <TextInput
      ref={field}
      type="search"
      className="search"
      aria-label={label}
      placeholder={label}
      leftSection={<Icon name="search" size={16} />}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
    />
  )
}

function Nothing({ set, isFiltered }: { set: SetName; isFiltered: boolean }) {
  const { say } = useText(registerText)
  if (!isFiltered)
    return (
      <State title={say.directory.emptyTitle(say.directory.sets[set])}>
        {say.directory.emptyText}
      </State>
    )
  return (
    <NoMatch
      clear={
        <Link to="/app/register" search={{ liste: set }}>
          {say.states.clearFilter}
        </Link>
      }
    />
  )
}

function Pager({ page, count, rows }: { page: number; count: number; rows: number }) {
  const { say } = useText(registerText)
  const navigate = route.useNavigate()
  const first = (page - 1) * pageRows + 1
  const go = (side: number) => void navigate({ search: (last) => ({ ...last, side }) })
  return (
    <div className="pager">
      <span className="muted" aria-live="polite">
        {say.directory.count(first, first + rows - 1, String(count))}
      </span>
      <Button variant="default" disabled={page === 1} onClick={() => go(page - 1)}>
        {say.directory.previous}
      </Button>
      <Button variant="default" disabled={first + rows > count} onClick={() => go(page + 1)}>
        {say.directory.next}
      </Button>
    </div>
  )
}
