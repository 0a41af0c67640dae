// Import: choose a file, map its columns, dry run, import; and earlier imports.
import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { ImportedSet } from '../../api/imported-sets.ts'
import { runsQuery } from './api.ts'
import { useSession } from '../../api/session.ts'
import { Page } from '../../components/Page.tsx'
import { Fetched, NoAccess } from '../../components/QueryStates.tsx'
import { useImportText } from './i18n.ts'
import type { Chosen } from './chosen-file.ts'
import { Mapping } from './ColumnMapping.tsx'
import { Runs } from './ImportHistory.tsx'
import { Source } from './FileSource.tsx'
import './Imports.css'

const route = getRouteApi('/app/import')

export function Imports() {
  const say = useImportText()
  const { scopes } = useSession()
  const mayImport = scopes.includes('revenue:write')
  const query = useQuery({ ...runsQuery, enabled: mayImport })
  return (
    <Page title={say.title}>
      {!mayImport && <NoAccess />}
      {mayImport && (
        <Fetched query={query}>
          {({ subjects, runs }) => (
            <>
              <Wizard subjects={subjects} />
              <Runs runs={runs} />
            </>
          )}
        </Fetched>
      )}
    </Page>
  )
}

function Wizard({ subjects }: { subjects: readonly ImportedSet[] }) {
  const say = useImportText()
  const { hva } = route.useSearch()
  const navigate = route.useNavigate()
  const set = subjects.find((one) => one === hva) ?? subjects[0] ?? 'Omsetning'
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [round, setRound] = useState(0)
  const choose = (next: Chosen | null) => {
    setChosen(next)
    setRound(round + 1)
  }
  return (
    <>
      <div className="toolbar">
        <SegmentedControl
          aria-label={say.what}
          value={set}
          data={subjects.map((value) => ({ value, label: say.sets[value] }))}
          onChange={(value) => {
            choose(null)
            void navigate({
              search: { hva: subjects.find((one) => one === value) },
              replace: true,
            })
          }}
        />
      </div>
      <Source key={set} set={set} onChoose={choose} />
      {chosen !== null && (
        <Mapping key={round} set={set} chosen={chosen} onAnother={() => choose(null)} />
      )}
    </>
  )
}
