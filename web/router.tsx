// Which address shows which screen. Every filter stands in the address, so that every view is a link.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { grouping, type Grouping } from './data/approvals.ts'
import { isDay } from './data/days.ts'
import { exploredSets, type ExploredSet } from './data/explore.ts'
import type { Per } from './data/revenue.ts'
import { importedSets, type ImportedSet } from './data/imported-sets.ts'
import type { SetName } from './data/sets.ts'
import { Door } from './parts/Door.tsx'
import { NotFound } from './parts/NotFound.tsx'
import { Today } from './screens/Today.tsx'

const root = createRootRoute({ component: Door, notFoundComponent: NotFound })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    // oxlint-disable-next-line typescript/only-throw-error -- the router catches it
    throw redirect({ to: '/app/i-dag', replace: true })
  },
})

/** An address that people come back from with their session opened. */
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/app/logg-inn',
  beforeLoad: () => {
    // oxlint-disable-next-line typescript/only-throw-error -- the router catches it
    throw redirect({ to: '/app/i-dag', replace: true })
  },
})

const today = createRoute({ getParentRoute: () => root, path: '/app/i-dag', component: Today })

export interface RevenueSearch {
  readonly vis?: 'dager' | 'kalender' | undefined
  readonly per?: Per | undefined
  readonly fra?: string | undefined
  readonly til?: string | undefined
  readonly avd?: string | undefined
  readonly tabell?: boolean | undefined
  /** The grid: a week or a month, and whether last year stands beside. */
  readonly spenn?: 'maned' | undefined
  readonly dag?: string | undefined
  readonly sammenlign?: boolean | undefined
  /** An open cell, `2026-11-14.20`. */
  readonly celle?: string | undefined
}

const oneOf = <Word extends string>(value: unknown, words: readonly Word[]): Word | undefined =>
  words.find((word) => word === value)

const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

const numberIn = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined

const dayIn = (value: unknown): string | undefined => {
  const text = textIn(value)
  return isDay(text) ? text : undefined
}

const revenue = createRoute({
  getParentRoute: () => root,
  path: '/app/omsetning',
  validateSearch: (search: Record<string, unknown>): RevenueSearch => ({
    vis: oneOf(search['vis'], ['dager', 'kalender']),
    per: oneOf(search['per'], ['day', 'week', 'month']),
    fra: dayIn(search['fra']),
    til: dayIn(search['til']),
    avd: textIn(search['avd']),
    tabell: search['tabell'] === true ? true : undefined,
    spenn: oneOf(search['spenn'], ['maned']),
    dag: dayIn(search['dag']),
    sammenlign: search['sammenlign'] === true ? true : undefined,
    celle: textIn(search['celle']),
  }),
  component: lazyRouteComponent(() => import('./screens/revenue/Revenue.tsx'), 'Revenue'),
})

export interface TidyingSearch {
  /** An open cell. */
  readonly celle?: string | undefined
}

const tidying = createRoute({
  getParentRoute: () => root,
  path: '/app/rydde',
  validateSearch: (search: Record<string, unknown>): TidyingSearch => ({
    celle: textIn(search['celle']),
  }),
  component: lazyRouteComponent(() => import('./screens/tidying/Tidying.tsx'), 'Tidying'),
})

export interface ApprovalsSearch {
  readonly liste?: 'venter' | 'godkjent' | 'avvist' | 'eksportert' | undefined
  readonly gruppe?: Grouping | undefined
  readonly fra?: string | undefined
  readonly til?: string | undefined
  readonly avd?: string | undefined
  readonly prosjekt?: string | undefined
  readonly ansatt?: string | undefined
  readonly kilde?: string | undefined
  readonly avvik?: boolean | undefined
  /** All of it is ticked to begin with. */
  readonly merket?: boolean | undefined
  /** An open line. */
  readonly linje?: number | undefined
}

const approvals = createRoute({
  getParentRoute: () => root,
  path: '/app/godkjenning',
  validateSearch: (search: Record<string, unknown>): ApprovalsSearch => ({
    liste: oneOf(search['liste'], ['venter', 'godkjent', 'avvist', 'eksportert']),
    gruppe: oneOf(search['gruppe'], grouping),
    fra: dayIn(search['fra']),
    til: dayIn(search['til']),
    avd: textIn(search['avd']),
    prosjekt: textIn(search['prosjekt']),
    ansatt: textIn(search['ansatt']),
    kilde: textIn(search['kilde']),
    avvik: search['avvik'] === true ? true : undefined,
    merket: search['merket'] === true ? true : undefined,
    linje: typeof search['linje'] === 'number' ? search['linje'] : undefined,
  }),
  component: lazyRouteComponent(() => import('./screens/approvals/Approvals.tsx'), 'Approvals'),
})

export interface RegisterSearch {
  readonly liste?: SetName | undefined
  readonly sok?: string | undefined
  readonly side?: number | undefined
  /** An open record. */
  readonly id?: string | undefined
  /** The form of a new one. */
  readonly ny?: boolean | undefined
  /** The key that it starts with. */
  readonly kode?: string | undefined
}

