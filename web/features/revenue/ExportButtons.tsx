// Downloads: CSV, Excel, PNG, and an OData link for Excel and Power BI.
import { Button } from '../../components/Button.tsx'
import { CopyButton, Menu } from '@mantine/core'
import { queryString } from '../../api/client.ts'
import { downloadCsv, downloadFile, type CsvCell } from '../../api/csv.ts'
import { useSession } from '../../api/session.ts'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { useAction } from '../../components/use-action.ts'
import { downloadColumns } from './download-columns.ts'
import { fetchAllRows, toText } from '../../api/sets.ts'
import { useRevenueText } from '../../i18n/revenue.ts'

interface ExportButtonsProps {
  readonly from: string
  readonly to: string
  readonly department: string | undefined
  readonly hasChart: boolean
}

export function ExportButtons({ from, to, department, hasChart }: ExportButtonsProps) {
  const { t, format } = useRevenueText()
  const { company } = useSession()
  const query = {
    $filter: [
      `Dato ge ${from}`,
      `Dato le ${to}`,
      ...(department === undefined ? [] : [`AvdelingID eq '${department.replaceAll("'", "''")}'`]),
    ].join(' and '),
    $orderby: 'Dato,AvdelingID',
  }
  const link = `${window.location.origin}/odata/Omsetning${queryString(query)}`
  const days = `${from}_${to}`
  const { mutate, error, isPending } = useAction((download: () => Promise<void>) => download(), { refreshes: [] })
  const downloadPicture = async () => {
    const chart = document.querySelector<HTMLElement>('figure.chart')
    if (chart === null) return
    const { renderChart } = await import('./chart-export.ts')
    const period = `${format.day(from, 'full')} – ${format.day(to, 'full')}`
    const picture = await renderChart(chart, `${company} · ${t.screens.omsetning} ${period}`)
    downloadFile(`omsetning_${days}.png`, picture)
  }
  return (
    <>
      <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <Button label={t.revenue.download} icon="download" loading={isPending} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => mutate(() => downloadWorkbook(query, days))}>{t.revenue.exportExcel}</Menu.Item>
          <Menu.Item onClick={() => mutate(() => downloadRows(query, days))}>{t.revenue.exportCsv}</Menu.Item>
          {hasChart && <Menu.Item onClick={() => mutate(downloadPicture)}>{t.revenue.exportPicture}</Menu.Item>}
          <Menu.Divider />
          <CopyButton value={link}>
            {({ copied, copy }) => (
              // Stays open to show that the link was copied.
              <Menu.Item closeMenuOnClick={false} onClick={copy}>
                {copied ? t.revenue.copied : t.revenue.copyLink}
              </Menu.Item>
            )}
          </CopyButton>
        </Menu.Dropdown>
      </Menu>
      <ErrorAlert error={error} />
    </>
  )
}

type RevenueQuery = Readonly<Record<string, string>>

async function downloadRows(query: RevenueQuery, span: string): Promise<void> {
  const rows = await fetchAllRows('Omsetning', query)
  const columns = downloadColumns(rows)
  const cells = rows.map((row) => columns.map((name) => toCsvCell(row[name])))
  downloadCsv(`omsetning_${span}.csv`, [[...columns], ...cells])
}

async function downloadWorkbook(query: RevenueQuery, span: string): Promise<void> {
  const rows = await fetchAllRows('Omsetning', query)
  const columns = downloadColumns(rows)
  const { default: writeXlsxFile } = await import('write-excel-file/universal')
  const data = [
    columns.map((value) => ({ value, type: String, fontWeight: 'bold' as const })),
    ...rows.map((row) => columns.map((name) => toWorkbookCell(name, toCsvCell(row[name])))),
  ]
  const options = { columns: columns.map(() => ({ width: 16 })), stickyRowsCount: 1 }
  downloadFile(`omsetning_${span}.xlsx`, await writeXlsxFile(data, options).toBlob())
}

/** Text is never a formula. */
function toWorkbookCell(name: string, value: CsvCell) {
  if (value === '') return null
  if (typeof value === 'number') return { value, type: Number, format: '#,##0.00##' }
  if (name !== 'Dato') return { value, type: String }
  return { value: new Date(`${value.slice(0, 10)}T00:00:00Z`), type: Date, format: 'dd.mm.yyyy' }
}

function toCsvCell(value: unknown): CsvCell {
  return typeof value === 'number' ? value : toText(value)
}
