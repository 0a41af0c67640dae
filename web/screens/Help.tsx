// How to do what one comes for, the keys, and how to connect other programs.
import { Button, CopyButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSession } from '../data/session.ts'
import { Page } from '../parts/Page.tsx'
import { KeyList } from '../parts/Shortcuts.tsx'
import { useGuide } from '../text/guide.ts'
import { useText } from '../text/text.tsx'

export const Help = () => {
  const { say } = useText()
  const session = useSession()
  const guide = useGuide(session.role)
  const address = `${window.location.origin}/odata/`
  return (
    <Page title={say.help.title}>
      <div className="columns guide">
        {guide.map(({ to, title, steps }) => (
          <section key={to} className="panel" aria-label={title}>
            <h2>
              <Link to={to}>{title}</Link>
            </h2>
            <ol>
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </section>
        ))}
      </div>
      <div className="columns">
        <section className="panel" aria-labelledby="keys">
          <h2 id="keys">{say.help.shortcuts}</h2>
          <KeyList session={session} />
        </section>
        <section className="panel" aria-labelledby="connect">
          <h2 id="connect">{say.help.connectTitle}</h2>
          <p>{say.help.connectText}</p>
          <p className="copyable">
            <code>{address}</code>
            <CopyButton value={address}>
              {({ copied, copy }) => (
                <Button variant="default" size="xs" onClick={copy}>
                  {copied ? say.revenue.copied : say.help.copy}
                </Button>
              )}
            </CopyButton>
          </p>
          <p>
            <a href="/docs">{say.help.reference}</a>
          </p>
          <p>
            <a href="/openapi.json">{say.help.documents}</a>
          </p>
        </section>
      </div>
    </Page>
  )
}
