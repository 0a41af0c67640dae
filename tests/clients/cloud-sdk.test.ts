// SAP Cloud SDK against the running server: a client generated from $metadata, transpiled and run.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { isAvailable } from '../support/requirements.ts'
import { useListeningTestServer } from './server.ts'

const project = join(import.meta.dirname, 'cloud-sdk')

describe.runIf(isAvailable('cloudsdk')).each(databases)('SAP Cloud SDK on $name', (database) => {
  const served = useListeningTestServer(database, 'cloudsdk')
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dagsverk-cloud-sdk-'))
    for (const file of ['package.json', 'options.json', 'program.js']) cpSync(join(project, file), join(folder, file))
    symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
    mkdirSync(join(folder, 'metadata'))
    const { text } = await served.server.call('GET', '/odata/$metadata')
    writeFileSync(join(folder, 'metadata/dagsverk.xml'), text)
    const paths = ['--input', 'metadata', '--outputDir', 'generated', '--overwrite', '--transpile']
    const generator = 'node_modules/@sap-cloud-sdk/generator/dist/cli.js'
    await node(generator, ...paths, '--optionsPerService', 'options.json')
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true }))

  const node = async (script: string, ...args: string[]): Promise<string> => {
    const service = { SERVICE_URL: served.address, SERVICE_KEY: served.server.tenantA.key }
    const options = { cwd: folder, env: { ...process.env, ...service } }
    return (await promisify(execFile)(process.execPath, [script, ...args], options)).stdout
  }

  test('its client lists, creates, changes with If-Match, binds, and sends a batch', async () => {
    const lines = (await node('program.js')).trim().split('\n')
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
      list: [
        [3, 'Åse', null, 'Byggevarer'],
        [1, 'Kari', '37.5', 'Byggevarer'],
      ],
      created: [4, 'Nils', '20'],
      conflict: 412,
      title: 'Leder',
      batch: ['Kari', 201, 'Kafé'],
    })
  })
})
