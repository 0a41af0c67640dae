// Help: guides, shortcuts, connecting other programs, accessibility.
import { useSession } from '../../api/session.ts'
import { KeyList } from '../../components/ShortcutsDialog.tsx'
import { Page } from '../../components/Page.tsx'
import { useHelpText } from './i18n.ts'
import type { Session } from '../../../src/app/contract/session.ts'
import { Link } from '@tanstack/react-router'
import { screensFor } from '../../app/navigation.ts'
import styles from './Guides.module.css'
import { CopyableText } from '../../components/CopyableText.tsx'

export function Help() {
  const { t } = useHelpText()
  return (
    <Page title={t.screens.hjelp}>
      <div className="columns">
        <div className="stack">
          <Guides />
          <ConnectionGuide />
        </div>
        <div className="stack">
          <section className="panel" aria-labelledby="keys">
            <h2 id="keys">{t.help.shortcuts}</h2>
            <KeyList />
          </section>
          <section className="panel" aria-labelledby="accessibility">
            <h2 id="accessibility">{t.guides.accessibility.title}</h2>
            <p>{t.guides.accessibility.text}</p>
            <p>{t.guides.accessibility.contact}</p>
          </section>
        </div>
      </div>
    </Page>
  )
}

const guides = [
  { name: 'approving', screen: 'godkjenning' },
  { name: 'registering', screen: 'uttak' },
  { name: 'revenue', screen: 'omsetning' },
  { name: 'exporting', screen: 'eksport' },
  { name: 'importing', screen: 'import' },
  { name: 'connecting', screen: 'administrasjon' },
  { name: 'proving', screen: 'revisjon' },
] as const

/** Import is not in the navigation: directory and revenue link to it. */
function guidesFor(session: Session) {
  const open = new Set<string>(screensFor(session).map(({ name }) => name))
  if (session.scopes.includes('revenue:write')) open.add('import')
  return guides.filter(({ screen }) => open.has(screen))
}

function Guides() {
  const { t } = useHelpText()
  return (
    <section className="panel" aria-labelledby="guides">
      <h2 id="guides">{t.guides.guides}</h2>
      {guidesFor(useSession()).map(({ name, screen }, index) => {
        const { title, steps } = t.guides.steps[name]
        return (
          <details key={name} className={styles.guide} open={index === 0}>
            <summary>{title}</summary>
            <ol>
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
            <Link to={`/app/${screen}`}>{t.guides.open(screen === 'import' ? 'Import' : t.screens[screen])}</Link>
          </details>
        )
      })}
    </section>
  )
}

function ConnectionGuide() {
  const { t } = useHelpText()
  const { excel, developers } = t.guides
  const address = `${window.location.origin}/odata/`
  const formula = `OData.Feed("${address}", null, [Implementation = "2.0", ApiKeyName = "key"])`
  return (
    <>
      <section className="panel" aria-labelledby="connect">
        <h2 id="connect">{excel.title}</h2>
        <p>{excel.text}</p>
        <CopyableText text={address} size="xs" />
        <ol>
          {excel.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <p>{excel.formula}</p>
        <CopyableText text={formula} size="xs" />
      </section>
      <section className="panel" aria-labelledby="developers">
        <h2 id="developers">{developers}</h2>
        <p>
          <a href="/docs">{t.help.reference}</a>
        </p>
        <p>
          <a href="/openapi.json">{t.help.documents}</a>
        </p>
      </section>
    </>
  )
}
