// ADR 0014: SQLite finds related records by index, whatever surrounds the condition.
import { describe, expect, test } from 'vitest'
import { afterPosition } from '../../src/engine/planner/after-position.ts'
import { approveStatement, actionCandidateStatement } from '../../src/store/export/line-actions.ts'
import type { Statement } from '../../src/store/statement.ts'
import { useEmptyFile } from '../support/empty-file.ts'
import { planOf } from '../support/plans.ts'

describe('query plans of SQLite', () => {
  const file = useEmptyFile('related')
  const queryPlanOf = (plan: ReturnType<typeof planOf>): string => file.stepsOf(plan).join('\n')
  const explain = (statement: Statement<unknown>): string => file.explain(statement).join('\n')

  test.each([
    ["Avdeling('1')/Ansatte", '', 'INDEX employeeDepartmentId (companyId=? AND departmentId=?)'],
    ["Avdeling('1')/Ansatte", '$top=5&$orderby=Fornavn', 'employeeDepartmentId (companyId=? AND'],
    ["Avdeling('1')/Ansatte(7)", '', 'PRIMARY KEY (companyId=? AND id=?)'],
    ['Ansatt(7)/Avdeling', '', 'SEARCH t0 USING PRIMARY KEY (companyId=? AND id=?)'],
    ["Prosjekt('1')/Avdeling/Ansatte", '', 'employeeDepartmentId (companyId=? AND departmentId=?)'],
    ['Avdeling', '$expand=Ansatte', 'employeeDepartmentId (companyId=? AND departmentId=?)'],
    ['Avdeling', '$expand=Prosjekter($expand=Anlegg)', 'projectDepartmentId (companyId=? AND'],
    ['Anlegg', '$expand=Prosjekter/$count', 'projectSiteId (companyId=? AND siteId=?)'],
    ['Ansatt', "$filter=AvdelingId eq '1'", 'employeeDepartmentId (companyId=? AND departmentId=?)'],
    ["Prosjekt('1')/Transaksjoner", '', 'INDEX'],
    ['Prosjekt', '$expand=Transaksjoner', 'INDEX'],
    ['Ansatt', '$filter=Id gt 7', 'SEARCH t0 USING PRIMARY KEY (companyId=? AND id>?)'],
    ['Ansatt', '', 'SEARCH t0 USING PRIMARY KEY (companyId=?)'],
  ])('%s?%s', (path, query, expectedPlan) => {
    expect(queryPlanOf(planOf(path, query))).toContain(expectedPlan)
  })

  test('undoing an export reads only the lines of its transactions', () => {
    expect(explain(actionCandidateStatement)).toContain(
      'later USING INDEX exportLineCorrection (companyId=? AND materialId=?',
    )
    expect(explain(approveStatement)).toContain(
      'destinationLine USING PRIMARY KEY (companyId=? AND destinationId=? AND lineId=?)',
    )
  })

  test('a bound on another field leaves the records of a parent in the order of its index', () => {
    for (const bound of ['SistEndretDato gt 2024-05-01T00:00:00Z', "EksternId ge 'A'"]) {
      const queryPlan = queryPlanOf(planOf("Avdeling('1')/Ansatte", `$filter=${bound}`))
      expect(queryPlan).toContain('employeeDepartmentId (companyId=? AND departmentId=?)')
      expect(queryPlan).not.toContain('TEMP B-TREE')
    }
  })

  test('a page in key order starts where the last one ended, and sorts nothing', () => {
    for (const path of ['Ansatt', "Avdeling('1')/Ansatte"]) {
      const queryPlan = queryPlanOf(afterPosition(planOf(path, ''), [7]))
      expect(queryPlan).toContain('id>?)')
      expect(queryPlan).not.toContain('TEMP B-TREE')
    }
  })
})
