// Warns at start that the browser app is not built. The server serves the API without it.
import { isAppBuilt } from '../app/assets.ts'
import type { World } from './environment.ts'

export function tellOfApp(world: World): void {
  if (!isAppBuilt(world.appFolder)) world.tell(`The browser app is missing: ${appNotBuilt}\n`)
}

export const appNotBuilt =
  'it is not built. Run npm start in a clone, or build the package with npm run pack. The API works without it'
