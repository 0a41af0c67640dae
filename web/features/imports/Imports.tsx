// Import: choose a file, map its columns, dry run, import; and earlier imports.
import type { ImportedSet } from '../../../src/app/contract/imports.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { importsQuery } from './api.ts'
import { useSession } from '../../api/session.ts'
import { useSearchParams } from '../../app/use-search-params.ts'
import { Page } from '../../components/Page.tsx'
import { QueryStates, NoAccess } from '../../components/QueryStates.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { useImportText } from './i18n.ts'
import { ColumnMapping } from './ColumnMapping.tsx'
import { ImportHistory } from './ImportHistory.tsx'
import { FileSource, type ChosenFile } from './FileSource.tsx'

export function Imports() {
  const { t } = useImportText()
  const { scopes } = useSession()
  const mayImport = scopes.includes('revenue:write')
  const query = useQuery({ ...importsQuery, enabled: mayImport })
  return (
    <Page title={t.imports.title}>
      {!mayImport && <NoAccess />}
      {mayImport && (
        <QueryStates query={query}>
          {({ subjects, runs }) => (
            <>
              <Wizard subjects={subjects} />
              <ImportHistory runs={runs} />
            </>
          )}
        </QueryStates>
      )}
    </Page>
  )
}

function Wizard({ subjects }: { subjects: readonly ImportedSet[] }) {
  const { t } = useImportText()
  const [{ hva }] = useSearchParams('/app/import')
  const set = subjects.find((one) => one === hva) ?? subjects[0] ?? 'Omsetning'
  const [chosen, setChosen] = useState<ChosenFile | null>(null)
  const [round, setRound] = useState(0)
  const choose = (next: ChosenFile | null) => {
    setChosen(next)
    setRound(round + 1)
  }
  return (
    <>
      <Tabs
        label={t.imports.what}
        names={subjects}
        current={set}
        titles={t.sets}
        linkTo={(name) => ({ to: '/app/import', search: { hva: name }, replace: true })}
        onOpen={() => choose(null)}
      />
      <FileSource key={set} set={set} onChoose={choose} />
      {chosen !== null && <ColumnMapping key={round} set={set} chosen={chosen} onAnother={() => choose(null)} />}
    </>
  )
}
