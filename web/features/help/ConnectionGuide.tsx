// How to connect Excel, Power BI and other programs.
import { Button, CopyButton } from '@mantine/core'
import { useHelpText } from './i18n.ts'
import { useText } from '../../i18n/translation.tsx'

export function Connecting() {
  const { say } = useText()
  const { excel, developers } = useHelpText()
  const address = `${window.location.origin}/odata/`
  const formula = `OData.Feed("${address}", null, [Implementation = "2.0", ApiKeyName = "key"])`
  return (
    <>
      <section className="panel" aria-labelledby="connect">
        <h2 id="connect">{excel.title}</h2>
        <p>{excel.text}</p>
        <Copied text={address} />
        <ol>
          {excel.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <p>{excel.formula}</p>
        <Copied text={formula} />
      </section>
      <section className="panel" aria-labelledby="developers">
        <h2 id="developers">{developers}</h2>
        <p>
          <a href="/docs">{say.help.reference}</a>
        </p>
        <p>
          <a href="/openapi.json">{say.help.documents}</a>
        </p>
      </section>
    </>
  )
}

function Copied({ text }: { text: string }) {
  const { say } = useText()
  return (
    <p className="copyable">
      <code className="long-word">{text}</code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button variant="default" size="xs" onClick={copy}>
            {copied ? say.revenue.copied : say.help.copy}
          </Button>
        )}
      </CopyButton>
    </p>
  )
}
