// FieldList: names and values of a record; those without a value are left out.
import type { ReactNode } from 'react'
import { ApiName } from './Table.tsx'

interface FieldListProps {
  readonly fields: readonly (readonly [name: string, value: ReactNode, apiName?: string])[]
}

export function FieldList({ fields }: FieldListProps) {
  return (
    <dl className="fields">
      {fields
        .filter(([, value]) => value !== '' && value !== null)
        .map(([name, value, apiName = name]) => (
          <div key={name}>
            <dt>
              {name}
              <ApiName name={apiName} title={name} />
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
