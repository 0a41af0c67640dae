// useMappings: saved mappings of a set, and which one is applied to the file.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ImportedSet } from '../../api/imported-sets.ts'
import {
  dropMapping,
  keepMapping,
  renameMapping,
  type FileColumns,
  type SavedMapping,
} from './api.ts'

/** The last change, to report it and to undo a deletion. */
export interface Done {
  readonly act: 'applied' | 'saved' | 'deleted'
  readonly name: string
  readonly undo?: () => void
}

export interface Mappings {
  readonly all: readonly SavedMapping[]
  readonly taken: SavedMapping | null
  readonly done: Done | null
  readonly take: (mapping: SavedMapping | null) => void
  readonly keep: (name: string, fields: readonly string[], onKept?: () => void) => void
  readonly rename: (mapping: SavedMapping, to: string, onRenamed: () => void) => void
  readonly drop: (mapping: SavedMapping) => void
  readonly isBusy: boolean
  readonly error: Error | null
}

export function useMappings(set: ImportedSet, { headers, mappings }: FileColumns): Mappings {
  const [all, setAll] = useState(mappings)
  const [selected, setSelected] = useState(
    () => mappings.find(({ isFitting }) => isFitting) ?? null,
  )
  const [lastChange, setLastChange] = useState<Done | null>(
    selected === null ? null : { act: 'applied', name: selected.name },
  )
  const { mutate, isPending, error } = useMutation({
    mutationFn: (work: () => Promise<void>) => work(),
  })
  const onKept = (mapping: SavedMapping) => {
    const { name } = mapping
    setAll((last) => [mapping, ...last.filter((one) => one.name !== name)])
    setSelected(mapping)
    setLastChange({ act: 'saved', name })
  }
  return {
    all,
    taken: selected,
    done: lastChange,
    take: (mapping) => {
      setSelected(mapping)
      setLastChange(null)
    },
    keep: (name, fields, then = () => {}) =>
      mutate(async () => {
        const columns = headers.map((header, index) => ({ header, field: fields[index] ?? '' }))
        await keepMapping(set, name, columns)
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
    drop: (mapping) =>
      mutate(async () => {
        const { name } = mapping
        const columns = await dropMapping(set, name)
        setAll((last) => last.filter((one) => one.name !== name))
        setSelected(null)
        const undo = () =>
          mutate(async () => {
            await keepMapping(set, name, columns)
            onKept(mapping)
          })
        setLastChange({ act: 'deleted', name, undo })
      }),
    isBusy: isPending,
    error,
  }
}
