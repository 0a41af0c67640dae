// Directory: employees, departments, projects and sites, with a drawer for each record.
import { Button } from '../../components/Button.tsx'
import { Link } from '@tanstack/react-router'
import { directorySets } from '../../../src/app/contract/screens.ts'
import { useSearchParams, type ChangeSearch } from '../../app/use-search-params.ts'
import { useSession } from '../../api/session.ts'
import { setPagesQuery, toText, type SetRow } from '../../api/sets.ts'
import { DataTable } from '../../components/DataTable.tsx'
import { Page } from '../../components/Page.tsx'
import { usePages } from '../../components/use-pages.ts'
import { useRecordText } from './records-i18n.ts'
import { SearchField } from '../../components/SearchField.tsx'
import { RecordDrawer } from './RecordDrawer.tsx'
import { toCellValue, Value } from './Value.tsx'
import { toOrderBy, toSearchFilter, listDefinitions, type FieldName } from './listings.ts'
import type { ListColumn } from '../../components/list-columns.tsx'
import { FieldNamesSwitch } from '../../components/Table.tsx'
import { Tabs } from '../../components/Tabs.tsx'

const noRecord = { id: undefined, ny: undefined, kode: undefined }

export function Directory() {
  const { t } = useRecordText()
  const [{ liste = 'Ansatt', sok, sorter, id, ny, kode }, changeSearch] = useSearchParams('/app/register')
  const change: ChangeSearch<'/app/register'> = (changes) => changeSearch(changes, { replace: false })
  const { scopes } = useSession()
  const mayWrite = scopes.includes('directory:write')
  const listing = listDefinitions[liste]
  const options = {
    $select: listing.select,
    $expand: listing.expand,
    $orderby: toOrderBy(listing, sorter),
    $filter: sok === undefined ? undefined : toSearchFilter(listing.searched, sok),
  }
  const pages = usePages(setPagesQuery(liste, options, 50), setPagesQuery(liste, options, 1000))
  return (
    <Page
      title={t.screens.register}
      aside={
        mayWrite && (
          <Link to="/app/import" search={{ hva: liste }}>
            {t.directory.importFile}
          </Link>
        )
      }
    >
      <Tabs
        label={t.screens.register}
        names={directorySets}
        current={liste}
        titles={t.sets}
        linkTo={(name) => ({ to: '/app/register', search: { liste: name } })}
      />
      <DataTable
        key={liste}
        name={liste.toLowerCase()}
        label={t.sets[liste]}
        tools={
          <>
            <SearchField
              label={t.directory.searchIn(t.sets[liste])}
              value={sok ?? ''}
              onSearch={(text) => changeSearch({ sok: text, ...noRecord })}
            />
            {mayWrite && <Button label={t.records.add[liste]} onClick={() => change({ id: undefined, ny: true })} />}
            <FieldNamesSwitch />
          </>
        }
        {...pages}
        count={pages.query.data?.pages[0]?.count}
        columns={listing.columns.map((name) => columnOf(name, t.directory.fields[name]))}
        sorted={{ order: sorter, onSort: (order) => changeSearch({ sorter: order, ...noRecord }) }}
        empty={[t.directory.emptyTitle(t.sets[liste]), t.directory.emptyText]}
        onClear={sok === undefined ? undefined : () => changeSearch({ sok: undefined })}
        keyOf={(row) => toText(row['Id'])}
        isMain
        openKey={id}
        onOpen={(row) => change({ id: toText(row['Id']) })}
      />
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

function columnOf(name: FieldName, title: string): ListColumn<SetRow> {
  return {
    key: name,
    apiName: name,
    title,
    sortName: name,
    isRowHeader: name === 'Navn' || name === 'Etternavn',
    value: (row) => toCellValue(row[name]),
    show: (row) => (
      <>
        <Value value={row[name]} />
        {name === 'Etternavn' && <span className="card-only">, {toText(row['Fornavn'])}</span>}
      </>
    ),
    isMinor: minorFields.has(name),
  }
}

/** Not on cards. */
const minorFields: ReadonlySet<FieldName> = new Set(['Fornavn', 'Epost', 'StartDato', 'Aktiv', 'Hovedavdeling'])
