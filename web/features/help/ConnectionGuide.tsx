// How to connect Excel, Power BI and other programs.
import { Button, CopyButton } from '@mantine/core'
import { helpText } from './i18n.ts'
import { useTranslation } from '../../i18n/translation.tsx'

export function ConnectionGuide() {
  const { t } = useTranslation(helpText)
  const { excel, developers } = t.guides
  const address = `${window.location.origin}/odata/`
  const formula = `OData.Feed("${address}", null, [Implementation = "2.0", ApiKeyName = "key"])`
  return (
    <>
      <section className="panel" aria-labelledby="connect">
        <h2 id="connect">{excel.title}</h2>
        <p>{excel.text}</p>
        <CopyableText text={address} />
        <ol>
          {excel.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <p>{excel.formula}</p>
        <CopyableText text={formula} />
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

function CopyableText({ text }: { text: string }) {
  const { t } = useTranslation()
  return (
    <p className="copyable">
      <code className="long-word">{text}</code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button variant="default" size="xs" onClick={copy}>
            {copied ? t.revenue.copied : t.help.copy}
          </Button>
        )}
      </CopyButton>
    </p>
  )
}
