// Unknown codes: create the department, or move the records to another one.
import { Button, Modal, NativeSelect } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { amountText, countText, dayText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { moveCode, type UnknownCode } from '../../api/data-quality.ts'
import { actorText } from '../../components/format-actor.ts'
import { auditText } from '../../i18n/audit.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useText } from '../../i18n/translation.tsx'
import { useTidyingText } from './i18n.ts'
import { useDepartmentName, WorkList } from './WorkList.tsx'

interface UnknownCodesProps {
  readonly unknown: readonly UnknownCode[]
  readonly onMoved: (count: number) => void
}

export function UnknownCodes({ unknown, onMoved }: UnknownCodesProps) {
  const say = useTidyingText()
  const { say: common, language } = useText(auditText, revenueText)
  const { scopes, departments } = useSession()
  const nameOf = useDepartmentName()
  const [moving, setMoving] = useState<UnknownCode | null>(null)
  const mayMove = scopes.includes('revenue:write') && departments === null
  const records = unknown.reduce((total, one) => total + one.records, 0)
  const sum = unknown.reduce((total, { amount }) => total + amount, 0)
  return (
    <WorkList name="unknown" title={say.unknown} text={say.unknownText} count={records} sum={sum}>
      <div className="table-scroll" tabIndex={0} role="region" aria-labelledby="unknown">
        <table>
          <thead>
            <tr>
              <th scope="col">{say.columns.code}</th>
              <th scope="col" className="number">
                {say.columns.records}
              </th>
              <th scope="col" className="number">
                {say.columns.sum}
              </th>
              <th scope="col">{say.columns.first}</th>
              <th scope="col">{say.columns.last}</th>
              <th scope="col">{say.columns.sender}</th>
              <th scope="col">{say.columns.next}</th>
            </tr>
          </thead>
          <tbody>
            {unknown.map((one) => (
              <tr key={one.departmentId}>
                <th scope="row">{nameOf(one.departmentId)}</th>
                <td className="number">{countText(one.records, language)}</td>
                <td className="number">{amountText(one.amount, language, 2)}</td>
                <td>{dayText(one.first, language)}</td>
                <td>{dayText(one.last, language)}</td>
                <td>{one.actor === null ? common.none : actorText(one.actor, common)}</td>
                <td>
                  <span className="actions">
                    {one.departmentId !== '' && scopes.includes('directory:write') && (
                      <Link
                        to="/app/register"
                        search={{ liste: 'Avdeling', ny: true, kode: one.departmentId }}
                        aria-label={say.makeOf(one.departmentId)}
                      >
                        {say.make}
                      </Link>
                    )}
                    {mayMove && (
                      <Button
                        variant="default"
                        size="compact-sm"
                        aria-label={say.moveOf(nameOf(one.departmentId))}
                        onClick={() => setMoving(one)}
                      >
                        {say.move}
                      </Button>
                    )}
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {moving !== null && (
        <Moving
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

interface MovingProps {
  readonly code: UnknownCode
  readonly onClose: () => void
  readonly onMoved: (count: number) => void
}

function Moving({ code, onClose, onMoved }: MovingProps) {
  const say = useTidyingText()
  const { say: common, language } = useText()
  const client = useQueryClient()
  const nameOf = useDepartmentName()
  const { data: names } = useQuery(departmentsQuery)
  const [to, setTo] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => moveCode(code, to),
    onSuccess: async ({ moved }) => {
      await client.invalidateQueries({ queryKey: ['revenue'] })
      onMoved(moved)
    },
  })
  const name = nameOf(code.departmentId)
  return (
    <Modal
      opened
      onClose={onClose}
      transitionProps={{ duration: 0 }}
      title={say.moveOf(name)}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (to !== '') mutate()
        }}
      >
        {error !== null && (
          <p className="problem" role="alert">
            {error.message}
          </p>
        )}
        <p>
          {say.moveText(
            countText(code.records, language),
            name,
            dayText(code.first, language),
            dayText(code.last, language),
          )}
        </p>
        <NativeSelect
          data-autofocus
          label={say.moveTo}
          value={to}
          data={[
            { value: '', label: say.choose },
            ...[...(names ?? [])].map(([value, label]) => ({ value, label: `${value} ${label}` })),
          ]}
          onChange={({ currentTarget }) => setTo(currentTarget.value)}
        />
        <div className="dialog-actions">
          <Button size="sm" variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button size="sm" type="submit" loading={isPending} disabled={to === ''}>
            {say.moveNow}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
