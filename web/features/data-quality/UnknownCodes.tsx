// Unknown codes: create the department, or move the records to another one.
import type { SentCode } from '../../../src/app/contract/revenue.ts'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../api/session.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { post } from '../../api/client.ts'
import { useAction } from '../../components/use-action.ts'
import { Table } from '../../components/Table.tsx'
import { useTranslation } from '../../i18n/translation.tsx'
import { dataQualityText } from './i18n.ts'
import { useDepartmentName, WorkList } from './WorkList.tsx'
import { ActionDialog } from '../../components/Dialog.tsx'

interface UnknownCodesProps {
  readonly unknown: readonly SentCode[]
  readonly onMoved: (count: number) => void
}

export function UnknownCodes({ unknown, onMoved }: UnknownCodesProps) {
  const { t, format } = useTranslation(dataQualityText)
  const { scopes, departments } = useSession()
  const nameOf = useDepartmentName()
  const [moving, setMoving] = useState<SentCode | null>(null)
  const mayMove = scopes.includes('revenue:write') && departments === null
  const records = unknown.reduce((total, one) => total + one.records, 0)
  const sum = unknown.reduce((total, { amount }) => total + amount, 0)
  return (
    <WorkList name="unknown" title={t.dataQuality.unknown} text={t.dataQuality.unknownText} count={records} sum={sum}>
      <Table
        labelledBy="unknown"
        rows={unknown}
        keyOf={({ departmentId }) => departmentId}
        columns={[
          { title: t.dataQuality.columns.code, isRowHeader: true, show: ({ departmentId }) => nameOf(departmentId) },
          { title: t.dataQuality.columns.records, isNumber: true, show: (code) => format.count(code.records) },
          { title: t.dataQuality.columns.sum, isNumber: true, show: ({ amount }) => format.amount(amount, 2) },
          { title: t.dataQuality.columns.first, show: ({ first }) => format.day(first) },
          { title: t.dataQuality.columns.last, show: ({ last }) => format.day(last) },
          { title: t.dataQuality.columns.sender, show: ({ actor }) => (actor === null ? t.none : format.actor(actor)) },
          {
            title: t.dataQuality.columns.next,
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
                    variant="default"
                    size="compact-sm"
                    aria-label={t.dataQuality.moveFor(nameOf(code.departmentId))}
                    onClick={() => setMoving(code)}
                  >
                    {t.dataQuality.move}
                  </Button>
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
    </WorkList>
  )
}

interface MoveRecordsDialogProps {
  readonly code: SentCode
  readonly onClose: () => void
  readonly onMoved: (count: number) => void
}

function MoveRecordsDialog({ code, onClose, onMoved }: MoveRecordsDialogProps) {
  const { t, format } = useTranslation(dataQualityText)
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
      <NativeSelect
        data-autofocus
        label={t.dataQuality.moveTo}
        value={to}
        data={[
          { value: '', label: t.dataQuality.choose },
          ...[...(names ?? [])].map(([value, label]) => ({ value, label: `${value} ${label}` })),
        ]}
        onChange={({ currentTarget }) => setTo(currentTarget.value)}
      />
    </ActionDialog>
  )
}
