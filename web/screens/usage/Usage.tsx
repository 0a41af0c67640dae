// For the one who used the item, on a phone first: a line and the next one, and how the own lines fared.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ownQuery, type OwnLine } from '../../data/own-material.ts'
import { useSession } from '../../data/session.ts'
import { Page } from '../../parts/Page.tsx'
import { Fetched, NoAccess } from '../../parts/States.tsx'
import { useText } from '../../text/text.tsx'
import { OwnLines } from './OwnLines.tsx'
import { UsageForm } from './UsageForm.tsx'
import './Usage.css'

export function Usage() {
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
        <div className="usage">
          <UsageForm
            // Another line, another form.
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
