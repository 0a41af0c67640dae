// Import: choose a file, map its columns, dry run, import; and earlier imports.
import type { ImportedSet } from '../../../src/app/contract/imports.ts'
import { useState } from 'react'
import { importsQuery } from './api.ts'
import { useSearchParams } from '../../app/use-search-params.ts'
import { Page } from '../../components/Page.tsx'
import { Loaded } from '../../components/QueryStates.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { useImportText } from './i18n.ts'
import { ColumnMapping } from './ColumnMapping.tsx'
import { ImportHistory } from './ImportHistory.tsx'
import { FileSource, type ChosenFile } from './FileSource.tsx'

export function Imports() {
  const { t } = useImportText()
  return (
    <Page title={t.imports.title} scope="revenue:write">
      <Loaded options={importsQuery}>
        {({ subjects, runs }) => (
          <>
            <Wizard subjects={subjects} />
            <ImportHistory runs={runs} />
          </>
        )}
      </Loaded>
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
