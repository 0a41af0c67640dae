// `dagsverk user factor-off`: for somebody who has lost the phone and the recovery codes as well.
import type { Command } from 'commander'
import { databaseSettings, withSettings } from '#cli/configured.ts'
import { withStore } from '#cli/opened.ts'
import type { World } from '#cli/world.ts'
import { OperatorError } from '#lib/operator-error.ts'
import { findFactor, removeFactor } from '#store/factors.ts'
import { findUser, raiseUserVersion } from '#store/users.ts'

export const addFactorOffCommand = (user: Command, world: World): void => {
  const command = user
    .command('factor-off <email>')
    .description('take away the second factor of a person, who is signed out by that')
    .action((email: string, _flags: unknown, called: Command) =>
      withStore(called, world, async (store) => {
        await store.inHouseTransaction(async (writer) => {
          const found = await findUser(writer, email)
          if (found === undefined) throw new OperatorError(`There is no user ${email}.`)
          if ((await findFactor(writer, found.id)) === undefined)
            throw new OperatorError(`${email} has no second factor.`)
          await removeFactor(writer, found.id)
          await raiseUserVersion(writer, found.id)
        })
        world.tell(`${email} signs in with the password alone.\n`)
      }),
    )
  withSettings(command, databaseSettings)
}
