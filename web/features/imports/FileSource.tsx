// FileSource: choose or paste a file, or download a template.
import { useMutation } from '@tanstack/react-query'
import type { ImportedSet } from '../../api/imported-sets.ts'
import { readColumns } from './api.ts'
import { FileOrPaste } from '../../components/FileOrPaste.tsx'
import { Icon } from '../../components/Icon.tsx'
import { useImportText } from './i18n.ts'
import type { ChosenFile } from './chosen-file.ts'

interface FileSourceProps {
  readonly set: ImportedSet
  readonly onChoose: (chosen: ChosenFile | null) => void
}

export function FileSource({ set, onChoose }: FileSourceProps) {
  const t = useImportText()
  const { mutate, error, isPending } = useMutation({
    mutationFn: async ({ file, name }: Pick<ChosenFile, 'file' | 'name'>): Promise<ChosenFile> => ({
      file,
      name,
      columns: await readColumns(set, file),
    }),
    onMutate: () => onChoose(null),
    onSuccess: onChoose,
  })
  return (
    <section className="panel step" aria-labelledby="import-source">
      <h2 id="import-source">{t.source}</h2>
      <p className="muted">{t.sourceText}</p>
      <FileOrPaste
        accept=".csv,.txt,.tsv,.xlsx"
        t={t}
        isBusy={isPending}
        error={error}
        onChoose={(file, name) => mutate({ file, name })}
      >
        <span>
          {t.templates}{' '}
          {(['nb', 'en'] as const).map((language) => (
            <a
              key={language}
              className="chip"
              href={`/app/data/import/${set}/mal?language=${language}`}
              download
            >
              <Icon name="download" size={14} /> {t.template[language]}
            </a>
          ))}
        </span>
      </FileOrPaste>
    </section>
  )
}
