// FileOrPaste: a file, or rows pasted from a spreadsheet.
import { Button } from './Button.tsx'
import { FileButton, Textarea } from '@mantine/core'
import { useState, type ReactNode } from 'react'

interface FileOrPasteProps {
  /** File extensions, for the `accept` attribute. */
  readonly accept: string
  readonly isBusy: boolean
  readonly error: Error | null
  /** `name` is empty for pasted text. */
  readonly onChoose: (file: Blob, name: string) => void
  readonly t: { readonly chooseFile: string; readonly paste: string; readonly usePaste: string }
  /** Shown next to the file button. */
  readonly children?: ReactNode
}

export function FileOrPaste({ accept, isBusy, error, onChoose, t, children }: FileOrPasteProps) {
  const [pasted, setPasted] = useState('')
  return (
    <>
      <div className="file-choice">
        <FileButton
          accept={accept}
          inputProps={{
            'aria-label': t.chooseFile,
            // Otherwise choosing the same file again, which may have been corrected, is no change.
            onClick: ({ currentTarget }) => (currentTarget.value = ''),
          }}
          onChange={(file) => file !== null && void readContent(file).then((content) => onChoose(content, file.name))}
        >
          {(props) => <Button isPrimary label={t.chooseFile} {...props} loading={isBusy} />}
        </FileButton>
        {children}
      </div>
      <Textarea
        label={t.paste}
        autosize
        minRows={2}
        maxRows={8}
        value={pasted}
        onChange={({ currentTarget }) => setPasted(currentTarget.value)}
      />
      <Button
        label={t.usePaste}
        disabled={pasted.trim() === ''}
        loading={isBusy}
        onClick={() => onChoose(new Blob([pasted]), '')}
      />
      <div aria-live="assertive">{error !== null && <p className="problem">{error.message}</p>}</div>
    </>
  )
}

/** A copy: browsers send no file that was changed after it was chosen. One that cannot be read is sent as it is, and fails then. */
function readContent(file: File): Promise<Blob> {
  return file.arrayBuffer().then(
    (content) => new Blob([content]),
    () => file,
  )
}
