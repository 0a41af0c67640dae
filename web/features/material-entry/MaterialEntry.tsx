// Material entry: register a line, and see the state of own lines.
import type { OwnMaterialRow } from '../../../src/app/contract/material-entry.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ownMaterialQuery } from './api.ts'
import { useSession } from '../../api/session.ts'
import { Page } from '../../components/Page.tsx'
import { QueryStates, NoAccess } from '../../components/QueryStates.tsx'
import { useTranslation } from '../../i18n/translation.tsx'
import { OwnLines } from './OwnLines.tsx'
import { MaterialEntryForm } from './MaterialEntryForm.tsx'
import styles from './MaterialEntry.module.css'

export function MaterialEntry() {
  const { t } = useTranslation()
  const { scopes } = useSession()
  return <Page title={t.screens.uttak}>{scopes.includes('material:write') ? <MaterialLines /> : <NoAccess />}</Page>
}

function MaterialLines() {
  const query = useQuery(ownMaterialQuery)
  const navigate = useNavigate()
  const [edited, setEdited] = useState<OwnMaterialRow | null>(null)
  /** What the form did before it was reset. */
  const [outcome, setOutcome] = useState<string | null>(null)
  const edit = (line: OwnMaterialRow | null, before: string | null) => {
    setEdited(line)
    setOutcome(before)
  }
  return (
    <QueryStates query={query}>
      {(own) => (
        <div className={styles.columns}>
          <MaterialEntryForm
            // Resets the form for another line.
            key={edited?.id ?? 'new'}
            own={own}
            edited={edited}
            outcome={outcome}
            onDone={(done) => edit(null, done)}
          />
          <OwnLines
            rows={own.rows}
            onEdit={(line) => {
              edit(line, null)
              // Leaves the link to the own lines.
              void navigate({ to: '/app/uttak', hash: '', replace: true })
              window.scrollTo({ top: 0 })
            }}
          />
        </div>
      )}
    </QueryStates>
  )
}
