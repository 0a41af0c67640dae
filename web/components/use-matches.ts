// useMatches: whether the window matches a media query, from the first render on.
import { useMediaQuery } from '@mantine/hooks'

export function useMatches(query: string): boolean {
  return useMediaQuery(query, undefined, { getInitialValueInEffect: false }) ?? false
}
