// A project or a department by its code, with the names that belong to codes beside it.
import { TextInput } from '@mantine/core'
import { useId } from 'react'

interface PlaceFieldProps {
  readonly label: string
  /** Codes with their names. */
  readonly choices: readonly (readonly [string, string])[]
  readonly value: string
  readonly onChange: (code: string) => void
}

export const PlaceField = ({ label, choices, value, onChange }: PlaceFieldProps) => {
  const id = useId()
  const name = choices.find(([code]) => code === value)?.[1]
  return (
    <div>
      <TextInput
        size="md"
        label={label}
        list={id}
        autoComplete="off"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {name !== undefined && <p className="muted place-name">{name}</p>}
      <datalist id={id}>
        {choices.map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </datalist>
    </div>
  )
}
