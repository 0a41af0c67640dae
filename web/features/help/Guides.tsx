// Guides for the user's tasks, each with a link to its screen.
import type { Session } from '../../../src/app/contract/session.ts'
import { Link } from '@tanstack/react-router'
import { useSession } from '../../api/session.ts'
import { screensFor } from '../../app/navigation.ts'
import { helpText } from './i18n.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import styles from './Guides.module.css'

const guides = [
  { name: 'approving', to: '/app/godkjenning' },
  { name: 'registering', to: '/app/uttak' },
  { name: 'revenue', to: '/app/omsetning' },
  { name: 'exporting', to: '/app/eksport' },
  { name: 'importing', to: '/app/import' },
  { name: 'connecting', to: '/app/administrasjon' },
  { name: 'proving', to: '/app/revisjon' },
] as const

/** Import is not in the navigation: directory and revenue link to it. */
function guidesFor(session: Session) {
  const open = new Set<string>(screensFor(session).map(({ to }) => to))
  if (session.scopes.includes('revenue:write')) open.add('/app/import')
  return guides.filter(({ to }) => open.has(to))
}

export function Guides() {
  const { t } = useTranslation(helpText)
  return (
    <section className="panel" aria-labelledby="guides">
      <h2 id="guides">{t.guides.guides}</h2>
      {guidesFor(useSession()).map(({ name, to }, index) => {
        const { title, steps, open } = t.guides.steps[name]
        return (
          <details key={name} className={styles.guide} open={index === 0}>
            <summary>{title}</summary>
            <ol>
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
            <Link to={to}>{open}</Link>
          </details>
        )
      })}
    </section>
  )
}
