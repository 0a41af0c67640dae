// Material entry: register a line, and see the state of own lines.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ownQuery, type OwnLine } from './api.ts'
import { useSession } from '../../api/session.ts'
import { Page } from '../../components/Page.tsx'
import { Fetched, NoAccess } from '../../components/QueryStates.tsx'
import { useText } from '../../i18n/translation.tsx'
import { OwnLines } from './OwnLines.tsx'
import { UsageForm } from './MaterialEntryForm.tsx'
import './MaterialEntry.css'

export function MaterialEntry() {
  const { say } = useText()
  const { scopes } = useSession()
  return (
    <Page title={say.screens.uttak}>
      {scopes.includes('material:write') ? <Lines /> : <NoAccess />}
    </Page>
  )
}

function Lines() {
  const query = useQuery(ownQuery)
  const [edited, setEdited] = useState<OwnLine | null>(null)
  return (
    <Fetched query={query}>
      {(own) => (
        <div className="material-entry">
          <UsageForm
            // Resets the form for another line.
            key={edited?.id ?? 'new'}
            own={own}
            edited={edited}
            onDone={() => setEdited(null)}
          />
          <OwnLines
            rows={own.rows}
            onEdit={(line) => {
              setEdited(line)
              window.scrollTo({ top: 0 })
            }}
          />
        </div>
      )}
    </Fetched>
  )
}
