// useMappings: saved mappings of a set, and which one is applied to the file.
import type { AppliedMapping, FileColumns, ImportedSet } from '../../../src/app/contract/imports.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteMapping, saveMapping, renameMapping } from './api.ts'

/** The last change, to report it and to undo a deletion. */
export interface MappingChange {
  readonly action: 'applied' | 'saved' | 'deleted'
  readonly name: string
  readonly undo?: () => void
}

export interface Mappings {
  readonly all: readonly AppliedMapping[]
  readonly selected: AppliedMapping | null
  readonly lastChange: MappingChange | null
  readonly select: (mapping: AppliedMapping | null) => void
  readonly save: (name: string, fields: readonly string[], onKept?: () => void) => void
  readonly rename: (mapping: AppliedMapping, to: string, onRenamed: () => void) => void
  readonly remove: (mapping: AppliedMapping) => void
  readonly isBusy: boolean
  readonly error: Error | null
}

export function useMappings(set: ImportedSet, { headers, mappings }: FileColumns): Mappings {
  const [all, setAll] = useState(mappings)
  const [selected, setSelected] = useState(() => mappings.find(({ isFitting }) => isFitting) ?? null)
  const [lastChange, setLastChange] = useState<MappingChange | null>(
    selected === null ? null : { action: 'applied', name: selected.name },
  )
  const { mutate, isPending, error } = useMutation({ mutationFn: (work: () => Promise<void>) => work() })
  const onKept = (mapping: AppliedMapping) => {
    const { name } = mapping
    setAll((last) => [mapping, ...last.filter((one) => one.name !== name)])
    setSelected(mapping)
    setLastChange({ action: 'saved', name })
  }
  return {
    all,
    selected,
    lastChange,
    select: (mapping) => {
      setSelected(mapping)
      setLastChange(null)
    },
    save: (name, fields, then = () => {}) =>
      mutate(async () => {
        const columns = headers.map((header, index) => ({ header, field: fields[index] ?? '' }))
        await saveMapping(set, name, columns)
        onKept({ name, fields: fields.map((field) => field || null), isFitting: true })
        then()
      }),
    rename: (mapping, to, then) =>
      mutate(async () => {
        await renameMapping(set, mapping.name, to)
        const renamed = { ...mapping, name: to }
        setAll((last) => last.map((one) => (one.name === mapping.name ? renamed : one)))
        setSelected(renamed)
        setLastChange(null)
        then()
      }),
    remove: (mapping) =>
      mutate(async () => {
        const { name } = mapping
        const columns = await deleteMapping(set, name)
        setAll((last) => last.filter((one) => one.name !== name))
        setSelected(null)
        const undo = () =>
          mutate(async () => {
            await saveMapping(set, name, columns)
            onKept(mapping)
          })
        setLastChange({ action: 'deleted', name, undo })
      }),
    isBusy: isPending,
    error,
  }
}
