// OData version negotiation (OData 4.01 part 1, 5 and 8.2.6).
import { ApiError } from '../../../errors/api-error.ts'
import type { ODataVersion } from '../../planner/record-format.ts'

/**
 * The highest supported version up to `OData-MaxVersion`; 4.0 without the header, for compatibility.
 * Throws `InvalidHeader`, and `VersionNotSupported` for versions below 4.0.
 */
export function negotiateVersion(maxVersion: string | undefined): ODataVersion {
  if (maxVersion === undefined) return '4.0'
  const version = parseVersion(maxVersion)
  if (version === null)
    throw new ApiError('InvalidHeader', { target, params: { name: 'OData-MaxVersion', example: '4.01' } })
  if (version < 4) throw new ApiError('VersionNotSupported', { target, params: { version } })
  return version < 4.01 ? '4.0' : '4.01'
}

/** The same without errors, for the headers of error replies. */
export function versionOrDefault(maxVersion: string | undefined): ODataVersion {
  return (parseVersion(maxVersion ?? '') ?? 4) < 4.01 ? '4.0' : '4.01'
}

const target = 'header:OData-MaxVersion'

/** .NET writes `4.0;NetFx`. */
function parseVersion(header: string): number | null {
  const [, version] = /^\s*(\d{1,3}(?:\.\d{1,3})?)\s*(?:;.*)?$/.exec(header) ?? []
  return version === undefined ? null : Number(version)
}
