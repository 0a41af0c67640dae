// SavedMappings: apply, save, rename and delete column mappings.
import { Button } from '../../components/Button.tsx'
import { TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useState } from 'react'
import { ChoiceSelect } from '../../components/ChoiceSelect.tsx'
import { ActionDialog } from '../../components/Dialog.tsx'
import { useFields } from '../../components/use-fields.ts'
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
  const { t } = useImportText()
  const [naming, setNaming] = useState<'save' | 'rename' | null>(null)
  const { all, selected, isBusy } = mappings
  const isChanged = selected?.fields.some((field, index) => (field ?? '') !== fields[index]) ?? false
  return (
    <>
      <MappingOutcome mappings={mappings} />
      <div className="toolbar">
        {all.length > 0 && (
          <ChoiceSelect
            label={t.imports.savedMapping}
            value={selected?.name ?? ''}
            choices={[['', t.imports.noMapping], ...all.map(({ name }) => name)]}
            onPick={(picked) => {
              const chosen = all.find(({ name }) => name === picked) ?? null
              mappings.select(chosen)
              onTake(chosen?.fields ?? null)
            }}
          />
        )}
        {selected !== null && isChanged && (
          <Button
            label={t.imports.saveChanges}
            disabled={isWrong}
            loading={isBusy}
            onClick={() => mappings.save(selected.name, fields)}
          />
        )}
        {(selected === null || isChanged) && (
          <Button
            label={selected === null ? t.imports.saveMapping : t.imports.saveAsNewMapping}
            disabled={isWrong}
            onClick={() => setNaming('save')}
          />
        )}
        {selected !== null && (
          <>
            <Button label={t.imports.renameMapping} variant="subtle" onClick={() => setNaming('rename')} />
            <Button
              label={t.imports.deleteMapping}
              variant="subtle"
              loading={isBusy}
              onClick={() => mappings.remove(selected)}
            />
          </>
        )}
      </div>
      {naming !== null && (
        <MappingNameDialog mappings={mappings} action={naming} fields={fields} onClose={() => setNaming(null)} />
      )}
    </>
  )
}

function MappingOutcome({ mappings }: Pick<SavedMappingsProps, 'mappings'>) {
  const { t } = useImportText()
  const { lastChange, error, isBusy } = mappings
  return (
    <div aria-live="polite">
      {error !== null && <p className="problem">{error.message}</p>}
      {lastChange !== null && (
        <div className="alert">
          <p>{t.imports.mappingDone[lastChange.action](lastChange.name)}</p>
          {lastChange.undo !== undefined && <Button label={t.undo} loading={isBusy} onClick={lastChange.undo} />}
        </div>
      )}
    </div>
  )
}

interface MappingNameDialogProps extends Pick<SavedMappingsProps, 'mappings' | 'fields'> {
  readonly action: 'save' | 'rename'
  readonly onClose: () => void
}

function MappingNameDialog({ mappings, action, fields, onClose }: MappingNameDialogProps) {
  const { t } = useImportText()
  const { all, selected } = mappings
  /** An error of an earlier change is shown above the list. */
  const [isSent, setSent] = useState(false)
  const { values, field, onSubmit, ...form } = useFields({
    initialValues: { name: action === 'rename' ? (selected?.name ?? '') : '' },
    validate: { name: isNotEmpty(t.imports.mappingNameMissing) },
    labels: { name: t.imports.mappingName },
    action: { isPending: mappings.isBusy, error: isSent ? mappings.error : null },
  })
  const written = values.name.trim()
  const isReplacing = action === 'save' && all.some(({ name }) => name === written)
  const submit = onSubmit(() => {
    setSent(true)
    if (action === 'rename' && selected !== null) mappings.rename(selected, written, onClose)
    else mappings.save(written, fields, onClose)
  })
  return (
    <ActionDialog
      title={action === 'rename' ? t.imports.renameMapping : t.imports.saveMapping}
      submit={t.save}
      action={form.action}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        {...field('name')}
        data-autofocus
        description={isReplacing ? t.imports.replaces(written) : t.imports.mappingNameHint}
        maxLength={60}
      />
    </ActionDialog>
  )
}
