// Tabs: links to the views of a screen, with the current one marked.
import { Link, type LinkProps } from '@tanstack/react-router'

interface TabsProps<Name extends string> {
  readonly label: string
  readonly names: readonly Name[]
  readonly current: Name
  readonly titles: Readonly<Record<Name, string>>
  readonly linkTo: (name: Name) => LinkProps
  readonly onOpen?: () => void
}

export function Tabs<Name extends string>(props: TabsProps<Name>) {
  const { label, names, current, titles, linkTo, onOpen } = props
  return (
    <nav className="tabs" aria-label={label}>
      {names.map((name) => (
        <Link
          key={name}
          {...linkTo(name)}
          activeOptions={{ exact: true }}
          aria-current={name === current ? 'page' : undefined}
          onClick={onOpen}
        >
          {titles[name]}
        </Link>
      ))}
    </nav>
  )
}
