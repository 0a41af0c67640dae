// `dagsverk routes`: lists all routes and the scopes they require.
import type { Command } from '@commander-js/extra-typings'
import { publicRoutes } from '../../api/public-routes.ts'
import { routes } from '../../api/routes.ts'
import { printRows } from '../support/print.ts'
import type { Runtime } from '../../server/environment.ts'

export function addRoutesCommand(program: Command, runtime: Runtime): void {
  program
    .command('routes')
    .description('list all routes and the scope each requires')
    .option('--json', 'print JSON')
    .addHelpText('after', examples)
    .action((flags) => {
      const table = [
        ...routes.map(({ method, path, operation: { scope, summary } }) => ({ method, path, scope, summary })),
        ...publicRoutes.map(({ method, path, summary }) => ({ method, path, scope: null, summary })),
      ]
      printRows(runtime, table, flags)
    })
}

const examples = `
Examples:
  dagsverk routes
  dagsverk routes --json
`
