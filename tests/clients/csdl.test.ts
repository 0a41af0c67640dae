// $metadata in the tools of OASIS: the JSON schema, the converter, the OpenAPI generator.
import { Ajv } from 'ajv'
import { csdl2openapi } from 'odata-openapi'
import { xml2json } from 'odata-csdl'
import jsonSchema from 'odata-csdl/schemas/csdl.schema.json' with { type: 'json' }
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { useTestServer } from '../support/server.ts'

describe.each(databases.slice(0, 1))('metadata on $name', (database) => {
  const server = useTestServer(database, 'csdl')
  let csdl: Record<string, unknown>
  beforeAll(async () => {
    csdl = (await server.call('GET', '/odata/$metadata?$format=json')).json
  })

  test('odata-csdl: the JSON is valid according to its schema', () => {
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(jsonSchema)
    expect([validate(csdl), validate.errors]).toEqual([true, null])
    expect(validate({ ...csdl, $Version: '9' })).toBe(false)
  })

  test('odata-csdl: the XML equals the JSON', async () => {
    const { text } = await server.call('GET', '/odata/$metadata')
    expect(xml2json(text, { strict: true })).toEqual(csdl)
  })

  test('odata-openapi: the generated document has a path for each set', () => {
    expect(csdl2openapi(csdl, { host: 'localhost', basePath: '/odata' })).toMatchObject({
      openapi: expect.any(String),
      paths: {
        '/Ansatt': { get: expect.anything() },
        '/Ansatt/{Id}': { get: expect.anything() },
        '/Omsetning/{InntektsPlanId}': { delete: expect.anything() },
      },
    })
  })
})
