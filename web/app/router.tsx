// Routes of the app. All filters are query parameters, so that every view is a link.
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  useRouter,
  type ErrorComponentProps,
  type RouteComponent,
  Link,
} from '@tanstack/react-router'
import type { QueryClient } from '@tanstack/react-query'
import { parseApprovalSearch, prefetchApprovals, toApprovalFilter } from './approval-search.ts'
import { directorySets, exploredSets, importedSets } from '../../src/app/contract/screens.ts'
import {
  actionParams,
  cell,
  day,
  flag,
  number,
  oneOf,
  periodParams,
  parseSearch,
  sortParam,
  text,
  type SearchParsers,
} from './search-params.ts'
import { ErrorState, EmptyState } from '../components/QueryStates.tsx'
import { SessionGuard } from './SessionGuard.tsx'
import { Today } from '../features/home/Today.tsx'
import { useTranslation } from '../i18n/translation.ts'
import { Page } from '../components/Page.tsx'
import { importCode } from '../components/load-on-demand.tsx'

const root = createRootRouteWithContext<{ readonly client: QueryClient }>()({
  component: SessionGuard,
  notFoundComponent: NotFound,
  errorComponent: ScreenError,
})

/** In place of a screen that fails; the frame around it stays. */
function ScreenError({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <ErrorState error={error} onRetry={() => void router.invalidate()} />
}

function loadScreen<Module extends Record<string, RouteComponent>>(
  load: () => Promise<Module>,
  name: keyof Module & string,
) {
  return lazyRouteComponent(importCode(load), name)
}

/** Loaded when it first opens; with the parameters of its URL. */
function lazyScreen<
  const Path extends string,
  Module extends Record<string, RouteComponent>,
  const Parsers extends SearchParsers,
>(path: Path, load: () => Promise<Module>, name: keyof Module & string, parsers: Parsers) {
  const validateSearch = parseSearch(parsers)
  return createRoute({ getParentRoute: () => root, path, validateSearch, component: loadScreen(load, name) })
}

function redirectToToday<const Path extends string>(path: Path) {
  return createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: () => void redirect({ to: '/app/i-dag', replace: true, throw: true }),
  })
}

const routes = [
  redirectToToday('/'),
  redirectToToday('/app'),
  // A URL that users return to with an open session.
  redirectToToday('/app/logg-inn'),
  createRoute({ getParentRoute: () => root, path: '/app/i-dag', component: Today }),
  lazyScreen('/app/uttak', () => import('../features/material-entry/MaterialEntry.tsx'), 'MaterialEntry', {}),
  createRoute({
    getParentRoute: () => root,
    path: '/app/godkjenning',
    validateSearch: parseApprovalSearch,
    // Before its code, and not awaited: the screen is shown as soon as that is there.
    beforeLoad: ({ context, search }) => void prefetchApprovals(context.client, toApprovalFilter(search)),
    component: loadScreen(() => import('../features/approvals/Approvals.tsx'), 'Approvals'),
  }),
  lazyScreen('/app/omsetning', () => import('../features/revenue/Revenue.tsx'), 'Revenue', {
    vis: oneOf('dager', 'kalender', 'mottatt'),
    per: oneOf(...Object.values(periodParams)),
    fra: day,
    til: day,
    avd: text,
    tabell: flag,
    /** The grid: a week or a month, and whether last year is shown. */
    spenn: oneOf('maned'),
    dag: day,
    sammenlign: flag,
    /** The feed: sender and action. */
    kilde: text,
    handling: oneOf(...Object.values(actionParams)),
    /** Opens a cell, `2026-11-14.20`. */
    celle: cell,
  }),
  lazyScreen('/app/rydde', () => import('../features/data-quality/DataQuality.tsx'), 'DataQuality', {
    /** Opens a cell. */
    celle: cell,
  }),
  lazyScreen('/app/register', () => import('../features/directory/Directory.tsx'), 'Directory', {
    liste: oneOf(...directorySets),
    sok: text,
    sorter: text,
    /** Opens a record. */
    id: text,
    /** Opens the form of a new record, with this key. */
    ny: flag,
    kode: text,
  }),
  lazyScreen('/app/import', () => import('../features/imports/Imports.tsx'), 'Imports', {
    hva: oneOf(...importedSets),
  }),
  lazyScreen('/app/utforsk', () => import('../features/explore/Explore.tsx'), 'Explore', {
    sett: oneOf(...exploredSets),
    select: text,
    filter: text,
    expand: text,
    orderby: text,
    top: text,
  }),
  lazyScreen('/app/eksport', () => import('../features/export/Export.tsx'), 'Export', {
    vis: oneOf('historikk', 'ventetid', 'avstemming'),
    liste: oneOf('venter', 'feil', 'ute'),
    mottaker: number,
    /** Of lines. */
    sok: text,
    sorter: sortParam,
    /** Reconciliation: dates of export. Latency: dates of approval. */
    fra: day,
    til: day,
    per: oneOf(periodParams.week),
    tabell: flag,
    /** Opens a line or a retrieval. */
    linje: number,
    uthenting: number,
  }),
  lazyScreen('/app/revisjon', () => import('../features/audit/Audit.tsx'), 'Audit', {
    linje: number,
    /** Part of the actor's name. */
    hvem: text,
    /** Action code. */
    hva: text,
  }),
  lazyScreen('/app/administrasjon', () => import('../features/administration/Administration.tsx'), 'Administration', {
    vis: oneOf('nokler', 'kall', 'webhooks', 'personer', 'innstillinger', 'firmaer', 'drift'),
    /** Id of a rejected request. */
    id: text,
    /** Opens the invitation, with this e-mail address. */
    inviter: text,
  }),
  lazyScreen('/app/konto', () => import('../features/account/Account.tsx'), 'Account', {}),
  lazyScreen('/app/hjelp', () => import('../features/help/Help.tsx'), 'Help', {}),
  lazyScreen('/setup', () => import('../features/set-up/SetUp.tsx'), 'SetUp', {}),
  lazyScreen('/app/invitasjon', () => import('../features/sign-in/Invitation.tsx'), 'Invitation', {}),
  lazyScreen('/app/glemt', () => import('../features/sign-in/PasswordReset.tsx'), 'ForgottenPassword', {}),
  lazyScreen('/app/ny-adgang', () => import('../features/sign-in/PasswordReset.tsx'), 'NewPassword', {}),
] as const

export function createAppRouter(client: QueryClient) {
  const routeTree = root.addChildren(routes)
  return createRouter({
    routeTree,
    context: { client },
    defaultErrorComponent: ScreenError,
    defaultPreload: 'intent',
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}

function NotFound() {
  const { t } = useTranslation()
  const { title, text, home } = t.pageNotFound
  return (
    <Page title={title}>
      <EmptyState title={text} action={<Link to="/app/i-dag">{home}</Link>} illustration="lost" />
    </Page>
  )
}
