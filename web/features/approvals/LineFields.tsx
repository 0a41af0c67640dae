// LineFields: the fields of a line, with links to the records that it names.
import type { MaterialRow } from '../../../src/app/contract/approvals.ts'
import type { DirectorySet } from '../../../src/app/contract/directory.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { departmentsQuery } from '../../api/sets.ts'
import { FieldList } from '../../components/FieldList.tsx'
import { approvalText } from '../../i18n/approvals.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { getEmployeeName } from './list-layout.ts'

/** All fields that have a value, and those that should have one; directory records are links. */
export function LineFields({ line }: { line: MaterialRow }) {
  const { t, format } = useTranslation(approvalText, revenueText)
  const { data: departments } = useQuery(departmentsQuery)
  const { columns } = t.approvals
  const money = (amount: number | null) => format.amount(amount, 2)
  const named = (...parts: readonly (string | null | undefined)[]) => parts.filter(Boolean).join(' ')
  const { employeeId, projectId, departmentId } = line
  const all: readonly (readonly [string, ReactNode])[] = [
    [columns.date, format.day(line.date, 'long')],
    [columns.employee, directoryLink('Ansatt', employeeId, line.firstName ?? line.lastName, getEmployeeName(line))],
    [columns.project, directoryLink('Prosjekt', projectId, line.projectName) || t.none],
    [columns.site, line.siteName],
    [columns.department, directoryLink('Avdeling', departmentId, departments?.get(departmentId ?? '')) || t.none],
    [columns.item, named(line.itemId, line.itemName)],
    [columns.quantity, named(format.quantity(line.quantity), line.unit)],
    [columns.price, money(line.salesPrice)],
    [columns.amount, money(line.amount)],
    [columns.billable, line.isBillable === null ? '' : line.isBillable === 1 ? t.yes : t.no],
    [columns.remark, line.remark],
    [columns.source, named(line.source, line.externalId)],
  ]
  return <FieldList fields={all} />
}

/** A link when the directory has the record; otherwise the code as sent. */
function directoryLink(
  set: DirectorySet,
  id: string | number | null,
  name: string | null | undefined,
  shown = [id, name].filter(Boolean).join(' '),
): ReactNode {
  return id === null || !name ? (
    shown
  ) : (
    <Link to="/app/register" search={{ liste: set, id: String(id) }}>
      {shown}
    </Link>
  )
}
