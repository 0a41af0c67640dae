// What is kept beside the records of the directory, as Kysely sees it.

/** What was deleted of the directory and has not come back, for readers that follow changes. */
export interface DirectoryDeletionTable {
  companyId: number
  /** The table that it stood in. */
  resource: string
  key: string
  at: number
}

/** A file that was imported, and what became of its rows. */
export interface ImportRunTable {
  companyId: number
  id: number
  at: number
  actor: string
  /** The set on the wire. */
  resource: string
  /** How whoever sent it called it; '' for what was pasted. */
  file: string
  inserted: number
  changed: number
  unchanged: number
  wrong: number
  undoneAt: number | null
  undoneBy: string | null
  /** Null for those of before this was kept. */
  requestId: string | null
}

/** What a record was before an import changed it; kept as long as that can be taken back. */
export interface ImportChangeTable {
  companyId: number
  runId: number
  key: string
  /** JSON of the record; null for one that the import added. */
  before: string | null
  /** The stamp that the import gave it: with another by now, somebody has changed it since. */
  changedAt: number
}

/** What the columns of a kind of file mean, under a name. */
export interface ImportMappingTable {
  companyId: number
  /** The set on the wire. */
  resource: string
  name: string
  /** JSON: a list of header and field on the wire, '' for a column that is left out. */
  columns: string
  savedAt: number
}
