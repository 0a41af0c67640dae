// DataQualityPanel: what is missing, doubled, undated or unknown in the revenue, with links to where it is fixed.
import type { RevenueOverview } from '../../../src/app/contract/revenue.ts'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useDepartmentName } from '../../components/use-department-name.ts'
import { useTranslation } from '../../i18n/translation.ts'

export function DataQualityPanel({ overview }: { overview: RevenueOverview }) {
  const { t } = useTranslation()
  const issues = useIssues(overview).filter(({ links }) => links.length > 0)
  return (
    <section className="panel" aria-labelledby="tidy">
      <h2 id="tidy">
        <Link to="/app/rydde">{t.today.dataQuality}</Link>
      </h2>
      {issues.length === 0 && (
        <p className="tidy-fine">
          <strong>{t.today.noIssues}.</strong> {t.today.noIssuesText}
        </p>
      )}
      {issues.map(({ title, text, links }) => (
        <div key={text} className="task">
          <div>
            <h3>{title}</h3>
            <p className="muted">{text}</p>
          </div>
          <div className="chip-list">
            {links.map((link, index) => (
              <Link key={index} {...link} className="chip" />
            ))}
          </div>
        </div>
      ))}
    </section>
  )
}

function useIssues({ missing, unknown, crowded, undated }: RevenueOverview) {
  const { t, format } = useTranslation()
  const nameOf = useDepartmentName()
  const days = missing.reduce((sum, { dates }) => sum + dates.length, 0)
  const undatedCount = undated.reduce((sum, { records }) => sum + records, 0)
  const cellLink = (date: string, departmentId: string, children: string): LinkProps => ({
    to: '/app/omsetning',
    search: { vis: 'dager', dag: date, celle: `${date}.${departmentId}` },
    children,
  })
  return [
    {
      title: t.today.missing(days, missing.length),
      text: t.today.missingText,
      links: missing.flatMap(({ departmentId, dates }) =>
        dates.slice(-3).map((date) => cellLink(date, departmentId, `${nameOf(departmentId)} ${format.day(date)}`)),
      ),
    },
    {
      title: t.today.duplicates(crowded.length),
      text: t.today.duplicatesText,
      links: crowded
        .slice(-6)
        .map(({ date, departmentId, records }) =>
          cellLink(date, departmentId, `${nameOf(departmentId)} ${format.day(date)} · ${records}`),
        ),
    },
    {
      title: t.today.undated(undatedCount),
      text: t.today.undatedText,
      links: undated.map(({ departmentId, amount }): LinkProps => ({
        to: '/app/rydde',
        search: { celle: `.${departmentId}` },
        children: `${nameOf(departmentId)} · ${format.amount(amount)}`,
      })),
    },
    {
      title: t.today.unknown(unknown.length),
      text: t.today.unknownText,
      links: unknown.map(({ departmentId, last, amount }) =>
        cellLink(last, departmentId, `${nameOf(departmentId)} · ${format.amount(amount)}`),
      ),
    },
  ]
}
