// FieldList: names and values of a record; those without a value are left out.
import type { ReactNode } from 'react'

export function FieldList({ fields }: { fields: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="fields">
      {fields
        .filter(([, value]) => value !== '' && value !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
