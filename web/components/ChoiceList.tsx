// ChoiceList: checkboxes for values of the interface, with their names in people's words.
import { Checkbox, type CheckboxGroupProps } from '@mantine/core'
import { ApiName } from './Table.tsx'

export interface ChoiceListProps extends Omit<CheckboxGroupProps, 'children' | 'onChange'> {
  readonly choices: readonly (readonly [value: string, name: string])[]
  readonly onChange: (chosen: string[]) => void
}

export function ChoiceList({ choices, ...group }: ChoiceListProps) {
  return (
    <Checkbox.Group {...group}>
      <div className="choices">
        {choices.map(([value, name]) => (
          <Checkbox
            key={value}
            value={value}
            label={
              <>
                {name}
                <ApiName name={value} title={name} />
              </>
            }
          />
        ))}
      </div>
    </Checkbox.Group>
  )
}
