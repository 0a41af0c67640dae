// Makes the receipt of a retrieval, of all its lines as they stand now, and saves it.
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { downloadFile } from '../../data/csv.ts'
import { wholeHandOut } from '../../data/export-stories.ts'
import type { Destination } from '../../data/export.ts'
import { useSession } from '../../data/session.ts'
import { actorText } from '../../parts/actor.ts'
import { Icon } from '../../parts/Icon.tsx'
import { auditText } from '../../text/audit.ts'
import { useExportStoryText } from '../../text/export-stories.ts'
import { exportText } from '../../text/export.ts'
import { receiptTexts } from '../../text/receipt.ts'
import { revenueText } from '../../text/revenue.ts'
import { useText } from '../../text/text.tsx'
import { receiptName, receiptOf } from './receipt.ts'

interface ReceiptButtonProps {
  readonly id: number
  readonly destinations: readonly Destination[]
}

export function ReceiptButton({ id, destinations }: ReceiptButtonProps) {
  const { say: common, language } = useText(auditText, exportText, revenueText)
  const { states } = useExportStoryText()
  const say = receiptTexts[language]
  const { company, currency, zone } = useSession()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const { handOut, lines } = await wholeHandOut(id)
      const { destinationId, actor, query } = handOut
      const receipt = {
        handOut,
        lines,
        company,
        currency,
        zone,
        states,
        destination: destinations.find((one) => one.id === destinationId)?.name ?? '',
        by: actorText(actor, common),
        asked: query ?? common.export.allWaiting,
        madeAt: Date.now() * 1000,
      }
      const text = await receiptOf(receipt, say, language)
      downloadFile(receiptName(id), new Blob([text], { type: 'text/html' }))
    },
  })
  return (
    <>
      <Button
        size="sm"
        loading={isPending}
        leftSection={<Icon name="download" size={16} />}
        onClick={() => mutate()}
      >
        {say.download}
      </Button>
      {error !== null && (
        <p className="problem" role="alert">
          {error.message || common.states.offlineTitle}
        </p>
      )}
    </>
  )
}
