// ColumnMapping: the field of each column, with example rows.
import { Button } from '../../components/Button.tsx'
import type { FileColumns, ImportedSet } from '../../../src/app/contract/imports.ts'
import { Switch } from '@mantine/core'
import { useState } from 'react'
import { ChoiceSelect, type Choice } from '../../components/ChoiceSelect.tsx'
import { focusElement } from '../../components/focus-element.ts'
import { saveRememberedFields } from './api.ts'
import { findProblems, getInitialFields } from './column-fields.ts'
import { Table, type TableColumn } from '../../components/Table.tsx'
import { useImportText } from './i18n.ts'
import { useMappings } from './use-mappings.ts'
import { ImportRun, useImportRun } from './ImportRun.tsx'
import { SavedMappings } from './SavedMappings.tsx'
import styles from './Imports.module.css'
import type { ChosenFile } from './FileSource.tsx'

interface MappingProps {
  readonly set: ImportedSet
  readonly chosen: ChosenFile
  readonly onAnother: () => void
}

export function ColumnMapping({ set, chosen, onAnother }: MappingProps) {
  const { t, language, format } = useImportText()
  const { columns } = chosen
  const mappings = useMappings(set, columns)
  const [fields, setFields] = useState(() => getInitialFields(set, columns, mappings.selected))
  const [clearsEmptyCells, setEmptying] = useState(false)
  const running = useImportRun()
  const put = (index: number, field: string) => {
    running.reset()
    setFields(fields.with(index, field))
  }
  const take = (taken: readonly (string | null)[] | null) => {
    running.reset()
    setFields((taken ?? columns.guessed).map((field) => field ?? ''))
  }
  const problems = findProblems(columns, fields, { t, language })
  const start = (takes: 'all' | 'good', isDryRun: boolean) => {
    if (isDryRun) saveRememberedFields(set, columns.headers, fields)
    const { file, name } = chosen
    running.start({ set, file, name, fields, clearsEmptyCells, takes, isDryRun })
  }
  return (
    <>
      <section className={styles.step} aria-labelledby="import-columns">
        <h2 id="import-columns" ref={focusElement} tabIndex={-1}>
          {t.imports.columns}
        </h2>
        <p className="muted">{t.imports.columnsText(format.count(columns.rows))}</p>
        <SavedMappings mappings={mappings} fields={fields} isWrong={problems.length > 0} onTake={take} />
        <ColumnTable columns={columns} fields={fields} onPut={put} />
        <Switch
          label={t.imports.clearEmptyCells}
          description={t.imports.clearEmptyCellsText}
          checked={clearsEmptyCells}
          onChange={({ currentTarget }) => {
            running.reset()
            setEmptying(currentTarget.checked)
          }}
        />
        <div aria-live="polite">
          {problems.map((problem) => (
            <p key={problem} className="problem">
              {problem}
            </p>
          ))}
        </div>
        <Button
          isPrimary
          label={t.imports.dryRun}
          disabled={problems.length > 0 || columns.rows === 0}
          loading={running.isBusy}
          onClick={() => start('all', true)}
        />
      </section>
      <ImportRun
        set={set}
        name={chosen.name}
        rows={columns.rows}
        running={running}
        onRun={(takes) => start(takes, false)}
        onAnother={onAnother}
      />
    </>
  )
}

interface ColumnTableProps {
  readonly columns: FileColumns
  readonly fields: readonly string[]
  readonly onPut: (index: number, field: string) => void
}

function ColumnTable({ columns, fields, onPut }: ColumnTableProps) {
  const { t, language } = useImportText()
  const { headers, first } = columns
  const choices: readonly Choice<string>[] = [
    ['', t.imports.leftOut],
    ...columns.fields.map((field) => [field.wire, `${field[language]} · ${field.wire}`] as const),
  ]
  const rows = headers.map((header, index) => ({
    index,
    name: header || t.imports.noHeader(index + 1),
    field: columns.fields.find(({ wire }) => wire === fields[index]),
  }))
  const examples = first
    .slice(0, 3)
    .map(({ cells }, at): TableColumn<(typeof rows)[number]> => ({
      title: at === 0 ? t.imports.examples : `${t.imports.examples} ${at + 1}`,
      isTitleHidden: at > 0,
      className: styles.example ?? '',
      show: ({ index }) => cells[index] ?? '',
    }))
  return (
    <Table
      labelledBy="import-columns"
      className={styles.mapping ?? ''}
      rows={rows}
      keyOf={({ index }) => index}
      columns={[
        { title: t.imports.header, isRowHeader: true, show: ({ name }) => name },
        {
          title: t.imports.field,
          show: ({ index, name, field }) => (
            <ChoiceSelect
              aria-label={t.imports.fieldOf(name)}
              value={field?.wire ?? ''}
              choices={choices}
              onPick={(wire) => onPut(index, wire)}
            />
          ),
        },
        { title: t.imports.type, className: 'muted', show: ({ field }) => field && t.imports.types[field.type] },
        ...examples,
      ]}
    />
  )
}
