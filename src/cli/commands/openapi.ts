// `dagsverk openapi`: prints the OpenAPI document without a server.
import type { Command } from '@commander-js/extra-typings'
import { openapi } from '../../api/openapi/openapi.ts'
import { version } from '../../server/version.ts'
import type { Runtime } from '../../server/environment.ts'

export function addOpenapiCommand(program: Command, runtime: Runtime): void {
  program
    .command('openapi')
    .description('print the OpenAPI 3.1 document')
    .option('--public-url <address>', 'public URL of the server', '')
    .addHelpText('after', examples)
    .action(({ publicUrl }) => {
      runtime.print(`${JSON.stringify(openapi(version, publicUrl), null, 2)}\n`)
    })
}

const examples = `
Examples:
  dagsverk openapi > openapi.json
`
