// The frame of every screen: rail or bottom bar, the top, what is said to everybody, and the shortcuts.
import { Link, Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { Session } from '../data/session.ts'
import { useText } from '../text/text.tsx'
import { Icon } from './Icon.tsx'
import { placesFor } from './navigation.ts'
import { OfflineBanner } from './OfflineBanner.tsx'
import { Shortcuts } from './Shortcuts.tsx'
import { Loading } from './States.tsx'
import { TopBar } from './TopBar.tsx'

export const Shell = ({ session }: { session: Session }) => {
  const { say } = useText()
  const places = placesFor(session)
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {say.skip}
      </a>
      <TopBar session={session} />
      <nav className="rail" aria-label={say.menu}>
        {places.map(({ to, name, icon, isBelow }) => (
          <Link key={name} to={to} className={isBelow ? 'rail-link below' : 'rail-link'}>
            <Icon name={icon} />
            <span>{say.screens[name]}</span>
          </Link>
        ))}
      </nav>
      <main id="content" tabIndex={-1}>
        {session.isSandbox && <p className="banner sandbox">{say.sandbox}</p>}
        <OfflineBanner />
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </main>
      <Shortcuts session={session} />
    </div>
  )
}
