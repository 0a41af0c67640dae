// Palette entries that register a material line: `registrer 3 kabel på P001`.
import type { Session } from '../../src/app/contract/session.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { filterChoices, isKnownCode, projectsAndDepartmentsQuery, resolveCode } from '../api/directory-codes.ts'
import { getLastProjectAndDepartment, registerLine } from '../features/material-entry/api.ts'
import { createDraft, toLine } from '../features/material-entry/draft.ts'
import { getItemLabel, itemSearchQuery } from '../features/material-entry/items-api.ts'
import { useTranslation } from '../i18n/translation.ts'
import { parseRegistration } from './palette-commands.ts'
import type { PaletteEntry } from './palette-entries.ts'

/** One for each item and project that the text may mean; without a project it is that of the last line. */
export function useRegistrationEntries(session: Session, typed: string, onRegistered: () => void) {
  const { t, language } = useTranslation()
  const client = useQueryClient()
  const wanted = session.scopes.includes('material:write') ? parseRegistration(typed, language) : null
  const found = useQuery(itemSearchQuery(wanted?.item ?? ''))
  const { data: codes } = useQuery({ ...projectsAndDepartmentsQuery, enabled: wanted !== null })
  const { mutate, error } = useMutation({
    mutationKey,
    mutationFn: ({ label, line }: { label: string; line: ReturnType<typeof toLine> }) =>
      registerLine(line, label, session),
    onSuccess: onRegistered,
    onSettled: () => client.invalidateQueries({ queryKey: ['material'] }),
  })
  if (wanted === null || found.data === undefined || found.isPlaceholderData || codes === undefined)
    return { entries: [], error: null, isSearching: found.isFetching }
  const last = getLastProjectAndDepartment(session, [])
  const code = resolveCode(codes.projects, wanted.project)
  const projects =
    wanted.project === ''
      ? [last.projectId]
      : isKnownCode(codes.projects, code)
        ? [code]
        : filterChoices(codes.projects, wanted.project).map(([id]) => id)
  const entries = found.data.slice(0, choicesMax).flatMap((item) =>
    projects.slice(0, choicesMax).map((projectId): PaletteEntry => {
      const { quantity } = wanted
      const draft = { ...createDraft(session.today, { ...last, projectId }), quantity }
      const line = toLine({ ...draft, item: getItemLabel(item), chosen: item }, [], language)
      const label = [quantity, line.unit, getItemLabel(item)].filter(Boolean).join(' ')
      const name = codes.projects.find(([id]) => id === projectId)?.[1] ?? ''
      return {
        group: 'actions',
        label: t.palette.register(label, [projectId, name].filter(Boolean).join(' ')),
        staysOpen: true,
        // Enter may be held down.
        run: () => client.isMutating({ mutationKey }) === 0 && mutate({ label, line }),
      }
    }),
  )
  return { entries, error, isSearching: false }
}

const choicesMax = 3

const mutationKey = ['palette-registration']
