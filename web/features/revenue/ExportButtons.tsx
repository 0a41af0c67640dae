// Downloads: CSV, Excel, PNG, and an OData link for Excel and Power BI.
import { appPaths } from '../../../src/app/contract/paths.ts'
import { Button, CopyButton, Menu } from '@mantine/core'
import { queryString, get } from '../../api/client.ts'
import { Icon } from '../../components/Icon.tsx'
import { useQuery } from '@tanstack/react-query'
import { downloadCsv, downloadFile } from '../../api/csv.ts'
import type { PeriodUnit } from '../../api/revenue.ts'
import { useSession } from '../../api/session.ts'
import { downloadColumns } from './download-columns.ts'
import { downloadXlsx, type WorkbookValue } from './xlsx.ts'
import { formatPeriodTick } from './period-name.ts'
import type { Series } from './chart-series.ts'
import { departmentsQuery, toText, type SetRow } from '../../api/sets.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'

interface ExportButtonsProps {
  readonly from: string
  readonly to: string
  readonly department: string | undefined
  readonly per: PeriodUnit
  /** Series of the chart; null until loaded. */
  readonly series: Series | null
}

export function ExportButtons({ from, to, department, per, series }: ExportButtonsProps) {
  const { t, language, format } = useTranslation(revenueText)
  const { company } = useSession()
  const { data: names } = useQuery(departmentsQuery)
  const query = {
    $filter: [
      `Dato ge ${from}`,
      `Dato le ${to}`,
      ...(department === undefined ? [] : [`AvdelingID eq '${department.replaceAll("'", "''")}'`]),
    ].join(' and '),
    $orderby: 'Dato,AvdelingID',
  }
  const link = `${window.location.origin}/odata/Omsetning${queryString(query)}`
  const downloadPicture = async (shown: Series) => {
    const { renderChart } = await import('./chart-export.ts')
    const picture = await renderChart(shown, {
      title: `${company} · ${t.revenue.title} ${format.day(from, 'full')} – ${format.day(to, 'full')}`,
      lastYear: t.revenue.lastYear,
      nameOf: (id) => (id === '' ? t.revenue.withoutDepartment : (names?.get(id) ?? id)),
      amount: (amount) => format.amount(amount),
      tick: (start) => formatPeriodTick(start, per, language, t.revenue.week),
    })
    downloadFile(`omsetning_${from}_${to}.png`, picture)
  }
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="download" size={16} />}>
          {t.revenue.download}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void downloadWorkbook(query, `${from}_${to}`)}>
          {t.revenue.exportExcel}
        </Menu.Item>
        <Menu.Item onClick={() => void downloadRows(query, `${from}_${to}`)}>
          {t.revenue.exportCsv}
        </Menu.Item>
        {series !== null && (
          <Menu.Item onClick={() => void downloadPicture(series)}>
            {t.revenue.exportPicture}
          </Menu.Item>
        )}
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
  )
}

type RevenueQuery = Readonly<Record<string, string>>

async function downloadRows(query: RevenueQuery, span: string): Promise<void> {
  const rows = await fetchAllRows(query)
  const columns = downloadColumns(rows)
  const cells = rows.map((row) => columns.map((name) => toText(row[name])))
  downloadCsv(`omsetning_${span}.csv`, [[...columns], ...cells])
}

async function downloadWorkbook(query: RevenueQuery, span: string): Promise<void> {
  const rows = await fetchAllRows(query)
  const columns = downloadColumns(rows)
  const cells = rows.map((row) =>
    columns.map((name): WorkbookValue => {
      const value = row[name]
      if (name === 'Dato') return { day: toText(value).slice(0, 10) }
      return typeof value === 'number' ? value : toText(value)
    }),
  )
  await downloadXlsx(`omsetning_${span}.xlsx`, columns, cells)
}

/** Pages of 1,000 until one is short. */
async function fetchAllRows(query: RevenueQuery): Promise<SetRow[]> {
  const rows: SetRow[] = []
  for (let skip = 0; ; skip += 1000) {
    const { value } = await get(appPaths.read, {
      set: 'Omsetning',
      ...query,
      $skip: skip,
      $top: 1000,
    })
    rows.push(...value)
    if (value.length < 1000) return rows
  }
}
