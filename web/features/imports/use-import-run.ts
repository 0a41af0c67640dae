// useImportRun: progress and result of a dry run or an import.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { runFile, type Asked, type Progress, type Report } from './api.ts'

export interface RunningImport {
  readonly start: (asked: Asked) => void
  readonly reset: () => void
  readonly isBusy: boolean
  readonly isDryRun: boolean
  readonly progress: Progress | null
  readonly report: Report | null
  readonly error: Error | null
}

export function useRunning(): RunningImport {
  const client = useQueryClient()
  const [progress, setProgress] = useState<Progress | null>(null)
  const { mutate, reset, isPending, data, error, variables } = useMutation({
    mutationFn: (asked: Asked) => runFile(asked, setProgress),
    onMutate: () => setProgress(null),
    onSettled: (_, __, { isDryRun }) => {
      if (isDryRun) return
      for (const name of ['imports', 'set', 'revenue', 'material'])
        void client.invalidateQueries({ queryKey: [name] })
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
