// Bind annotations of a request body: the relations, and the URLs of the records that they name.
import { parseEntityKey, serviceRootOf } from './resource-url.ts'
import { parseServiceUrl, resolveBatchReference } from './service-url.ts'
import type { ApiContext } from '../operation.ts'
import type { Request } from '../../http/request.ts'
import type { BindRules } from '../../engine/formats/read/bind-annotations.ts'
import type { Resource } from '../../engine/model/resource.ts'
import { qualifiedName, relationsOf } from '../../engine/model/schema.ts'
import { serviceSchema } from '../../model/service-schema.ts'

/** The rules for rows of `resource`; URLs are those of the service root that was called, or `$1` inside of a batch. */
export function bindRulesFor(
  resource: Resource,
  { origin, path }: Request,
  { urlsById = noUrls }: Pick<ApiContext, 'urlsById'>,
): BindRules {
  const calledRoot = { origin, root: serviceRootOf(path) }
  return {
    typeName: qualifiedName(serviceSchema, resource),
    relations: relationsOf(serviceSchema, resource),
    parseReference: (url, target) => {
      if (url.length > urlLengthMax) return null
      const encoded = resolveBatchReference(url, urlsById).replace(/[^\x21-\x7e]+/g, encodeURIComponent)
      const found = parseServiceUrl(encoded, calledRoot)
      return found === null || found.search !== '' ? null : parseEntityKey(found.path, target)
    },
  }
}

/** Far longer than the URL of any record: a longer text is not parsed. */
const urlLengthMax = 2000

const noUrls: ReadonlyMap<string, string> = new Map()
