// Details of lines and retrievals.
import type { ExportLineDetails, RetrievalPage } from '../../../src/app/contract/export.ts'
import { queryOptions } from '@tanstack/react-query'
import { get } from '../../api/client.ts'
import { replyQuery } from '../../api/reply-query.ts'

export function exportLineQuery(destination: number, id: number) {
  return replyQuery(['material', 'export', 'line', destination, id], 'exportLine', { params: { destination, id } })
}

export function retrievalQuery(id: number) {
  return queryOptions({ queryKey: ['material', 'export', 'retrieval', id], queryFn: () => fetchWholeRetrieval(id) })
}

export async function fetchWholeRetrieval(id: number): Promise<RetrievalPage> {
  const lines: ExportLineDetails[] = []
  for (let before: number | undefined; ;) {
    const page = await get('exportRetrieval', { id, before })
    lines.push(...page.lines)
    before = page.lines.at(-1)?.id
    if (page.lines.length < linesPerPage) return { retrieval: page.retrieval, lines }
  }
}

const linesPerPage = 1000
