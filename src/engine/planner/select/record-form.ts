// In which form the records of an OData answer are printed: what is told of them beside their fields, and how.

export interface RecordForm {
  readonly version: '4.0' | '4.01'
  /** How much is told that a client could work out (OData JSON 4.01, 3.1). */
  readonly metadata: 'none' | 'minimal' | 'full'
  /** `string` for readers whose numbers are doubles (OData JSON 4.01, 3.2). */
  readonly decimals: 'number' | 'string'
  /** Whether a field without a value is printed (OData 4.01 part 1, 8.2.8.6). */
  readonly nulls: 'kept' | 'omitted'
  /** Records are of several types, so that each tells its own. */
  readonly isMixed?: true
  /** The absolute address of the service, which the addresses of records begin with. */
  readonly root: string
}

/** What is answered to a caller that asks for nothing of this. */
export const plainForm: RecordForm = {
  version: '4.0',
  metadata: 'minimal',
  decimals: 'number',
  nulls: 'kept',
  root: '',
}

/** What names of preferences begin with in answers. */
export function preferencePrefix({ version }: Pick<RecordForm, 'version'>): string {
  return version === '4.0' ? 'odata.' : ''
}

/** The name of control information: `@odata.count`, or `@count` where 4.01 was asked for. */
export function controlName({ version }: Pick<RecordForm, 'version'>, name: string): string {
  return version === '4.0' ? `@odata.${name}` : `@${name}`
}
