// ScopeChoices: the scopes of a key or password, and those of common integrations at a click.
import { useAdministrationText } from '../../i18n/administration.ts'
import { Chip } from '../../components/Button.tsx'
import { ChoiceList, type ChoiceListProps } from '../../components/ChoiceList.tsx'

interface ScopeChoicesProps extends Omit<ChoiceListProps, 'choices'> {
  /** The scopes to choose from; default: all. */
  readonly scopes?: readonly string[]
}

export function ScopeChoices({ scopes, ...group }: ScopeChoicesProps) {
  const { administration } = useAdministrationText().t
  const names = Object.entries(administration.scopeNames).filter(([scope]) => scopes?.includes(scope) ?? true)
  const choosable = new Set(names.map(([scope]) => scope))
  return (
    <>
      <div className="chip-list" role="group" aria-label={administration.presets}>
        {presets.map(([name, wanted]) => (
          <Chip
            key={name}
            label={administration.presetNames[name]}
            onClick={() => group.onChange(wanted.filter((scope) => choosable.has(scope)))}
          />
        ))}
      </div>
      <ChoiceList {...group} choices={names} />
    </>
  )
}

const presets: readonly (readonly ['till' | 'accounting' | 'reports', readonly string[]])[] = [
  ['till', ['revenue:read', 'revenue:write']],
  ['accounting', ['material:read', 'material:export']],
  ['reports', ['revenue:read', 'directory:read', 'material:read']],
]
