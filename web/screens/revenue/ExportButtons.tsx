// Takes the view elsewhere: as a file, or as an address that Excel and Power BI read.
import { Button, CopyButton } from '@mantine/core'
import { addressOf, ask } from '../../data/ask.ts'
import { Icon } from '../../parts/Icon.tsx'
import { downloadCsv } from '../../data/csv.ts'
import { textOf, type Page } from '../../data/sets.ts'
import { useText } from '../../text/text.tsx'

interface ExportProps {
  readonly from: string
  readonly to: string
  readonly department: string | undefined
}

export const ExportButtons = ({ from, to, department }: ExportProps) => {
  const { say } = useText()
  const query = {
    $filter: [
      `Dato ge ${from}`,
      `Dato le ${to}`,
      ...(department === undefined ? [] : [`AvdelingID eq '${department.replaceAll("'", "''")}'`]),
    ].join(' and '),
    $orderby: 'Dato,AvdelingID',
  }
  const link = `${window.location.origin}/odata/Omsetning${addressOf(query)}`
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="download" size={16} />}
        title={say.revenue.exportCsv}
        aria-label={say.revenue.exportCsv}
        onClick={() => void saveRows(query, `${from}_${to}`)}
      >
        {say.revenue.csv}
      </Button>
      <CopyButton value={link}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            leftSection={<Icon name="link" size={16} />}
            title={say.revenue.copyLink}
            aria-label={copied ? say.revenue.copied : say.revenue.copyLink}
            onClick={copy}
          >
            {copied ? say.revenue.copied : say.revenue.link}
          </Button>
        )}
      </CopyButton>
    </>
  )
}

const columns = ['Dato', 'AvdelingID', 'ipType', 'Omsetning', 'Merknad', 'InntektsPlanId'] as const

/** A thousand records at a time, until one answer has fewer. */
const saveRows = async (query: Readonly<Record<string, string>>, span: string): Promise<void> => {
  const rows: string[][] = []
  for (let skip = 0; ; skip += 1000) {
    const { value } = await ask<Page>('/app/les/Omsetning', { ...query, $skip: skip, $top: 1000 })
    rows.push(...value.map((row) => columns.map((name) => textOf(row[name]))))
    if (value.length < 1000) break
  }
  downloadCsv(`omsetning_${span}.csv`, [[...columns], ...rows])
}
