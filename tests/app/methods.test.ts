// Methods of the app's URLs: which are served, and how the others are refused.
import { describe, expect, test } from 'vitest'
import { appPaths } from '../../src/app/contract/endpoints.ts'
import { screens } from '../../src/app/contract/screens.ts'
import { appRoutes } from '../../src/app/endpoints.ts'
import { databases } from '../support/databases.ts'
import { useTestServer } from '../support/server.ts'

const { noScreen, ...ownPaths } = appPaths
const paths = [...new Set([...Object.values(ownPaths), '/', '/app', ...screens.map((screen) => `/app/${screen}`)])]
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

describe.each(databases)('on $name', (database) => {
  const server = useTestServer(database, 'methods')

  test('every URL of the app refuses a method that it does not have by 405, and Allow has exactly those that it has', async () => {
    for (const path of paths) {
      const served: string[] = []
      const allowed = new Map<string, string[] | undefined>()
      for (const method of methods) {
        const reply = await server.call(method, path.replace(/:\w+/g, 'x'), { as: null })
        if (reply.status !== 405) served.push(method)
        else if (method !== 'HEAD') expect(reply.json.error.code, `${method} ${path}`).toBe('MethodNotAllowed')
        if (reply.status === 405) allowed.set(method, reply.headers['allow']?.split(', ').toSorted())
      }
      const own = appRoutes.filter((route) => route.path === path).map((route): string => route.method)
      expect(served, path).toEqual(expect.arrayContaining(own))
      expect([...allowed.keys()], path).toEqual(expect.arrayContaining(['PUT', 'PATCH']))
      for (const [method, allow] of allowed) expect(allow, `${method} ${path}`).toEqual(served.toSorted())
    }
  })

  test.each([noScreen.replace(':screen', 'finnes-ikke'), '/app/finnes/ikke'])(
    '%s is no URL of the app: every method is 404',
    async (path) => {
      for (const method of methods) expect((await server.call(method, path)).status).toBe(404)
    },
  )
})
