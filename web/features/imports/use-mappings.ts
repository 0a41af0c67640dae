// useMappings: saved mappings of a set, and which one is applied to the file.
import type { AppliedMapping, FileColumns, ImportedSet } from '../../../src/app/contract/imports.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { del, post } from '../../api/client.ts'

/** The last change, to report it and to undo a deletion. */
interface MappingChange {
  readonly action: 'applied' | 'saved' | 'deleted'
  readonly name: string
  readonly undo?: () => void
}

export type Mappings = ReturnType<typeof useMappings>

export function useMappings(set: ImportedSet, { headers, mappings }: FileColumns) {
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
    select: (mapping: AppliedMapping | null) => {
      setSelected(mapping)
      setLastChange(null)
    },
    save: (name: string, fields: readonly string[], then = () => {}) =>
      mutate(async () => {
        const columns = headers.map((header, index) => ({ header, field: fields[index] ?? '' }))
        await post('importMapping', columns, { params: { set, name } })
        onKept({ name, fields: fields.map((field) => field || null), isFitting: true })
        then()
      }),
    rename: (mapping: AppliedMapping, to: string, then: () => void) =>
      mutate(async () => {
        await post('importMappingName', { name: mapping.name, to }, { params: { set } })
        const renamed = { ...mapping, name: to }
        setAll((last) => last.map((one) => (one.name === mapping.name ? renamed : one)))
        setSelected(renamed)
        setLastChange(null)
        then()
      }),
    remove: (mapping: AppliedMapping) =>
      mutate(async () => {
        const { name } = mapping
        // It may have been saved for other headers.
        const { columns } = await del('importMapping', { name }, { set })
        setAll((last) => last.filter((one) => one.name !== name))
        setSelected(null)
        const undo = () =>
          mutate(async () => {
            await post('importMapping', columns, { params: { set, name } })
            onKept(mapping)
          })
        setLastChange({ action: 'deleted', name, undo })
      }),
    isBusy: isPending,
    error,
  }
}
