// MaterialEntryForm: item, quantity, project, department; keeps the last three values.
import { Button, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type SyntheticEvent } from 'react'
import { Refusal } from '../../api/client.ts'
import { nameOf } from './items-api.ts'
import type { UsedItem } from './listed-item.ts'
import {
  changeLine,
  keepPlace,
  lastPlace,
  registerLine,
  type NewLine,
  type Own,
  type OwnLine,
} from './api.ts'
import { isKnownPlace, placesQuery } from './directory-codes-api.ts'
import { useSession } from '../../api/session.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { usageText } from './i18n.ts'
import { useText } from '../../i18n/translation.tsx'
import { draftOf, emptied, lineOf, newDraft, type Draft } from './draft.ts'
import { ItemField } from './ItemField.tsx'
import { PlaceField } from './DirectoryCodeField.tsx'

interface UsageFormProps {
  readonly own: Own
  /** The line to correct; null for a new one. */
  readonly edited: OwnLine | null
  readonly onDone: () => void
}

export function UsageForm({ own: { rows, items }, edited, onDone }: UsageFormProps) {
  const { say } = useText(revenueText, usageText)
  const session = useSession()
  const client = useQueryClient()
  const places = useQuery(placesQuery).data
  const itemField = useRef<HTMLInputElement>(null)
  const projectField = useRef<HTMLInputElement>(null)
  const departmentField = useRef<HTMLInputElement>(null)
  const [draft, setDraft] = useState<Draft>(() =>
    edited === null ? newDraft(session.today, lastPlace(session, rows)) : draftOf(edited),
  )
  const [problem, setProblem] = useState<string | null>(null)
  const [saved, setSaved] = useState<string | null>(null)
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (line: NewLine) => {
      const label = `${draft.quantity} ${draft.unit} ${draft.item}`
      return edited === null ? registerLine(line, label, session) : changeLine(edited.id, line)
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['material'] }),
  })

  const put = (change: Partial<Draft>) => setDraft((last) => ({ ...last, ...change }))
  const choose = (chosen: UsedItem) =>
    put({ item: nameOf(chosen), chosen, ...(chosen.unit === null ? {} : { unit: chosen.unit }) })
  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const line = lineOf(draft, items)
    if (line === null) return setProblem(say.usage.incomplete)
    setProblem(null)
    // The field shows its own error.
    if (!isKnownPlace(places?.projects ?? [], draft.projectId)) return projectField.current?.focus()
    if (!isKnownPlace(places?.departments ?? [], draft.departmentId))
      return departmentField.current?.focus()
    try {
      const registered = await mutateAsync(line)
      const { item, quantity, unit } = draft
      setSaved(registered === null ? say.outbox.kept : say.usage.saved(item, quantity, unit))
    } catch (error) {
      return setProblem(
        error instanceof Refusal && error.code === 'Offline'
          ? say.states.offlineTitle
          : String(error instanceof Error ? error.message : error),
      )
    }
    keepPlace(session, draft)
    if (edited !== null) return onDone()
    setDraft(emptied)
    itemField.current?.focus()
  }

  return (
    <form className="panel material-entry-form" onSubmit={(event) => void submit(event)} noValidate>
      <h2>{edited === null ? say.usage.new : say.usage.correct}</h2>
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <div aria-live="polite">{saved !== null && <p className="alert">{saved}</p>}</div>
      <ItemField
        ref={itemField}
        items={items}
        value={draft.item}
        onType={(item) => put({ item, chosen: null })}
        onChoose={choose}
      />
      {edited === null && draft.item === '' && (
        <div className="chip-list">
          {items.slice(0, 4).map((one) => (
            <button
              key={`${one.itemId} ${one.itemName}`}
              type="button"
              className="chip"
              onClick={() => choose(one)}
            >
              {nameOf(one)}
            </button>
          ))}
        </div>
      )}
      <div className="field-pair">
        <TextInput
          size="md"
          label={say.usage.quantity}
          inputMode="decimal"
          value={draft.quantity}
          onChange={({ currentTarget }) => put({ quantity: currentTarget.value })}
        />
        <TextInput
          size="md"
          label={say.usage.unit}
          value={draft.unit}
          maxLength={20}
          onChange={({ currentTarget }) => put({ unit: currentTarget.value })}
        />
      </div>
      <div className="field-pair">
        <PlaceField
          ref={projectField}
          label={say.usage.project}
          choices={places?.projects}
          value={draft.projectId}
          onChange={(projectId) => put({ projectId })}
        />
        <PlaceField
          ref={departmentField}
          label={say.usage.department}
          choices={places?.departments}
          value={draft.departmentId}
          onChange={(departmentId) => put({ departmentId })}
        />
      </div>
      <TextInput
        size="md"
        type="date"
        label={say.usage.date}
        value={draft.date}
        onChange={({ currentTarget }) => put({ date: currentTarget.value })}
      />
      <Textarea
        size="md"
        label={say.revenue.remark}
        value={draft.remark}
        maxLength={4000}
        autosize
        minRows={1}
        onChange={({ currentTarget }) => put({ remark: currentTarget.value })}
      />
      <p className="muted">{say.usage.returns}</p>
      <Button type="submit" size="lg" loading={isPending} fullWidth>
        {edited === null ? say.usage.register : say.usage.sendAgain}
      </Button>
      {edited !== null && (
        <Button variant="default" size="md" onClick={onDone} fullWidth>
          {say.cancel}
        </Button>
      )}
    </form>
  )
}
