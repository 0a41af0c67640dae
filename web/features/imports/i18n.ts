// Texts of the import in both languages; loaded with its screen.
import { pluralize } from '../../i18n/plural.ts'
import { exportText } from '../../i18n/export.ts'
import { defineSection, defineTranslation, type Translation } from '../../i18n/translation.ts'

const importText = defineSection({
  imports: {
    title: ['Import', 'Import'],
    what: ['Hva filen inneholder', 'What the file contains'],
    source: ['1. Velg fil', '1. Choose a file'],
    sourceText: [
      'CSV eller Excel (.xlsx), høyst 32 MiB og 100 000 rader. Første rad er overskrifter. Ingenting lagres før du bekrefter.',
      'CSV or Excel (.xlsx), at most 32 MiB and 100,000 rows. The first row must be headers. Nothing is stored until you confirm.',
    ],
    chooseFile: ['Velg fil', 'Choose a file'],
    paste: ['Eller lim inn fra et regneark, med overskriftene', 'Or paste from a spreadsheet, headers included'],
    usePaste: ['Bruk det limte', 'Use pasted rows'],
    pasted: ['limt inn', 'pasted'],
    templates: ['Mal å fylle ut:', 'A template to fill in:'],
    template: { nb: ['norsk', 'Norwegian'], en: ['engelsk', 'English'] },
    columns: ['2. Hva kolonnene betyr', '2. What the columns mean'],
    columnsText: (rows: string) => [
      `${rows} rader. Overskriftene er tolket; rett på det som er feil. Valgene huskes til neste fil.`,
      `${rows} rows. Check the mapping of the headers. Your choices are remembered for the next file.`,
    ],
    savedMapping: ['Lagret oppsett', 'Saved mapping'],
    noMapping: ['Uten lagret oppsett', 'No saved mapping'],
    mappingDone: {
      applied: (name: string) => [
        `Oppsettet «${name}» er brukt, for filen har de samme overskriftene. Du kan endre det her.`,
        `The mapping “${name}” is used, because the file has the same headers. You can change it here.`,
      ],
      saved: (name: string) => [
        `Oppsettet «${name}» er lagret. Det brukes på neste fil med de samme overskriftene.`,
        `The mapping “${name}” is saved. It is applied to the next file with the same headers.`,
      ],
      deleted: (name: string) => [`Oppsettet «${name}» er slettet.`, `The mapping “${name}” is deleted.`],
    },
    saveMapping: ['Lagre oppsettet', 'Save the mapping'],
    saveChanges: ['Lagre endringene', 'Save the changes'],
    saveAsNewMapping: ['Lagre som nytt oppsett', 'Save as a new mapping'],
    renameMapping: ['Gi nytt navn', 'Rename'],
    deleteMapping: ['Slett oppsettet', 'Delete the mapping'],
    mappingName: ['Navn på oppsettet', 'Name of the mapping'],
    mappingNameHint: [
      'Alle i firmaet som importerer slike filer, kan bruke det.',
      'Everybody in the company who imports such files can use it.',
    ],
    mappingNameMissing: ['Skriv et navn.', 'Enter a name.'],
    replaces: (name: string) => [
      `«${name}» finnes fra før og blir erstattet.`,
      `“${name}” already exists and will be replaced.`,
    ],
    header: ['Kolonne', 'Column'],
    field: ['Felt', 'Field'],
    type: ['Type', 'Type'],
    examples: ['Første rader', 'First rows'],
    leftOut: ['Tas ikke med', 'Left out'],
    noHeader: (number: number) => [`Kolonne ${number}`, `Column ${number}`],
    fieldOf: (header: string) => [`Felt for ${header}`, `Field of ${header}`],
    missing: (fields: string) => [`Velg en kolonne for ${fields}.`, `Choose a column for ${fields}.`],
    twice: (field: string) => [`To kolonner er satt til ${field}.`, `Two columns are set to ${field}.`],
    types: {
      text: ['tekst', 'text'],
      integer: ['heltall', 'whole number'],
      decimal: ['tall', 'number'],
      date: ['dato', 'date'],
      boolean: ['ja/nei', 'yes/no'],
      timestamp: ['tidspunkt', 'moment'],
    },
    clearEmptyCells: ['Tomme celler tømmer feltet', 'Empty cells clear the field'],
    clearEmptyCellsText: [
      'Ellers lar en tom celle feltet stå som det er.',
      'Otherwise an empty cell leaves the field unchanged.',
    ],
    dryRun: ['Prøv uten å lagre', 'Dry run'],
    dryRunResult: ['3. Se hva som vil skje', '3. Result of the dry run'],
    run: (rows: string) => [`Importer ${pluralize(rows, 'rad', 'rader')}`, `Import ${pluralize(rows, 'row', 'rows')}`],
    runGood: (rows: string) => [
      rows === '1' ? 'Importer den gyldige raden' : `Importer de ${rows} gyldige radene`,
      rows === '1' ? 'Import the valid row' : `Import the ${rows} valid rows`,
    ],
    nothing: ['Ingenting å importere: alt er lagret fra før.', 'Nothing to import: all rows are stored already.'],
    counts: {
      inserted: ['Nye', 'New'],
      changed: ['Endres', 'Changed'],
      unchanged: ['Uendret', 'Unchanged'],
      invalid: ['Feil', 'Invalid'],
    },
    changed: ['Endret', 'Changed'],
    rejectedRows: ['Rader med feil', 'Invalid rows'],
    line: (line: number) => [`Linje ${line}`, `Line ${line}`],
    more: (count: string) => [`og ${count} til; alle står i filen`, `and ${count} more; all of them are in the file`],
    errorFile: ['Last ned radene med feil', 'Download the invalid rows'],
    errorFileText: [
      'Rett dem i filen, og importer den: den har bare disse radene.',
      'Correct them in the file, and import it: it contains only these rows.',
    ],
    errorFileName: ['feil', 'errors'],
    progress: {
      reading: ['Leser', 'Reading'],
      storing: ['Lagrer', 'Storing'],
      sending: ['Sender filen', 'Sending the file'],
    },
    rowsOf: (rows: string, all: string) => [`${rows} av ${all} rader`, `${rows} of ${all} rows`],
    done: ['Importert', 'Imported'],
    another: ['Importer en fil til', 'Import another file'],
    see: ['Se listen', 'See the list'],
    runs: ['Tidligere importer', 'Earlier imports'],
    noRuns: ['Ingen importer ennå.', 'No imports yet.'],
    file: ['Fil', 'File'],
    undo: ['Angre importen', 'Undo the import'],
    undoText: [
      'Gjenoppretter poster som ingen har endret siden; de andre blir stående. Mulig i 30 dager.',
      'Restores records that nobody has changed since; others stay as they are. Possible for 30 days.',
    ],
    undoneBy: ['Angret av', 'Undone by'],
    undone: (count: string) => [`${count} poster er som før importen.`, `${count} records are as before the import.`],
    notUndone: (count: string) => [`${count} ble stående:`, `${count} stay as they are:`],
    why: {
      changed: ['endret siden', 'changed since'],
      deleted: ['slettet siden', 'deleted since'],
      referenced: ['i bruk av andre poster', 'other records refer to it'],
      invalid: ['kan ikke gjenopprettes', 'it cannot be restored'],
    },
    offline: [
      'Forbindelsen brøt. Se under «Tidligere importer» om importen ble fullført før du prøver igjen.',
      'The connection was lost. Check under “Earlier imports” whether the import finished before you try again.',
    ],
  },
})

export const useImportText = defineTranslation(importText, exportText)

export type ImportTexts = Translation<typeof importText>
