// Where the rows come from: a file, or what is copied out of a spreadsheet; and a template for whoever has neither.
import { Button, FileButton, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ImportedSet } from '../../data/imported-sets.ts'
import { columnsIn } from '../../data/imports.ts'
import { Icon } from '../../parts/Icon.tsx'
import { useImportText } from '../../text/imports.ts'
import type { Chosen } from './Imports.tsx'

interface SourceProps {
  readonly set: ImportedSet
  readonly onChoose: (chosen: Chosen | null) => void
}

export const Source = ({ set, onChoose }: SourceProps) => {
  const say = useImportText()
  const [pasted, setPasted] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: async ({ file, name }: Pick<Chosen, 'file' | 'name'>): Promise<Chosen> => ({
      file,
      name,
      columns: await columnsIn(set, file),
    }),
    onMutate: () => onChoose(null),
    onSuccess: onChoose,
  })
  return (
    <section className="panel step" aria-labelledby="import-source">
      <h2 id="import-source">{say.source}</h2>
      <p className="muted">{say.sourceText}</p>
      <div className="file-choice">
        <FileButton
          accept=".csv,.txt,.tsv,.xlsx"
          inputProps={{ 'aria-label': say.chooseFile }}
          onChange={(file) => file !== null && mutate({ file, name: file.name })}
        >
          {(props) => (
            <Button {...props} loading={isPending}>
              {say.chooseFile}
            </Button>
          )}
        </FileButton>
        <span>
          {say.templates}{' '}
          {(['nb', 'en'] as const).map((language) => (
            <a
              key={language}
              className="chip"
              href={`/app/data/import/${set}/mal?language=${language}`}
              download
            >
              <Icon name="download" size={14} /> {say.template[language]}
            </a>
          ))}
        </span>
      </div>
      <Textarea
        label={say.paste}
        autosize
        minRows={2}
        maxRows={8}
        value={pasted}
        onChange={({ currentTarget }) => setPasted(currentTarget.value)}
      />
      <Button
        variant="default"
        size="sm"
        disabled={pasted.trim() === ''}
        loading={isPending}
        onClick={() => mutate({ file: new Blob([pasted]), name: '' })}
      >
        {say.usePaste}
      </Button>
      <div aria-live="assertive">
        {error !== null && <p className="problem">{error.message}</p>}
      </div>
    </section>
  )
}
