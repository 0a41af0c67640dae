// Directory: employees, departments, projects and sites, with a drawer for each record.
import type { DirectorySet } from '../../../src/app/contract/directory.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSearchParams, type ChangeSearch } from '../../app/use-search-params.ts'
import { useSession } from '../../api/session.ts'
import { setQuery, toText, type SetRow } from '../../api/sets.ts'
import { DataTable } from '../../components/DataTable.tsx'
import { Page } from '../../components/Page.tsx'
import { QueryStates, NoMatch, EmptyState } from '../../components/QueryStates.tsx'
import { recordText } from './records-i18n.ts'
import { directoryText } from '../../i18n/directory.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { RecordDrawer } from './RecordDrawer.tsx'
import { Value } from './Value.tsx'
import { toOrderBy, toSearchFilter, listDefinitions, setNames, type FieldName } from './listings.ts'
import { FieldNamesSwitch, type Column } from '../../components/Table.tsx'
import { Tabs } from '../../components/Tabs.tsx'

const pageRows = 50

const noRecord = { id: undefined, ny: undefined, kode: undefined }

export function Directory() {
  const { t } = useTranslation(recordText, directoryText)
  const [{ liste = 'Ansatt', sok, sorter, side = 1, id, ny, kode }, changeSearch] = useSearchParams('/app/register')
  const change: ChangeSearch<'/app/register'> = (changes) => changeSearch(changes, { replace: false })
  const { scopes } = useSession()
  const mayWrite = scopes.includes('directory:write')
  const listing = listDefinitions[liste]
  const page = useQuery(
    setQuery(liste, {
      $select: listing.select,
      $expand: listing.expand,
      $orderby: toOrderBy(listing, sorter),
      $count: 'true',
      $top: pageRows,
      $skip: (side - 1) * pageRows,
      $filter: sok === undefined ? undefined : toSearchFilter(listing.searched, sok),
    }),
  )
  return (
    <Page
      title={t.directory.title}
      aside={
        mayWrite && (
          <Link to="/app/import" search={{ hva: liste }}>
            {t.directory.importFile}
          </Link>
        )
      }
    >
      <Tabs
        label={t.directory.title}
        names={setNames}
        current={liste}
        titles={t.directory.sets}
        linkTo={(name) => ({ to: '/app/register', search: { liste: name } })}
      />
      <div className="toolbar">
        <SearchField
          key={liste}
          label={t.directory.searchIn(t.directory.sets[liste])}
          value={sok ?? ''}
          onSearch={(text) => changeSearch({ sok: text || undefined, ...noRecord, side: undefined })}
        />
        {mayWrite && (
          <Button variant="default" onClick={() => change({ id: undefined, ny: true })}>
            {t.records.add[liste]}
          </Button>
        )}
        <FieldNamesSwitch />
      </div>
      <QueryStates query={page}>
        {({ value, '@odata.count': count = 0 }) =>
          value.length === 0 ? (
            <NoRecords set={liste} isFiltered={sok !== undefined} />
          ) : (
            <>
              <DataTable
                label={t.directory.sets[liste]}
                rows={value}
                columns={listing.columns.map((name) => columnOf(name, t.directory.fields[name]))}
                sorted={{
                  order: sorter,
                  onSort: (order) => changeSearch({ sorter: order, ...noRecord, side: undefined }),
                }}
                keyOf={(row) => toText(row['Id'])}
                openKey={id}
                onOpen={(row) => change({ id: toText(row['Id']) })}
              />
              <Pager page={side} count={count} rows={value.length} />
            </>
          )
        }
      </QueryStates>
      {(id !== undefined || (ny && mayWrite)) && (
        <RecordDrawer
          key={`${liste} ${id}`}
          set={liste}
          id={id ?? null}
          startsWith={kode ?? ''}
          onOpen={(opened) => change({ ...noRecord, id: opened })}
          onClose={() => change(noRecord)}
        />
      )}
    </Page>
  )
}

function columnOf(name: FieldName, title: string): Column<SetRow> {
  return {
    apiName: name,
    title,
    sortName: name,
    show: (row) => <Value value={row[name]} />,
    isMinor: name !== 'Id' && name !== 'Navn' && name !== 'Fornavn' && name !== 'Etternavn',
  }
}

function NoRecords({ set, isFiltered }: { set: DirectorySet; isFiltered: boolean }) {
  const { t } = useTranslation(directoryText)
  if (!isFiltered)
    return <EmptyState title={t.directory.emptyTitle(t.directory.sets[set])}>{t.directory.emptyText}</EmptyState>
  return (
    <NoMatch
      clear={
        <Link to="/app/register" search={{ liste: set }}>
          {t.states.clearFilter}
        </Link>
      }
    />
  )
}

function Pager({ page, count, rows }: { page: number; count: number; rows: number }) {
  const { t } = useTranslation(directoryText)
  const [, change] = useSearchParams('/app/register')
  const first = (page - 1) * pageRows + 1
  const go = (side: number) => change({ side }, { replace: false })
  return (
    <div className="pager">
      <span className="muted" aria-live="polite">
        {t.directory.count(first, first + rows - 1, String(count))}
      </span>
      <Button variant="default" disabled={page === 1} onClick={() => go(page - 1)}>
        {t.directory.previous}
      </Button>
      <Button variant="default" disabled={first + rows > count} onClick={() => go(page + 1)}>
        {t.directory.next}
      </Button>
    </div>
  )
}
