// Commands that open the database: their flags, and an action that runs with the store.
import type { Command, OptionValues } from '@commander-js/extra-typings'
import type { CryptoContext } from '../../auth/tokens/credential-factory.ts'
import type { Config, SettingName } from '../../config/settings.ts'
import { printOne, printRows, type PrintableRow } from './print.ts'
import { databaseSettings, readCommandConfig, withSettings } from '../../server/config-options.ts'
import type { Runtime } from '../../server/environment.ts'
import { loadMasterKey } from '../../server/master-key-file.ts'
import { withOpenStore } from '../../server/with-store.ts'
import type { Store } from '../../store/store.ts'

export interface StoreContext<Flags> {
  readonly store: Store
  readonly flags: Flags
  readonly config: Config
  /** Loads the master key. */
  readonly cryptoContext: () => Promise<CryptoContext>
}

/**
 * Sets the action of a command on the configured database, which it never creates, and adds the flags of its settings after its own.
 */
export function addStoreAction<Args extends unknown[], Flags extends OptionValues>(
  command: Command<Args, Flags>,
  runtime: Runtime,
  action: (context: StoreContext<Flags>, ...args: Args) => Promise<void>,
  settings: readonly SettingName[] = databaseSettings,
): void {
  command.action(() => {
    const config = readCommandConfig(command, runtime)
    return withOpenStore({ url: config.databaseUrl, canCreate: false, connectionsMax: 2 }, (store) => {
      const cryptoContext = async () => {
        const { pepper } = await loadMasterKey(store, config, runtime)
        const { random, clock, hashCost } = runtime
        return { random, clock, hashCost, pepper }
      }
      return action({ store, flags: command.opts(), config, cryptoContext }, ...command.processedArgs)
    })
  })
  withSettings(command, settings)
}

/** The same for a command that prints one record or a list of rows; adds `--json` after its own flags. */
export function addPrintAction<Args extends unknown[], Flags extends OptionValues>(
  command: Command<Args, Flags>,
  runtime: Runtime,
  action: (context: StoreContext<Flags>, ...args: Args) => Promise<PrintableRow | PrintableRow[]>,
): void {
  command.option('--json', 'print JSON')
  addStoreAction(command, runtime, async (context, ...args) => {
    const printed = await action(context, ...args)
    const json = command.getOptionValue('json') === true
    if (Array.isArray(printed)) printRows(runtime, printed, { json })
    else printOne(runtime, printed, { json })
  })
}
