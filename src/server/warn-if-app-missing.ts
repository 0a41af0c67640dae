// Warns at start that the browser app is not built. The server serves the API without it.
import { isAppBuilt } from '../app/assets.ts'
import type { Runtime } from './environment.ts'

export function warnIfAppMissing(runtime: Runtime): void {
  if (!isAppBuilt(runtime.appFolder)) runtime.printMessage(`The browser app is missing: ${appNotBuilt}\n`)
}

export const appNotBuilt =
  'it is not built. Run npm start in a clone, or build the package with npm pack. The API works without it'
