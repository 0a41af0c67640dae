// Sort parameter: the order of the list, as the server names it and as the URL spells it.
import type { SortName } from '../../../src/app/contract/approvals.ts'
import type { ApprovalListFilter } from '../../api/approvals.ts'
import { sortParams, type sortParam } from '../../app/search-params.ts'

type Sort = ApprovalListFilter['sort']

type SortParam = ReturnType<typeof sortParam>

export function toSort(param: SortParam): Sort {
  const names = Object.keys(sortParams) as SortName[]
  const name = names.find((one) => sortParams[one] === param?.replace('-', ''))
  return name && (param?.startsWith('-') ? `-${name}` : name)
}

export function toSortParam(sort: Sort): SortParam {
  if (sort === undefined) return undefined
  const isDescending = sort.startsWith('-')
  const name = sortParams[sort.replace('-', '') as SortName]
  return isDescending ? `-${name}` : name
}

/** Ascending, then descending, then by date again. */
export function getNextSort(sort: Sort, name: SortName): Sort {
  if (sort === name) return `-${name}`
  return sort === `-${name}` ? undefined : name
}
