// Record format: OData version, metadata level and number format of records in a response.

export type ODataVersion = '4.0' | '4.01'

export interface RecordFormat {
  readonly version: ODataVersion
  /** The metadata level; clients can compute the omitted annotations (OData JSON 4.01, 3.1). */
  readonly metadata: 'none' | 'minimal' | 'full'
  /** `string` for clients that parse numbers as doubles (OData JSON 4.01, 3.2). */
  readonly decimals: 'number' | 'string'
  /** Whether null fields are written (OData 4.01 part 1, 8.2.8.6). */
  readonly nulls: 'kept' | 'omitted'
  /** Whether each record has its ETag. */
  readonly etags: 'written' | 'omitted'
  /** Records are of several types, so that each states its own. */
  readonly isMixed?: true
  /** The absolute URL of the service, the prefix of record URLs. */
  readonly root: string
}

/** The format for requests without preferences. */
export const defaultRecordFormat: RecordFormat = {
  version: '4.0',
  metadata: 'minimal',
  decimals: 'number',
  nulls: 'kept',
  etags: 'omitted',
  root: '',
}

/** The prefix of preference names in responses. */
export function preferencePrefix({ version }: Pick<RecordFormat, 'version'>): string {
  return version === '4.0' ? 'odata.' : ''
}

/** The name of control information: `@odata.count`, or `@count` for OData 4.01 requests. */
export function controlInformationName({ version }: Pick<RecordFormat, 'version'>, name: string): string {
  return version === '4.0' ? `@odata.${name}` : `@${name}`
}
