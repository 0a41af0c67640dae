// Not-found page.
import { Link } from '@tanstack/react-router'
import { useText } from '../i18n/translation.tsx'
import { Page } from '../components/Page.tsx'
import { State } from '../components/QueryStates.tsx'

export function NotFound() {
  const { say } = useText()
  const { title, text, home } = say.pageNotFound
  return (
    <Page title={title}>
      <State title={text} action={<Link to="/app/i-dag">{home}</Link>} />
    </Page>
  )
}
