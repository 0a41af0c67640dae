// Metadata in the hands of the standard's own tools: its JSON schema, its converter, its generator of OpenAPI.
import { Ajv } from 'ajv'
import { csdl2openapi } from 'odata-openapi'
import { xml2json } from 'odata-csdl'
import jsonSchema from 'odata-csdl/schemas/csdl.schema.json' with { type: 'json' }
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { buildHouse, type House } from '../support/server.ts'

describe.each(databases.slice(0, 1))('metadata on $name', (database) => {
  let house: House
  let csdl: Record<string, unknown>
  beforeAll(async () => {
    house = await buildHouse(database, 'csdl')
    csdl = (await house.call('GET', '/odata/$metadata?$format=json')).json
  })
  afterAll(() => house.close())

  test('odata-csdl: its schema finds nothing wrong with the JSON', () => {
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(jsonSchema)
    expect([validate(csdl), validate.errors]).toEqual([true, null])
    expect(validate({ ...csdl, $Version: '9' })).toBe(false)
  })

  test('odata-csdl: the XML says the same as the JSON', async () => {
    const { text } = await house.call('GET', '/odata/$metadata')
    expect(xml2json(text, { strict: true })).toEqual(csdl)
  })

  test('odata-openapi: a document comes out of it, with a path for each set', () => {
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
