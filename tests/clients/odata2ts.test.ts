// odata2ts against the running server: a typed client generated from $metadata, compiled and run.
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { isAvailable } from '../support/requirements.ts'
import { useListeningTestServer } from './server.ts'

const project = join(import.meta.dirname, 'odata2ts')
const files = ['odata2ts.config.cjs', 'tsconfig.json', 'program.ts', 'refused.ts']

describe.runIf(isAvailable('odata2ts')).each(databases)('odata2ts on $name', (database) => {
  const served = useListeningTestServer(database, 'odata2ts')
  let folder: string
  /** The output of the compiler. */
  let complaints: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dagsverk-odata2ts-'))
    for (const file of files) cpSync(join(project, file), join(folder, file))
    symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
    await node('node_modules/@odata2ts/odata2ts/lib/run-cli.js')
    complaints = await node('node_modules/typescript/bin/tsc').catch((failure: { stdout: string }) => failure.stdout)
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true })
  })

  const node = async (script: string): Promise<string> => {
    const service = { SERVICE_URL: `${served.address}/odata`, SERVICE_KEY: served.server.tenantA.key }
    const options = { cwd: folder, env: { ...process.env, ...service } }
    return (await promisify(execFile)(process.execPath, [script], options)).stdout
  }

  test('the compiler rejects what the service does not have, and nothing else', () => {
    const lines = readFileSync(join(project, 'refused.ts'), 'utf8').split('\n')
    const expectedErrors = lines.flatMap((line, index) =>
      line.endsWith('// refused') ? [`refused.ts(${index + 1}`] : [],
    )
    expect(complaints.match(/^\S[^,]*/gm)).toEqual(expectedErrors)
  })

  test('the compiled program reads, follows relations and writes', async () => {
    expect(JSON.parse(await node('built/program.js'))).toMatchObject({
      employees: [{ Id: 1, Stillingsprosent: '37.5', Avdeling: { Navn: 'Byggevarer' } }],
      count: '2',
      above: 'Byggevarer',
      members: ['Kari', 'Åse'],
      created: 'Kafé',
      stored: ['4/0 & 1', 'Kafé & bakeri', true],
      statuses: [201, 200, 204, 404],
    })
  })
})
