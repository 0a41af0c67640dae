// Not-found page.
import { Link } from '@tanstack/react-router'
import { useTranslation } from '../i18n/translation.tsx'
import { Page } from '../components/Page.tsx'
import { EmptyState } from '../components/QueryStates.tsx'

export function NotFound() {
  const { t } = useTranslation()
  const { title, text, home } = t.pageNotFound
  return (
    <Page title={title}>
      <EmptyState title={text} action={<Link to="/app/i-dag">{home}</Link>} illustration="lost" />
    </Page>
  )
}
