// SavedMappings: apply, save, rename and delete column mappings.
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Asking } from '../../components/ActionDialog.tsx'
import { useImportText } from './i18n.ts'
import type { Mappings } from './use-mappings.ts'

interface SavedMappingsProps {
  readonly mappings: Mappings
  /** Fields as selected now. */
  readonly fields: readonly string[]
  /** The mapping is incomplete. */
  readonly isWrong: boolean
  readonly onTake: (fields: readonly (string | null)[] | null) => void
}

export function SavedMappings({ mappings, fields, isWrong, onTake }: SavedMappingsProps) {
  const say = useImportText()
  const [naming, setNaming] = useState<'save' | 'rename' | null>(null)
  const { all, taken, isBusy } = mappings
  const isChanged = taken?.fields.some((field, index) => (field ?? '') !== fields[index]) ?? false
  return (
    <>
      <Told mappings={mappings} />
      <div className="toolbar">
        {all.length > 0 && (
          <NativeSelect
            label={say.savedMapping}
            value={taken?.name ?? ''}
            data={[
              { value: '', label: say.noMapping },
              ...all.map(({ name }) => ({ value: name, label: name })),
            ]}
            onChange={({ currentTarget }) => {
              const chosen = all.find(({ name }) => name === currentTarget.value) ?? null
              mappings.take(chosen)
              onTake(chosen?.fields ?? null)
            }}
          />
        )}
        {taken !== null && isChanged && (
          <Button
            size="sm"
            variant="default"
            disabled={isWrong}
            loading={isBusy}
            onClick={() => mappings.keep(taken.name, fields)}
          >
            {say.keepChanges}
          </Button>
        )}
        {(taken === null || isChanged) && (
          <Button size="sm" variant="default" disabled={isWrong} onClick={() => setNaming('save')}>
            {taken === null ? say.keepMapping : say.keepAsNew}
          </Button>
        )}
        {taken !== null && (
          <>
            <Button size="sm" variant="subtle" onClick={() => setNaming('rename')}>
              {say.renameMapping}
            </Button>
            <Button
              size="sm"
              variant="subtle"
              loading={isBusy}
              onClick={() => mappings.drop(taken)}
            >
              {say.dropMapping}
            </Button>
          </>
        )}
      </div>
      {naming !== null && (
        <Naming mappings={mappings} act={naming} fields={fields} onClose={() => setNaming(null)} />
      )}
    </>
  )
}

function Told({ mappings }: Pick<SavedMappingsProps, 'mappings'>) {
  const say = useImportText()
  const { done, error, isBusy } = mappings
  return (
    <div aria-live="polite">
      {error !== null && <p className="problem">{error.message}</p>}
      {done !== null && (
        <div className="alert">
          <p>{say.mappingDone[done.act](done.name)}</p>
          {done.undo !== undefined && (
            <Button size="sm" variant="default" loading={isBusy} onClick={done.undo}>
              {say.undoDrop}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

interface NamingProps extends Pick<SavedMappingsProps, 'mappings' | 'fields'> {
  readonly act: 'save' | 'rename'
  readonly onClose: () => void
}

function Naming({ mappings, act, fields, onClose }: NamingProps) {
  const say = useImportText()
  const { all, taken, isBusy, error } = mappings
  const [name, setName] = useState(act === 'rename' ? (taken?.name ?? '') : '')
  const [isTried, setTried] = useState(false)
  const written = name.trim()
  const isReplacing = act === 'save' && all.some((one) => one.name === written)
  const submit = () => {
    setTried(true)
    if (written === '') return
    if (act === 'rename' && taken !== null) mappings.rename(taken, written, onClose)
    else mappings.keep(written, fields, onClose)
  }
  return (
    <Asking
      title={act === 'rename' ? say.renameMapping : say.keepMapping}
      submit={say.saveName}
      isBusy={isBusy}
      error={isTried ? error : null}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label={say.mappingName}
        description={isReplacing ? say.replaces(written) : say.mappingNameHint}
        maxLength={60}
        value={name}
        error={isTried && written === '' ? say.mappingNameMissing : undefined}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </Asking>
  )
}
