// FileSource: choose or paste a file, or download a template.
import type { ImportedSet, FileColumns } from '../../../src/app/contract/imports.ts'
import { toUrl, upload } from '../../api/client.ts'
import { useMutation } from '@tanstack/react-query'
import { FileOrPaste } from '../../components/FileOrPaste.tsx'
import { Icon } from '../../components/Icon.tsx'
import { useImportText } from './i18n.ts'
import styles from './Imports.module.css'

/** A file or pasted text, with its columns as parsed by the server. */
export interface ChosenFile {
  readonly file: Blob
  readonly name: string
  readonly columns: FileColumns
}

export function FileSource({ set, onChoose }: { set: ImportedSet; onChoose: (chosen: ChosenFile | null) => void }) {
  const { t } = useImportText()
  const { mutate, error, isPending } = useMutation({
    mutationFn: async ({ file, name }: Pick<ChosenFile, 'file' | 'name'>): Promise<ChosenFile> => ({
      file,
      name,
      columns: await upload('importColumns', file, { set }),
    }),
    onMutate: () => onChoose(null),
    onSuccess: onChoose,
  })
  return (
    <section className={styles.step} aria-labelledby="import-source">
      <h2 id="import-source">{t.imports.source}</h2>
      <p className="muted">{t.imports.sourceText}</p>
      <FileOrPaste
        accept=".csv,.txt,.tsv,.xlsx"
        t={t.imports}
        isBusy={isPending}
        error={error}
        onChoose={(file, name) => mutate({ file, name })}
      >
        <span className="chip-list">
          {t.imports.templates}
          {(['nb', 'en'] as const).map((language) => (
            <a key={language} className="chip" href={toUrl('importTemplate', { set, language })} download>
              <Icon name="download" size={14} /> {t.imports.template[language]}
            </a>
          ))}
        </span>
      </FileOrPaste>
    </section>
  )
}
