// useSearchParams: the query parameters of the screen, and a function that changes some of them.
import { useNavigate, useSearch, type RegisteredRouter, type RouteById, type RouteIds } from '@tanstack/react-router'

type ScreenPath = Exclude<RouteIds<RegisteredRouter['routeTree']>, '__root__'>

type SearchParams<Path extends ScreenPath> = RouteById<RegisteredRouter['routeTree'], Path>['types']['fullSearchSchema']

/** How the address changes: in a new entry of the history where Back should lead to the one before. */
interface ChangeOptions {
  readonly replace?: boolean
  readonly resetScroll?: boolean
}

/** An empty text, or false, is no parameter. */
export type ChangeSearch<Path extends ScreenPath> = (
  changes: { readonly [Name in keyof SearchParams<Path>]?: SearchParams<Path>[Name] | '' },
  options?: ChangeOptions,
) => void

export function useSearchParams<Path extends ScreenPath>(path: Path): [SearchParams<Path>, ChangeSearch<Path>]
export function useSearchParams(path: ScreenPath): [object, (changes: object, options?: ChangeOptions) => void] {
  const search: object = useSearch({ from: path })
  const navigate = useNavigate({ from: path })
  return [
    search,
    (changes, options) => {
      const given = Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, value || undefined]))
      void navigate({ search: (last: object) => ({ ...last, ...given }), replace: true, ...options })
    },
  ]
}
