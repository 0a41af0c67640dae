// Downloads: CSV, Excel, PNG, and an OData link for Excel and Power BI.
import { Button, CopyButton, Menu } from '@mantine/core'
import { addressOf, ask } from '../../api/client.ts'
import { Icon } from '../../components/Icon.tsx'
import { useQuery } from '@tanstack/react-query'
import { downloadCsv, downloadFile } from '../../api/csv.ts'
import { amountText, dayText } from '../../api/format.ts'
import type { Per } from '../../api/revenue.ts'
import { useSession } from '../../api/session.ts'
import { downloadXlsx, type SheetValue } from './xlsx.ts'
import { periodTick } from './period-name.ts'
import type { Series } from './chart-series.ts'
import { departmentsQuery, textOf, type Page, type Row } from '../../api/sets.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useText } from '../../i18n/translation.tsx'

interface ExportProps {
  readonly from: string
  readonly to: string
  readonly department: string | undefined
  readonly per: Per
  /** Series of the chart; null until loaded. */
  readonly series: Series | null
}

export function ExportButtons({ from, to, department, per, series }: ExportProps) {
  const { say, language } = useText(revenueText)
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
  const link = `${window.location.origin}/odata/Omsetning${addressOf(query)}`
  const savePicture = async (shown: Series) => {
    const { pictureOf } = await import('./chart-export.ts')
    const picture = await pictureOf(shown, {
      title: `${company} · ${say.revenue.title} ${dayText(from, language, 'full')} – ${dayText(to, language, 'full')}`,
      lastYear: say.revenue.lastYear,
      nameOf: (id) => (id === '' ? say.revenue.withoutDepartment : (names?.get(id) ?? id)),
      amount: (amount) => amountText(amount, language),
      tick: (start) => periodTick(start, per, language, say.revenue.week),
    })
    downloadFile(`omsetning_${from}_${to}.png`, picture)
  }
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="download" size={16} />}>
          {say.revenue.download}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void saveWorkbook(query, `${from}_${to}`)}>
          {say.revenue.exportExcel}
        </Menu.Item>
        <Menu.Item onClick={() => void saveRows(query, `${from}_${to}`)}>
          {say.revenue.exportCsv}
        </Menu.Item>
        {series !== null && (
          <Menu.Item onClick={() => void savePicture(series)}>
            {say.revenue.exportPicture}
          </Menu.Item>
        )}
        <Menu.Divider />
        <CopyButton value={link}>
          {({ copied, copy }) => (
            // Stays open to show that the link was copied.
            <Menu.Item closeMenuOnClick={false} onClick={copy}>
              {copied ? say.revenue.copied : say.revenue.copyLink}
            </Menu.Item>
          )}
        </CopyButton>
      </Menu.Dropdown>
    </Menu>
  )
}

const columns = ['Dato', 'AvdelingID', 'ipType', 'Omsetning', 'Merknad', 'InntektsPlanId'] as const

type Query = Readonly<Record<string, string>>

async function saveRows(query: Query, span: string): Promise<void> {
  const rows = await allRows(query)
  const cells = rows.map((row) => columns.map((name) => textOf(row[name])))
  downloadCsv(`omsetning_${span}.csv`, [[...columns], ...cells])
}

async function saveWorkbook(query: Query, span: string): Promise<void> {
  const rows = await allRows(query)
  const cells = rows.map((row) =>
    columns.map((name): SheetValue => {
      const value = row[name]
      if (name === 'Dato') return { day: textOf(value).slice(0, 10) }
      return typeof value === 'number' ? value : textOf(value)
    }),
  )
  await downloadXlsx(`omsetning_${span}.xlsx`, columns, cells)
}

/** Pages of 1,000 until one is short. */
async function allRows(query: Query): Promise<Row[]> {
  const rows: Row[] = []
  for (let skip = 0; ; skip += 1000) {
    const { value } = await ask<Page>('/app/les/Omsetning', { ...query, $skip: skip, $top: 1000 })
    rows.push(...value)
    if (value.length < 1000) return rows
  }
}
