// The screens in the order of the rail: who may open them, and the letter that leads there.
import type { Session } from '../data/session.ts'
import type { IconName } from './Icon.tsx'

export interface Place {
  readonly to:
    | '/app/i-dag'
    | '/app/uttak'
    | '/app/godkjenning'
    | '/app/omsetning'
    | '/app/register'
    | '/app/utforsk'
    | '/app/hjelp'
  readonly name: 'i-dag' | 'uttak' | 'godkjenning' | 'omsetning' | 'register' | 'utforsk' | 'hjelp'
  readonly icon: IconName
  /** After `g`. */
  readonly letter: string
  readonly scope: string | null
  readonly isBelow?: true
}

const places: readonly Place[] = [
  { to: '/app/i-dag', name: 'i-dag', icon: 'today', letter: 'i', scope: null },
  { to: '/app/uttak', name: 'uttak', icon: 'usage', letter: 'u', scope: 'material:write' },
  {
    to: '/app/godkjenning',
    name: 'godkjenning',
    icon: 'approve',
    letter: 'g',
    scope: 'material:approve',
  },
  {
    to: '/app/omsetning',
    name: 'omsetning',
    icon: 'revenue',
    letter: 'o',
    scope: 'revenue:read',
  },
  {
    to: '/app/register',
    name: 'register',
    icon: 'register',
    letter: 'r',
    scope: 'directory:read',
  },
  {
    to: '/app/utforsk',
    name: 'utforsk',
    icon: 'explore',
    letter: 'e',
    scope: 'directory:read',
    isBelow: true,
  },
  { to: '/app/hjelp', name: 'hjelp', icon: 'help', letter: 'h', scope: null, isBelow: true },
]

export const placesFor = ({ scopes }: Session): readonly Place[] =>
  places.filter(({ scope }) => scope === null || scopes.includes(scope))
