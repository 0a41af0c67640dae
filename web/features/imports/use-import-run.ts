// useImportRun: progress and result of a dry run or an import.
import type { ImportProgress } from '../../../src/app/contract/imports.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { runImport, type ImportRequest } from './api.ts'

export type ImportRunState = ReturnType<typeof useImportRun>

export function useImportRun() {
  const client = useQueryClient()
  const [progress, setProgress] = useState<ImportProgress | null>(null)
  const { mutate, reset, isPending, data, error } = useMutation({
    mutationFn: (importRequest: ImportRequest) => runImport(importRequest, setProgress),
    onMutate: () => setProgress(null),
    onSettled: (_, __, { isDryRun }) => {
      if (isDryRun) return
      for (const name of ['imports', 'set', 'revenue', 'material']) void client.invalidateQueries({ queryKey: [name] })
    },
  })
  return { start: mutate, reset, isBusy: isPending, progress, report: data ?? null, error }
}
