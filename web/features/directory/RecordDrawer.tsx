// RecordDrawer: a record with its relations, and its form.
import { Button } from '../../components/Button.tsx'
import type { DirectorySet } from '../../../src/app/contract/directory.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { fieldsQuery } from './records-api.ts'
import { useSession } from '../../api/session.ts'
import { getDisplayName, setQuery, toText, type SetRow } from '../../api/sets.ts'
import { FieldList } from '../../components/FieldList.tsx'
import { SideDrawer } from '../../components/SideDrawer.tsx'
import { EmptyState, QueryStates } from '../../components/QueryStates.tsx'
import { listDefinitions } from './listings.ts'
import { RecordForm } from './RecordForm.tsx'
import { Value } from './Value.tsx'
import { useRecordText } from './records-i18n.ts'

interface RecordDrawerProps {
  readonly set: DirectorySet
  /** Null for a new record. */
  readonly id: string | null
  /** Initial key of a new record. */
  readonly startsWith: string
  readonly onOpen: (id: string) => void
  readonly onClose: () => void
}

export function RecordDrawer({ set, id, startsWith, onOpen, onClose }: RecordDrawerProps) {
  const { t } = useRecordText()
  if (id !== null) return <RecordView set={set} id={id} onClose={onClose} />
  return (
    <SideDrawer title={t.records.add[set]} note="" onClose={onClose}>
      <RecordForm set={set} startsWith={startsWith} onSaved={onOpen} onDeleted={onClose} onCancel={onClose} />
    </SideDrawer>
  )
}

function RecordView({ set, id, onClose }: { set: DirectorySet; id: string; onClose: () => void }) {
  const { t } = useRecordText()
  const { scopes } = useSession()
  const [phase, setPhase] = useState<'opened' | 'editing' | 'saved' | 'cancelled'>('opened')
  const query = useQuery(
    setQuery(set, {
      $filter: set === 'Ansatt' ? `Id eq ${Number(id)}` : `Id eq '${id.replaceAll("'", "''")}'`,
      $expand: listDefinitions[set].expandAll,
    }),
  )
  const [record] = query.data?.value ?? []
  return (
    <SideDrawer title={record === undefined ? id : getDisplayName(record)} note={id} onClose={onClose}>
      <QueryStates query={query}>
        {({ value: [row] }) => {
          if (row === undefined) return <EmptyState title={t.records.missing}>{t.records.missingText}</EmptyState>
          if (phase === 'editing')
            return (
              <RecordForm
                set={set}
                row={row}
                onSaved={() => setPhase('saved')}
                onDeleted={onClose}
                onCancel={() => setPhase('cancelled')}
              />
            )
          return (
            <>
              <div aria-live="polite">{phase === 'saved' && <p className="alert">{t.records.saved}</p>}</div>
              {scopes.includes('directory:write') && (
                // The form had the focus.
                <Button label={t.records.edit} autoFocus={phase !== 'opened'} onClick={() => setPhase('editing')} />
              )}
              <Fields set={set} row={row} />
            </>
          )
        }}
      </QueryStates>
    </SideDrawer>
  )
}

/** Titles of the import, where the list has no shorter one. */
function Fields({ set, row }: { set: DirectorySet; row: SetRow }) {
  const { t, language } = useRecordText()
  const { data } = useQuery(fieldsQuery(set))
  const { SistEndretDato, OpprettetDato, ...others } = row
  const fields = Object.entries({ ...others, SistEndretDato, OpprettetDato }).filter(
    ([name, value]) => (value ?? '') !== '' && !Array.isArray(value) && !isShownByRelation(name, row),
  )
  const titles: Readonly<Record<string, string>> = {
    ...Object.fromEntries(data?.fields.map((field) => [field.wire, field[language]]) ?? []),
    ...t.directory.fields,
  }
  return (
    <>
      <FieldList
        fields={fields.map(([name, value]) => [
          titles[name] ?? name,
          <RecordFieldValue key={name} name={name} value={value} />,
          name,
        ])}
      />
      <Related row={row} name="Ansatte" set="Ansatt" />
      <Related row={row} name="Prosjekter" set="Prosjekt" />
    </>
  )
}

/** A foreign key is hidden when its record is shown. */
function isShownByRelation(name: string, row: SetRow): boolean {
  return name.endsWith('Id') && typeof row[name.slice(0, -2)] === 'object' && row[name.slice(0, -2)] !== null
}

function RecordFieldValue({ name, value }: { name: string; value: unknown }) {
  const set = relations[name]
  if (set === undefined || typeof value !== 'object' || value === null) return <Value value={value} />
  const id = toText(new Map<string, unknown>(Object.entries(value)).get('Id'))
  return (
    <Link to="/app/register" search={{ liste: set, id }}>
      {id} {getDisplayName(value)}
    </Link>
  )
}

const relations: Readonly<Record<string, DirectorySet | undefined>> = {
  Avdeling: 'Avdeling',
  Hovedavdeling: 'Avdeling',
  Anlegg: 'Anlegg',
  Prosjekt: 'Prosjekt',
  Ansvarlig: 'Ansatt',
}

interface RelatedProps {
  readonly row: SetRow
  readonly name: 'Ansatte' | 'Prosjekter'
  readonly set: DirectorySet
}

function Related({ row, name, set }: RelatedProps) {
  const { t, format } = useRecordText()
  const [showsAll, setShowsAll] = useState(false)
  const records: unknown = row[name]
  if (!Array.isArray(records) || records.length === 0) return null
  const shown: readonly SetRow[] = showsAll ? records : records.slice(0, 40)
  const count = format.count(records.length)
  return (
    <section className="related">
      <h2>
        {t.sets[set]} <span className="muted">{count}</span>
      </h2>
      <div className="chip-list">
        {shown.map((record) => (
          <Link
            key={toText(record['Id'])}
            to="/app/register"
            search={{ liste: set, id: toText(record['Id']) }}
            className="chip"
          >
            {getDisplayName(record)}
          </Link>
        ))}
      </div>
      {shown.length < records.length && (
        <div className="pager">
          <span className="muted">{t.table.shown(format.count(shown.length), count)}</span>
          <Button label={t.table.all} onClick={() => setShowsAll(true)} />
        </div>
      )}
    </section>
  )
}
