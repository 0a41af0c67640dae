// useImportRun: progress and result of a dry run or an import.
import type { ImportProgress, ImportRunReport } from '../../../src/app/contract/imports.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { runImport, type ImportRequest } from './api.ts'

export interface ImportRunState {
  readonly start: (importRequest: ImportRequest) => void
  readonly reset: () => void
  readonly isBusy: boolean
  readonly isDryRun: boolean
  readonly progress: ImportProgress | null
  readonly report: ImportRunReport | null
  readonly error: Error | null
}

export function useImportRun(): ImportRunState {
  const client = useQueryClient()
  const [progress, setProgress] = useState<ImportProgress | null>(null)
  const { mutate, reset, isPending, data, error, variables } = useMutation({
    mutationFn: (importRequest: ImportRequest) => runImport(importRequest, setProgress),
    onMutate: () => setProgress(null),
    onSettled: (_, __, { isDryRun }) => {
      if (isDryRun) return
      for (const name of ['imports', 'set', 'revenue', 'material']) void client.invalidateQueries({ queryKey: [name] })
    },
  })
  return {
    start: mutate,
    reset,
    isBusy: isPending,
    isDryRun: variables?.isDryRun ?? true,
    progress,
    report: data ?? null,
    error,
  }
}
