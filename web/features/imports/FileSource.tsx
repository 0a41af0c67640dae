// FileSource: choose or paste a file, or download a template.
import { useMutation } from '@tanstack/react-query'
import type { ImportedSet } from '../../api/imported-sets.ts'
import { columnsIn } from './api.ts'
import { FileOrPaste } from '../../components/FileOrPaste.tsx'
import { Icon } from '../../components/Icon.tsx'
import { useImportText } from './i18n.ts'
import type { Chosen } from './chosen-file.ts'

interface SourceProps {
  readonly set: ImportedSet
  readonly onChoose: (chosen: Chosen | null) => void
}

export function Source({ set, onChoose }: SourceProps) {
  const say = useImportText()
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
      <FileOrPaste
        accept=".csv,.txt,.tsv,.xlsx"
        say={say}
        isBusy={isPending}
        error={error}
        onChoose={(file, name) => mutate({ file, name })}
      >
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
      </FileOrPaste>
    </section>
  )
}
