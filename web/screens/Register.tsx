// Employees, departments, projects and sites: four lists, and each record with what it is related to.
import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { dayText } from '../data/format.ts'
import { isDay } from '../data/days.ts'
import { useSession } from '../data/session.ts'
import { setQuery, textOf, type Row, type SetName } from '../data/sets.ts'
import { DataTable, type Column } from '../parts/DataTable.tsx'
import { Icon } from '../parts/Icon.tsx'
import { isTyping, shortcutsAreOn } from '../parts/keys.ts'
import { Page } from '../parts/Page.tsx'
import { SideDrawer } from '../parts/SideDrawer.tsx'
import { Fetched, State } from '../parts/States.tsx'
import { useText } from '../text/text.tsx'
import { filterFor, listings, setNames, type FieldName } from './listings.ts'

const route = getRouteApi('/app/register')

const pageRows = 50

export const Register = () => {
  const { say } = useText()
  const { liste = 'Ansatt', sok, side = 1, id } = route.useSearch()
  const { scopes } = useSession()
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
      title={say.register.title}
      aside={
        scopes.includes('directory:write') && (
          <Link to="/app/import" search={{ hva: liste }}>
            {say.register.importFile}
          </Link>
        )
      }
    >
      <div className="toolbar">
        <SegmentedControl
          aria-label={say.register.title}
          value={liste}
          onChange={(value) =>
            void navigate({ search: { liste: setNames.find((one) => one === value) } })
          }
          data={setNames.map((value) => ({ value, label: say.register.sets[value] }))}
        />
        <Search
          key={liste}
          label={say.register.searchIn(say.register.sets[liste])}
          value={sok ?? ''}
          onSearch={(text) =>
            void navigate({ search: { liste, sok: text || undefined }, replace: true })
          }
        />
      </div>
      <Fetched query={page}>
        {({ value, '@odata.count': count = 0 }) =>
          value.length === 0 ? (
            <Nothing set={liste} isFiltered={sok !== undefined} />
          ) : (
            <>
              <DataTable
                label={say.register.sets[liste]}
                rows={value}
                columns={listing.columns.map((name) => columnOf(name, say.register.fields[name]))}
                keyOf={(row) => textOf(row['Id'])}
                openKey={id}
                onOpen={open}
              />
              <Pager page={side} count={count} rows={value.length} />
            </>
          )
        }
      </Fetched>
      {id !== undefined && (
        <RecordDrawer
          set={liste}
          id={id}
          onClose={() => void navigate({ search: (last) => ({ ...last, id: undefined }) })}
        />
      )}
    </Page>
  )
}

const columnOf = (name: FieldName, title: string): Column<Row> => ({
  name,
  title,
  show: (row) => <Value value={row[name]} />,
  isMinor: name !== 'Id' && name !== 'Navn' && name !== 'Fornavn' && name !== 'Etternavn',
})

/** A related record by its name, a flag in words, a day as people write it. */
const Value = ({ value }: { value: unknown }) => {
  const { say, language } = useText()
  if (typeof value === 'boolean') return value ? say.yes : say.no
  if (typeof value === 'object' && value !== null) return nameIn(value)
  const text = textOf(value)
  return isDay(text) ? dayText(text, language, 'full') : text
}

const nameIn = (record: object): string => {
  const fields = new Map<string, unknown>(Object.entries(record))
  const person = [fields.get('Fornavn'), fields.get('Etternavn')].map(textOf).join(' ').trim()
  return textOf(fields.get('Navn')) || person
}

interface SearchProps {
  readonly label: string
  readonly value: string
  readonly onSearch: (text: string) => void
}

/** Asks when the typing pauses; `/` leads here. */
const Search = ({ label, value, onSearch }: SearchProps) => {
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

const Nothing = ({ set, isFiltered }: { set: SetName; isFiltered: boolean }) => {
  const { say } = useText()
  if (!isFiltered)
    return (
      <State title={say.register.emptyTitle(say.register.sets[set])}>
        {say.register.emptyText}
      </State>
    )
  const clear = (
    <Link to="/app/register" search={{ liste: set }}>
      {say.states.clearFilter}
    </Link>
  )
  return (
    <State title={say.states.noMatchTitle} action={clear}>
      {say.states.noMatchText}
    </State>
  )
}

const Pager = ({ page, count, rows }: { page: number; count: number; rows: number }) => {
  const { say } = useText()
  const navigate = route.useNavigate()
  const first = (page - 1) * pageRows + 1
  const go = (side: number) => void navigate({ search: (last) => ({ ...last, side }) })
  return (
    <div className="pager">
      <span className="muted" aria-live="polite">
        {say.register.count(first, first + rows - 1, String(count))}
      </span>
      <Button variant="default" disabled={page === 1} onClick={() => go(page - 1)}>
        {say.register.previous}
      </Button>
      <Button variant="default" disabled={first + rows > count} onClick={() => go(page + 1)}>
        {say.register.next}
      </Button>
    </div>
  )
}

const RecordDrawer = ({ set, id, onClose }: { set: SetName; id: string; onClose: () => void }) => {
  const listing = listings[set]
  const query = useQuery(
    setQuery(set, {
      $filter: set === 'Ansatt' ? `Id eq ${Number(id)}` : `Id eq '${id.replaceAll("'", "''")}'`,
      $expand: listing.expandAll,
    }),
  )
  const [record] = query.data?.value ?? []
  return (
    <SideDrawer title={record === undefined ? id : nameIn(record)} note={id} onClose={onClose}>
      <Fetched query={query}>
        {({ value: [row] }) => (row === undefined ? null : <Fields row={row} />)}
      </Fetched>
    </SideDrawer>
  )
}

const Fields = ({ row }: { row: Row }) => {
  const { say } = useText()
  const fields = Object.entries(row).filter(([, value]) => value !== null && value !== '')
  const titles: Readonly<Record<string, string>> = say.register.fields
  return (
    <>
      <dl className="fields">
        {fields
          .filter(([, value]) => !Array.isArray(value))
          .map(([name, value]) => (
            <div key={name}>
              <dt>
                {titles[name] ?? ''} <span className="api-name">{name}</span>
              </dt>
              <dd>
                <Value value={value} />
              </dd>
            </div>
          ))}
      </dl>
      <Related row={row} name="Ansatte" set="Ansatt" />
      <Related row={row} name="Prosjekter" set="Prosjekt" />
      <p className="muted hint">{say.register.apiNames}</p>
    </>
  )
}

interface RelatedProps {
  readonly row: Row
  readonly name: 'Ansatte' | 'Prosjekter'
  readonly set: SetName
}

const Related = ({ row, name, set }: RelatedProps) => {
  const { say } = useText()
  const records: unknown = row[name]
  if (!Array.isArray(records) || records.length === 0) return null
  return (
    <section className="related">
      <h2>
        {say.register.related[name]} <span className="muted">{records.length}</span>
      </h2>
      <div className="work-links">
        {records.slice(0, 40).map((record: Row) => (
          <Link
            key={textOf(record['Id'])}
            to="/app/register"
            search={{ liste: set, id: textOf(record['Id']) }}
            className="chip"
          >
            {nameIn(record)}
          </Link>
        ))}
      </div>
    </section>
  )
}
