// Shell: navigation, top bar, banners and shortcuts around every screen.
import { useForceUpdate, useInterval, useWindowEvent } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useSyncExternalStore, useRef, useState } from 'react'
import { countQuery, everyLine } from '../api/approvals.ts'
import { registerServiceWorker } from './install.ts'
import { subscribeLiveUpdates } from '../api/live.ts'
import { useSession } from '../api/session.ts'
import { loadOnDemand } from '../components/load-on-demand.tsx'
import { useTranslation } from '../i18n/translation.ts'
import { Icon } from '../components/Icon.tsx'
import { screensFor } from './navigation.ts'
import { Outbox } from '../components/Outbox.tsx'
import { Loading } from '../components/QueryStates.tsx'
import { TopBar } from './TopBar.tsx'
import './Shell.css'
import { getConnectivity, subscribeConnectivity } from '../api/connectivity.ts'
import { isTyping, areShortcutsEnabled } from '../components/shortcut-keys.ts'

function PendingApprovalsBadge() {
  const { t, format } = useTranslation()
  const { data } = useQuery(countQuery(everyLine))
  const count = data?.count ?? 0
  if (count === 0) return null
  return (
    <span className="badge">
      {count < 1000 ? (
        count
      ) : (
        // There is room for four characters.
        <span aria-hidden="true">{Math.floor(count / 1000)}k</span>
      )}
      <span className="visually-hidden">
        {count >= 1000 && format.count(count)} {t.approvals.waiting.toLowerCase()}
      </span>
    </span>
  )
}

export function Shell() {
  const { t } = useTranslation()
  const session = useSession()
  const client = useQueryClient()
  const screens = screensFor(session)
  const isRegistrant = session.role === 'registrant'
  // Another session may belong to another company. A later position of the same session is not needed.
  const { position } = session
  useEffect(() => subscribeLiveUpdates(client, position), [client, session.email, session.company])
  useEffect(registerServiceWorker, [])
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {t.skipToContent}
      </a>
      <TopBar />
      <nav className="rail" aria-label={t.menu}>
        {screens.map(({ to, name, icon, isSecondary }) => (
          <Link
            key={name}
            to={to}
            className={isSecondary ? 'rail-link secondary' : 'rail-link'}
            // The skip link leaves a hash in the URL.
            activeOptions={{ includeHash: isRegistrant && name === 'uttak' }}
          >
            <Icon name={icon} />
            <span className="long">{t.screens[name]}</span>
            <span className="short">
              {isRegistrant && name === 'uttak' ? t.newMaterial : { ...t.screens, ...t.shortNames }[name]}
            </span>
            {name === 'godkjenning' && <PendingApprovalsBadge />}
          </Link>
        ))}
        {isRegistrant && (
          <Link to="/app/uttak" hash="mine" className="rail-link bar-only" activeOptions={{ includeHash: true }}>
            <Icon name="history" />
            <span className="short">{t.ownMaterial}</span>
          </Link>
        )}
      </nav>
      <main id="content" tabIndex={-1}>
        <OfflineBanner />
        <Outbox />
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </main>
      <Shortcuts />
    </div>
  )
}

/** Tells how old the data is while the server cannot be reached. */
function OfflineBanner() {
  const isOffline = useSyncExternalStore(subscribeConnectivity, () => getConnectivity().isOffline)
  return <div role="status">{isOffline && <OfflineMessage />}</div>
}

function OfflineMessage() {
  const { t, format } = useTranslation()
  useInterval(useForceUpdate(), 15_000, { autoInvoke: true })
  const { lastReplyAt } = getConnectivity()
  // The clock may have been set back.
  const minutes = Math.max(0, Math.floor((Date.now() - lastReplyAt) / 60_000))
  return <p className="banner offline">{t.offline(minutes, format.time(lastReplyAt))}</p>
}

const ShortcutsDialog = loadOnDemand(async () => (await import('../components/ShortcutsDialog.tsx')).ShortcutsDialog)

/** Global shortcuts: `?` lists them, `g` plus a letter opens a screen. Can be switched off. */
function Shortcuts() {
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const isGoing = useRef(false)
  const screens = screensFor(useSession())
  const press = (event: KeyboardEvent) => {
    if (isTyping(event) || !areShortcutsEnabled()) return
    const wasGoing = isGoing.current
    isGoing.current = !wasGoing && event.key === 'g'
    // The key after `g` must not reach the screen's own shortcuts.
    if (wasGoing) event.stopPropagation()
    if (event.key === '?') setOpen(true)
    const screen = wasGoing ? screens.find(({ shortcut }) => shortcut === event.key) : undefined
    if (screen !== undefined) {
      event.preventDefault()
      void navigate({ to: screen.to })
    }
  }
  // Before those of the screen, whichever listens first.
  useWindowEvent('keydown', press, true)
  return isOpen && <ShortcutsDialog onClose={() => setOpen(false)} />
}
