// `dagsverk user reset-mfa`: for people who lost both phone and recovery codes.
import type { Command } from 'commander'
import { runAuditedForUser } from '../support/audited.ts'
import { databaseSettings, withSettings } from '../../server/config-options.ts'
import { withStore } from '../../server/with-store.ts'
import type { Runtime } from '../../server/environment.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { findFactor, deleteFactor } from '../../store/accounts/second-factors.ts'
import { deletePasskeys, listPasskeys } from '../../store/accounts/passkeys.ts'
import { incrementUserVersion } from '../../store/accounts/users.ts'

export function addResetMfaCommand(user: Command, runtime: Runtime): void {
  const command = user
    .command('reset-mfa <email>')
    .description('remove the second factor and passkeys of a person and end their sessions')
    .action((email: string, _flags: unknown, called: Command) =>
      withStore(called, runtime, async (store) => {
        await runAuditedForUser(store, runtime, email, {
          action: 'factor-off',
          execute: async (writer, { id }) => {
            const passkeys = await listPasskeys(writer, id)
            if ((await findFactor(writer, id)) === undefined && passkeys.length === 0)
              throw new OperatorError(`${email} has no second factor.`)
            await deleteFactor(writer, id)
            await deletePasskeys(writer, id)
            await incrementUserVersion(writer, id)
          },
        })
        runtime.printMessage(`${email} can now sign in with the password only.\n`)
      }),
    )
  withSettings(command, databaseSettings)
}
