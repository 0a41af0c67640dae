// The OpenAPI 3.1 document, generated from the route table and the resources.
import { publicRoutes } from '../public-routes.ts'
import { errorCodeSchema, errorSchema, outcomesSchema, problemSchema, errorResponse, resultsSchema } from './errors.ts'
import { byPath, describeOperation, describePublicRoute } from './paths.ts'
import { resourceSchemas } from './schemas.ts'
import { describeSet, servicePaths, setRoutes } from './odata-paths.ts'
import { routes } from '../routes.ts'
import { tags } from './tasks.ts'
import type { OpenapiDocument } from '../public-route.ts'

/** `publicUrl` is '' when the server has no public URL. */
export function openapi(version: string, publicUrl: string): OpenapiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Dagsverk',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
      summary: 'Revenue per department and date',
      description:
        'Dates and amounts are stored as they are sent. When the day of a company ends, and whether its amounts contain tax, is in `info.x-company` when this document is retrieved with a credential.',
    },
    servers: [{ url: publicUrl === '' ? '/' : publicUrl }],
    security: [{ firma: [], passord: [] }, { key: [] }, { bearer: [] }, { basic: [] }, { xFirma: [], xPassord: [] }],
    tags,
    paths: {
      ...byPath(publicRoutes, describePublicRoute),
      ...byPath(routes, describeOperation),
      ...servicePaths,
      ...byPath(setRoutes(), describeSet),
    },
    components: {
      securitySchemes: {
        firma: { type: 'apiKey', in: 'query', name: 'firma', description: 'Company identifier' },
        passord: { type: 'apiKey', in: 'query', name: 'passord', description: 'Password of the company' },
        xFirma: { type: 'apiKey', in: 'header', name: 'X-Firma' },
        xPassord: { type: 'apiKey', in: 'header', name: 'X-Passord' },
        key: { type: 'apiKey', in: 'header', name: 'tb-key', description: 'API key' },
        bearer: { type: 'http', scheme: 'bearer', description: 'API key' },
        basic: { type: 'http', scheme: 'basic', description: 'Company and password' },
      },
      responses: { ErrorResponse: errorResponse },
      schemas: {
        ...resourceSchemas([...routes, ...setRoutes()]),
        Outcomes: outcomesSchema,
        Results: resultsSchema,
        ErrorCode: errorCodeSchema,
        Error: errorSchema,
        Problem: problemSchema,
      },
    },
  }
}
