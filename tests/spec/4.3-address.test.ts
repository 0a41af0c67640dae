// Interface 4.3: URLs below a service root that are invalid, or use options that only Finn accepts.
import { describe, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { expectError } from '../support/replies.ts'
import { useTestServer } from '../support/server.ts'

describe.each(databases)('invalid URLs below a service root on $name', (database) => {
  const server = useTestServer(database, 'address')

  test.each([
    ['/ansatt/Ansatt(1', 400, 'InvalidPath', 'path:9'],
    ['/ansatt/Ansatt(1)/$count/Navn', 400, 'InvalidPath', 'path:18'],
    ["/odata/Avdeling('a')/Navn('b'c')", 400, 'InvalidPath', 'path:23'],
    ['/odata/$crossjoin(Ansatt,Avdeling)', 501, 'NotSupported', 'path:1'],
    ['/odata/Ansatt/$each', 501, 'NotSupported', 'path:8'],
    ['/odata/Dagsverk.Beste()', 501, 'NotSupported', 'path:1'],
    ['/odata/Ansatt(1)/$count', 400, 'InvalidPath', 'path:11'],
    ['/odata/Ansatt(1)/$value', 400, 'InvalidPath', 'path:11'],
    ['/odata/Ansatt/$value', 400, 'InvalidPath', 'path:8'],
    ['/odata/Ansatt(1)/Fornavn/$ref', 400, 'InvalidPath', 'path:19'],
    ['/odata/Ansatt(1)/$filter(true)', 400, 'InvalidPath', 'path:11'],
    ['/odata/Ansatt/$filter(Navnn%20eq%201)', 400, 'UnknownProperty', 'path:16'],
    ['/odata/Ansatt/$filter(@a)?@a=Fornavn eq', 400, 'InvalidAlias', '@a:11'],
    ['/odata/Ansatt/$filter(true)/$count?$filter=true', 400, 'InvalidQueryOption', '$filter'],
    ['/odata/$entity', 400, 'InvalidQueryOption', '$id'],
    ['/odata/Ansatt(1)?$top=1', 400, 'UnknownQueryOption', '$top'],
    ['/odata/Ansatt(1)/Fornavn?$select=Id', 400, 'UnknownQueryOption', '$select'],
    ['/odata/Ansatt/$count?$top=1', 400, 'UnknownQueryOption', '$top'],
    ['/odata/Ansatt?$fliter=true', 400, 'UnknownQueryOption', '$fliter'],
    ["/odata/Omsetning?$filter=substringof('x',Merknad)", 400, 'InvalidFilter', '$filter:1'],
    ['/odata/Omsetning?$filter=Omsetning gt 12.5M', 400, 'InvalidFilter', '$filter:14'],
    ['/odata/Ukjent', 404, 'NotFound', undefined],
    ['/odata/Ansatt(1)/Ukjent', 404, 'NotFound', undefined],
    ['/elsewhere/Ansatt(1', 404, 'NotFound', undefined],
  ])('4.3 %s is %i %s', async (address, status, code, target) => {
    expectError(await server.call('GET', address), status, code, target === undefined ? {} : { target })
  })
})
