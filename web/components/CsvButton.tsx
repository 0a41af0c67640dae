// CsvButton: downloads the rows of a list as a CSV file.
import { Button } from './Button.tsx'
import { downloadCsv } from '../api/csv.ts'
import { useSession } from '../api/session.ts'
import { useTranslation } from '../i18n/translation.ts'
import { ErrorAlert } from './ErrorAlert.tsx'
import { toCsvRows, type ListColumn } from './list-columns.tsx'
import { useAction } from './use-action.ts'

interface CsvButtonProps<Row> {
  /** Of the file, before that of the company. */
  readonly name: string
  readonly columns: readonly ListColumn<Row>[]
  readonly load: () => readonly Row[] | Promise<readonly Row[]>
}

export function CsvButton<Row>({ name, columns, load }: CsvButtonProps<Row>) {
  const words = useTranslation()
  const { t } = words
  const { company } = useSession()
  const download = async () => downloadCsv(`${name}_${company}.csv`, toCsvRows(await load(), columns, words))
  const { mutate, error, isPending } = useAction(download, { refreshes: [] })
  return (
    <>
      <Button
        label="CSV"
        size="compact-sm"
        variant="subtle"
        icon="download"
        title={t.table.download}
        aria-label={t.table.download}
        loading={isPending}
        onClick={() => mutate()}
      />
      <ErrorAlert error={error} />
    </>
  )
}
