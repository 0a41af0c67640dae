// Help: guides, shortcuts, connecting other programs, accessibility.
import { useSession } from '../../api/session.ts'
import { KeyList } from '../../components/ShortcutsDialog.tsx'
import { Page } from '../../components/Page.tsx'
import { helpText } from './i18n.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { ConnectionGuide } from './ConnectionGuide.tsx'
import { Guides } from './Guides.tsx'

export function Help() {
  const { t } = useTranslation(helpText)
  const session = useSession()
  return (
    <Page title={t.help.title}>
      <div className="columns">
        <div className="stack">
          <Guides />
          <ConnectionGuide />
        </div>
        <div className="stack">
          <section className="panel" aria-labelledby="keys">
            <h2 id="keys">{t.help.shortcuts}</h2>
            <KeyList session={session} />
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