const register = createRoute({
  getParentRoute: () => root,
  path: '/app/register',
  validateSearch: (search: Record<string, unknown>): RegisterSearch => ({
    liste: oneOf(search['liste'], ['Ansatt', 'Avdeling', 'Prosjekt', 'Anlegg']),
    sok: textIn(search['sok']),
    side: typeof search['side'] === 'number' && search['side'] > 1 ? search['side'] : undefined,
    id: textIn(search['id']),
    ny: search['ny'] === true ? true : undefined,
    kode: textIn(search['kode']),
  }),
  component: lazyRouteComponent(() => import('./screens/register/Register.tsx'), 'Register'),
})

export interface ImportSearch {
  readonly hva?: ImportedSet | undefined
}

const imports = createRoute({
  getParentRoute: () => root,
  path: '/app/import',
  validateSearch: (search: Record<string, unknown>): ImportSearch => ({
    hva: oneOf(search['hva'], importedSets),
  }),
  component: lazyRouteComponent(() => import('./screens/imports/Imports.tsx'), 'Imports'),
})

export interface ExploreSearch {
  readonly sett?: ExploredSet | undefined
  readonly select?: string | undefined
  readonly filter?: string | undefined
  readonly expand?: string | undefined
  readonly orderby?: string | undefined
  readonly top?: string | undefined
}

const explore = createRoute({
  getParentRoute: () => root,
  path: '/app/utforsk',
  validateSearch: (search: Record<string, unknown>): ExploreSearch => ({
    sett: oneOf(search['sett'], exploredSets),
    select: textIn(search['select']),
    filter: textIn(search['filter']),
    expand: textIn(search['expand']),
    orderby: textIn(search['orderby']),
    top: textIn(search['top']),
  }),
  component: lazyRouteComponent(() => import('./screens/Explore.tsx'), 'Explore'),
})

export interface ExportSearch {
  readonly vis?: 'historikk' | 'avstemming' | undefined
  readonly liste?: 'venter' | 'feil' | 'ute' | undefined
  readonly mottaker?: number | undefined
  /** What is reconciled: the days that it was exported on. */
  readonly fra?: string | undefined
  readonly til?: string | undefined
  /** An open line, or an open retrieval. */
  readonly linje?: number | undefined
  readonly uthenting?: number | undefined
}

const exported = createRoute({
  getParentRoute: () => root,
  path: '/app/eksport',
  validateSearch: (search: Record<string, unknown>): ExportSearch => ({
    vis: oneOf(search['vis'], ['historikk', 'avstemming']),
    liste: oneOf(search['liste'], ['venter', 'feil', 'ute']),
    mottaker: numberIn(search['mottaker']),
    fra: dayIn(search['fra']),
    til: dayIn(search['til']),
    linje: numberIn(search['linje']),
    uthenting: numberIn(search['uthenting']),
  }),
  component: lazyRouteComponent(() => import('./screens/export/Export.tsx'), 'Export'),
})

export interface AuditSearch {
  readonly linje?: number | undefined
  readonly hvem?: string | undefined
  readonly hva?: string | undefined
}

const audit = createRoute({
  getParentRoute: () => root,
  path: '/app/revisjon',
  validateSearch: (search: Record<string, unknown>): AuditSearch => ({
    linje: numberIn(search['linje']),
    hvem: textIn(search['hvem']),
    hva: textIn(search['hva']),
  }),
  component: lazyRouteComponent(() => import('./screens/Audit.tsx'), 'Audit'),
})

const administrationParts = [
  'nokler',
  'kall',
  'webhooks',
  'personer',
  'innstillinger',
  'drift',
] as const

type AdministrationPart = (typeof administrationParts)[number]

export interface AdministrationSearch {
  readonly vis?: AdministrationPart | undefined
  /** Of a request that was refused. */
  readonly id?: string | undefined
}

const administration = createRoute({
  getParentRoute: () => root,
  path: '/app/administrasjon',
  validateSearch: (search: Record<string, unknown>): AdministrationSearch => ({
    vis: oneOf(search['vis'], administrationParts),
    id: textIn(search['id']),
  }),
  component: lazyRouteComponent(
    () => import('./screens/administration/Administration.tsx'),
    'Administration',
  ),
})

const account = createRoute({
  getParentRoute: () => root,
  path: '/app/konto',
  component: lazyRouteComponent(() => import('./screens/account/Account.tsx'), 'Account'),
})

const usage = createRoute({
  getParentRoute: () => root,
  path: '/app/uttak',
  component: lazyRouteComponent(() => import('./screens/Usage.tsx'), 'Usage'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/app/invitasjon',
  component: lazyRouteComponent(() => import('./screens/Invitation.tsx'), 'Invitation'),
})

const forgotten = createRoute({
  getParentRoute: () => root,
  path: '/app/glemt',
  component: lazyRouteComponent(() => import('./screens/Forgotten.tsx'), 'Forgotten'),
})

const newPassword = createRoute({
  getParentRoute: () => root,
  path: '/app/ny-adgang',
  component: lazyRouteComponent(() => import('./screens/NewPassword.tsx'), 'NewPassword'),
})

const help = createRoute({
  getParentRoute: () => root,
  path: '/app/hjelp',
  component: lazyRouteComponent(() => import('./screens/Help.tsx'), 'Help'),
})

export const makeRouter = () =>
  createRouter({
    routeTree: root.addChildren([
      home,
      signIn,
      today,
      usage,
      approvals,
      revenue,
      tidying,
      register,
      imports,
      explore,
      exported,
      audit,
      administration,
      account,
      help,
      invitation,
      forgotten,
      newPassword,
    ]),
    defaultPreload: 'intent',
    scrollRestoration: true,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
