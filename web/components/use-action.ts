// useAction: a request of the user, repeated after re-authentication where the server requires it.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useContext } from 'react'
import { ReauthenticationContext } from './Reauthenticate.tsx'

interface ActionEffects<Reply> {
  /** The first part of the keys of queries that are fetched again, also after an error: parts may be stored. */
  readonly refreshes: readonly string[]
  readonly onDone?: ((reply: Reply) => unknown) | undefined
}

export function useAction<Reply, Input = void>(
  work: (input: Input) => Promise<Reply>,
  { refreshes, onDone }: ActionEffects<Reply>,
) {
  const client = useQueryClient()
  const run = useContext(ReauthenticationContext)
  return useMutation({
    mutationFn: (input: Input) => run(() => work(input)),
    onSuccess: (reply) => onDone?.(reply),
    onSettled: () => Promise.all(refreshes.map((area) => client.invalidateQueries({ queryKey: [area] }))),
  })
}
