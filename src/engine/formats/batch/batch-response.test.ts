import { expect, test } from 'vitest'
import { errorCatalog } from '../../../errors/catalog.ts'
import { multipartFormat } from './batch-response.ts'

/** The status line of a reply in a multipart batch. */
async function statusLine(status: number): Promise<string> {
  async function* groups() {
    const request = { id: null, group: null }
    yield { replies: [{ request, status, headers: {}, body: null }], isChangeSet: false }
  }
  let text = ''
  for await (const chunk of multipartFormat('x').serialize(groups())) text += String(chunk)
  return /^HTTP.*$/m.exec(text)?.[0].trim() ?? ''
}

test('every status of the error catalogue has its reason phrase', async () => {
  for (const { status } of Object.values(errorCatalog)) {
    const line = await statusLine(status)
    expect(line).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`))
    expect(line).not.toContain('Status')
  }
  expect(await statusLine(422)).toBe('HTTP/1.1 422 Unprocessable Content')
})
