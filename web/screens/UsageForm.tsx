// One line of material: what, how much, where; project and date stay for the next one.
import { Button, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type SyntheticEvent } from 'react'
import { Refusal } from '../data/ask.ts'
import { sentAmount, typedAmount } from '../data/format.ts'
import {
  changeLine,
  registerLine,
  type NewLine,
  type OwnLine,
  type UsedItem,
} from '../data/own-material.ts'
import { useSession } from '../data/session.ts'
import { setQuery, textOf } from '../data/sets.ts'
import { useText } from '../text/text.tsx'

interface UsageFormProps {
  readonly items: readonly UsedItem[]
  /** The line that is corrected; null for a new one. */
  readonly edited: OwnLine | null
  readonly onDone: () => void
}

export const UsageForm = ({ items, edited, onDone }: UsageFormProps) => {
  const { say } = useText()
  const session = useSession()
  const { today } = session
  const client = useQueryClient()
  const projects = useQuery(setQuery('Prosjekt', { $select: 'Id,Navn', $orderby: 'Id' }))
  const itemField = useRef<HTMLInputElement>(null)
  const [item, setItem] = useState(edited?.itemName ?? edited?.itemId ?? '')
  const [quantity, setQuantity] = useState(edited === null ? '' : plain(edited.quantity))
  const [unit, setUnit] = useState(edited?.unit ?? '')
  const [project, setProject] = useState(
    edited === null ? (localStorage.getItem(projectStoredAs) ?? '') : (edited.projectId ?? ''),
  )
  const [date, setDate] = useState(edited?.date ?? today)
  const [remark, setRemark] = useState(edited?.remark ?? '')
  const [problem, setProblem] = useState<string | null>(null)
  const [saved, setSaved] = useState<string | null>(null)
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (line: NewLine) => {
      const { itemName, unit } = line
      return edited === null
        ? registerLine(line, `${quantity} ${unit} ${itemName}`, session)
        : changeLine(edited.id, line)
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['material'] }),
  })

  const choose = (name: string) => {
    setItem(name)
    const known = items.find((one) => nameOf(one) === name)
    if (known?.unit !== undefined && known.unit !== null) setUnit(known.unit)
  }
  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const amount = typedAmount(quantity)
    if (item.trim() === '' || amount === null || Number(amount) === 0)
      return setProblem(say.usage.incomplete)
    const known = items.find((one) => nameOf(one) === item)
    setProblem(null)
    let isKept = false
    try {
      const registered = await mutateAsync({
        date,
        itemId: known?.itemId ?? null,
        itemName: known?.itemName ?? item.trim(),
        quantity: amount,
        unit,
        salesPrice:
          known?.salesPrice === undefined || known.salesPrice === null
            ? null
            : sentAmount(known.salesPrice),
        projectId: project,
        departmentId: edited?.departmentId ?? null,
        remark,
      })
      isKept = registered === null
    } catch (error) {
      return setProblem(
        error instanceof Refusal && error.code === 'Offline'
          ? say.states.offlineTitle
          : String(error instanceof Error ? error.message : error),
      )
    }
    localStorage.setItem(projectStoredAs, project)
    setSaved(isKept ? say.outbox.kept : say.usage.saved(item, quantity, unit))
    if (edited !== null) return onDone()
    setItem('')
    setQuantity('')
    setRemark('')
    itemField.current?.focus()
  }

  return (
    <form className="panel usage-form" onSubmit={(event) => void submit(event)} noValidate>
      <h2>{edited === null ? say.usage.new : say.usage.correct}</h2>
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <div aria-live="polite">{saved !== null && <p className="bar">{saved}</p>}</div>
      <TextInput
        ref={itemField}
        size="md"
        label={say.usage.item}
        description={say.usage.itemHint}
        list="used-items"
        autoComplete="off"
        value={item}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      <datalist id="used-items">
        {items.map((one) => (
          <option key={`${one.itemId} ${one.itemName} ${one.unit}`} value={nameOf(one)} />
        ))}
      </datalist>
      {edited === null && item === '' && (
        <div className="work-links">
          {items.slice(0, 5).map((one) => (
            <button
              key={`${one.itemId} ${one.itemName} ${one.unit}`}
              type="button"
              className="chip"
              onClick={() => choose(nameOf(one))}
            >
              {nameOf(one)}
            </button>
          ))}
        </div>
      )}
      <div className="pair">
        <TextInput
          size="md"
          label={say.usage.quantity}
          inputMode="decimal"
          value={quantity}
          onChange={({ currentTarget }) => setQuantity(currentTarget.value)}
        />
        <TextInput
          size="md"
          label={say.usage.unit}
          value={unit}
          maxLength={20}
          onChange={({ currentTarget }) => setUnit(currentTarget.value)}
        />
      </div>
      <TextInput
        size="md"
        label={say.usage.project}
        list="projects"
        autoComplete="off"
        value={project}
        onChange={({ currentTarget }) => setProject(currentTarget.value)}
      />
      <datalist id="projects">
        {(projects.data?.value ?? []).map((row) => (
          <option key={textOf(row['Id'])} value={textOf(row['Id'])}>
            {textOf(row['Navn'])}
          </option>
        ))}
      </datalist>
      <TextInput
        size="md"
        type="date"
        label={say.usage.date}
        value={date}
        onChange={({ currentTarget }) => setDate(currentTarget.value)}
      />
      <Textarea
        size="md"
        label={say.revenue.remark}
        value={remark}
        maxLength={4000}
        autosize
        minRows={1}
        onChange={({ currentTarget }) => setRemark(currentTarget.value)}
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

const projectStoredAs = 'dagsverk-project'

const nameOf = ({ itemName, itemId }: UsedItem): string => itemName ?? itemId ?? ''

/** As somebody would type it. */
const plain = (quantity: number): string =>
  sentAmount(quantity)
    .replace(/\.?0+$/, '')
    .replace('.', ',')
