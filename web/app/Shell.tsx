// Shell: navigation, top bar, banners and shortcuts around every screen.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { countQuery, everyLine } from '../api/approvals.ts'
import { countText } from '../api/format.ts'
import { installShell } from './install.ts'
import { follow } from '../api/live.ts'
import type { Session } from '../api/session.ts'
import { useText } from '../i18n/translation.tsx'
import { Icon } from '../components/Icon.tsx'
import { placesFor } from './navigation.ts'
import { OfflineBanner } from './OfflineBanner.tsx'
import { Outbox } from '../components/Outbox.tsx'
import { Shortcuts } from '../components/Shortcuts.tsx'
import { Loading } from '../components/QueryStates.tsx'
import { TopBar } from './TopBar.tsx'
import './Shell.css'

/** Number of lines that wait for approval. */
function Waiting() {
  const { say, language } = useText()
  const { data } = useQuery(countQuery(everyLine))
  const count = data?.count ?? 0
  if (count === 0) return null
  return (
    <span className="badge">
      {countText(count, language)}
      <span className="visually-hidden"> {say.approvals.waiting.toLowerCase()}</span>
    </span>
  )
}

export function Shell({ session }: { session: Session }) {
  const { say } = useText()
  const client = useQueryClient()
  const places = placesFor(session)
  const isRegistrant = session.role === 'registrant'
  // Another session may belong to another company.
  useEffect(() => follow(client), [client, session.email, session.company])
  useEffect(installShell, [])
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {say.skip}
      </a>
      <TopBar session={session} />
      <nav className="rail" aria-label={say.menu}>
        {places.map(({ to, name, icon, isBelow }) => (
          <Link
            key={name}
            to={to}
            className={isBelow ? 'rail-link secondary' : 'rail-link'}
            // The skip link leaves a hash in the URL.
            activeOptions={{ includeHash: isRegistrant && name === 'uttak' }}
          >
            <Icon name={icon} />
            <span className="long">{say.screens[name]}</span>
            <span className="short">
              {isRegistrant && name === 'uttak' ? say.newUsage : say.short[name]}
            </span>
            {name === 'godkjenning' && <Waiting />}
          </Link>
        ))}
        {isRegistrant && (
          <Link
            to="/app/uttak"
            hash="mine"
            className="rail-link bar-only"
            activeOptions={{ includeHash: true }}
          >
            <Icon name="history" />
            <span className="short">{say.ownUsage}</span>
          </Link>
        )}
      </nav>
      <main id="content" tabIndex={-1}>
        {session.isSandbox && <p className="banner sandbox">{say.sandbox}</p>}
        <OfflineBanner />
        <Outbox />
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </main>
      <Shortcuts session={session} />
    </div>
  )
}
