// UndoPreview: what an action would change, ids to remove at the receiver, and the reason.
import { Modal, Select } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  previewReturn,
  returnLines,
  type Judged,
  type Return,
  type Returned,
} from '../../api/export.ts'
import { amountText, countText } from '../../api/format.ts'
import { useGrave } from '../../components/Reauthenticate.tsx'
import { Fetched } from '../../components/QueryStates.tsx'
import { approvalText } from '../../i18n/approvals.ts'
import { exportText } from '../../i18n/export.ts'
import { useText } from '../../i18n/translation.tsx'
import { ReasonForm } from './ReasonForm.tsx'
import { whyNot } from './explain-not-possible.ts'

interface ReturningProps {
  readonly act: Return
  readonly destination: number
  readonly ids: readonly number[]
  readonly onClose: () => void
  readonly onDone: (returned: Returned) => void
}

export function Returning({ act, destination, ids, onClose, onDone }: ReturningProps) {
  const { say, language } = useText(exportText)
  const preview = useQuery({
    queryKey: ['material', 'export', 'preview', act, destination, ids.join(',')],
    queryFn: () => previewReturn(act, { destination, ids }),
    gcTime: 0,
  })
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      transitionProps={{ duration: 0 }}
      title={say.export.returnTitle[act](countText(ids.length, language))}
      closeButtonProps={{ 'aria-label': say.close }}
    >
      <Fetched query={preview}>
        {({ lines }) => (
          <div className="dialog-form">
            <Preview act={act} lines={lines} />
            <Why
              act={act}
              destination={destination}
              ids={lines.filter(({ code }) => code === act).map(({ id }) => id)}
              onClose={onClose}
              onDone={onDone}
            />
          </div>
        )}
      </Fetched>
    </Modal>
  )
}

function Preview({ act, lines }: { act: Return; lines: readonly Judged[] }) {
  const { say, language } = useText(approvalText, exportText)
  const able = lines.filter(({ code }) => code === act)
  const sum = able.reduce((total, { amount }) => total + (amount ?? 0), 0)
  const outside = able.flatMap(({ externalId }) => externalId ?? [])
  const locked = able.filter(({ isLocked }) => isLocked).length
  return (
    <>
      <p>{say.export.comesTo(countText(able.length, language), amountText(sum, language, 2))}</p>
      {act === 'undone' && outside.length > 0 && (
        <div>
          <p>{say.export.removeOutside}</p>
          <ul className="receiver-ids">
            {outside.map((id) => (
              <li key={id}>
                <code>{id}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
      {locked > 0 && <p className="problem">{say.export.locked(countText(locked, language))}</p>}
      {able.length < lines.length && (
        <ul className="not-done">
          {lines
            .filter(({ code }) => code !== act)
            .slice(0, 20)
            .map((one) => (
              <li key={one.id}>
                {say.approvals.line(one.id)}: {whyNot(one, say)}
              </li>
            ))}
        </ul>
      )}
    </>
  )
}

const codes = ['wrong_destination', 'target_restored', 'test', 'other'] as const

function Why({ act, destination, ids, onClose, onDone }: ReturningProps) {
  const { say, language } = useText(exportText)
  const client = useQueryClient()
  const grave = useGrave()
  const [code, setCode] = useState<string>('other')
  const { mutate, error, isPending } = useMutation({
    mutationFn: (reason: string) =>
      grave.run(() => returnLines(act, { destination, ids }, { reason, code })),
    onSuccess: onDone,
    onSettled: () => client.invalidateQueries({ queryKey: ['material'] }),
  })
  return (
    <>
      <ReasonForm
        act={say.export.returnNow[act](countText(ids.length, language))}
        error={error}
        isPending={isPending}
        isDisabled={ids.length === 0}
        onClose={onClose}
        onSubmit={mutate}
      >
        <Select
          label={say.export.reasonCode}
          allowDeselect={false}
          value={code}
          data={codes.map((value) => ({ value, label: say.export.reasonCodes[value] }))}
          onChange={(value) => setCode(value ?? 'other')}
        />
      </ReasonForm>
      {grave.dialog}
    </>
  )
}
