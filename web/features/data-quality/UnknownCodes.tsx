// Unknown codes: create the department, or move the records to another one.
import { Button } from '../../components/Button.tsx'
import type { SentCode } from '../../../src/app/contract/revenue.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../api/session.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { post } from '../../api/client.ts'
import { useAction } from '../../components/use-action.ts'
import { ChoiceSelect } from '../../components/ChoiceSelect.tsx'
import { DataTable } from '../../components/DataTable.tsx'
import { toCodeChoices } from '../../components/DepartmentFilter.tsx'
import { useDataQualityText } from './i18n.ts'
import { useDepartmentName } from '../../components/use-department-name.ts'
import { ActionDialog } from '../../components/Dialog.tsx'

export function UnknownCodes({ unknown, onMoved }: { unknown: readonly SentCode[]; onMoved: (count: number) => void }) {
  const { t, format } = useDataQualityText()
  const { columns } = t.dataQuality
  const { scopes, departments } = useSession()
  const nameOf = useDepartmentName()
  const [moving, setMoving] = useState<SentCode | null>(null)
  const mayMove = scopes.includes('revenue:write') && departments === null
  const records = unknown.reduce((total, one) => total + one.records, 0)
  const sum = unknown.reduce((total, { amount }) => total + amount, 0)
  return (
    <>
      <DataTable
        name="ukjente-koder"
        title={t.dataQuality.unknown}
        summary={t.dataQuality.count(format.count(records), format.amount(sum, 2))}
        note={t.dataQuality.unknownText}
        rows={unknown}
        keyOf={({ departmentId }) => departmentId}
        columns={[
          { title: columns.code, isRowHeader: true, isLong: true, value: ({ departmentId }) => nameOf(departmentId) },
          { value: 'records', title: columns.records, type: 'count' },
          { value: 'amount', title: t.total, type: 'amount' },
          { value: 'first', title: columns.first, type: 'day' },
          { value: 'last', title: columns.last, type: 'day' },
          { value: 'actor', title: columns.sender, type: 'actor' },
          {
            title: t.table.next,
            show: (code) => (
              <span className="actions">
                {code.departmentId !== '' && scopes.includes('directory:write') && (
                  <Link
                    to="/app/register"
                    search={{ liste: 'Avdeling', ny: true, kode: code.departmentId }}
                    aria-label={t.dataQuality.createFor(code.departmentId)}
                  >
                    {t.dataQuality.create}
                  </Link>
                )}
                {mayMove && (
                  <Button
                    label={t.dataQuality.move}
                    size="compact-sm"
                    aria-label={t.dataQuality.moveFor(nameOf(code.departmentId))}
                    onClick={() => setMoving(code)}
                  />
                )}
              </span>
            ),
          },
        ]}
      />
      {moving !== null && (
        <MoveRecordsDialog
          code={moving}
          onClose={() => setMoving(null)}
          onMoved={(count) => {
            setMoving(null)
            onMoved(count)
          }}
        />
      )}
    </>
  )
}

interface MoveRecordsDialogProps {
  readonly code: SentCode
  readonly onClose: () => void
  readonly onMoved: (count: number) => void
}

function MoveRecordsDialog({ code, onClose, onMoved }: MoveRecordsDialogProps) {
  const { t, format } = useDataQualityText()
  const nameOf = useDepartmentName()
  const { data: names } = useQuery(departmentsQuery)
  const [to, setTo] = useState('')
  const { departmentId, first, last } = code
  const move = useAction(() => post('revenueMove', { from: departmentId, to, first, last }), {
    refreshes: ['revenue'],
    onDone: ({ moved }) => onMoved(moved),
  })
  const name = nameOf(departmentId)
  return (
    <ActionDialog
      title={t.dataQuality.moveFor(name)}
      submit={t.dataQuality.move}
      action={move}
      isDisabled={to === ''}
      onClose={onClose}
      onSubmit={move.mutate}
    >
      <p>{t.dataQuality.moveText(format.count(code.records), name, format.day(first), format.day(last))}</p>
      <ChoiceSelect
        data-autofocus
        label={t.dataQuality.moveTo}
        value={to}
        choices={[['', t.dataQuality.choose], ...toCodeChoices(names)]}
        onPick={setTo}
      />
    </ActionDialog>
  )
}
