// How to connect Excel, Power BI and other programs.
import { CopyableText } from '../../components/CopyableText.tsx'
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
        <CopyableText text={address} textClass="long-word" size="xs" />
        <ol>
          {excel.steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <p>{excel.formula}</p>
        <CopyableText text={formula} textClass="long-word" size="xs" />
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
