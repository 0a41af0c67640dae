// ReceiptButton: renders the receipt of a retrieval and downloads it.
import type { ExportDestination } from '../../../src/app/contract/export.ts'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { downloadFile } from '../../api/csv.ts'
import { fetchWholeRetrieval } from './details-api.ts'
import { useSession } from '../../api/session.ts'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { Icon } from '../../components/Icon.tsx'
import { exportDetailsText } from './details-i18n.ts'
import { exportText } from '../../i18n/export.ts'
import { receiptTexts } from './receipt-i18n.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { getReceiptFileName, renderReceipt, type Receipt } from './receipt.ts'

export function ReceiptButton({ id, destinations }: { id: number; destinations: readonly ExportDestination[] }) {
  const { t, language, format } = useTranslation(exportDetailsText, exportText)
  const { states } = t.exportDetails
  const receiptText = receiptTexts[language]
  const { company, currency, zone } = useSession()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const { retrieval, lines } = await fetchWholeRetrieval(id)
      const { destinationId, actor, query } = retrieval
      const receipt: Receipt = {
        retrieval,
        lines,
        company,
        currency,
        zone,
        states,
        destination: destinations.find((one) => one.id === destinationId)?.name ?? '',
        by: format.actor(actor),
        query: query ?? t.export.allWaiting,
        madeAt: Date.now() * 1000,
      }
      const text = await renderReceipt(receipt, receiptText, language)
      downloadFile(getReceiptFileName(id), new Blob([text], { type: 'text/html' }))
    },
  })
  return (
    <>
      <Button loading={isPending} leftSection={<Icon name="download" size={16} />} onClick={() => mutate()}>
        {receiptText.download}
      </Button>
      <ErrorAlert error={error} />
    </>
  )
}
