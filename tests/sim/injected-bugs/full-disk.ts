// Injected fault: every disk is nearly full.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { statfsSync } = fs
fs.statfsSync = ((path: string) => {
  const state = statfsSync(path)
  return Object.assign(state, { bavail: Math.floor(state.blocks * 0.04) })
}) as typeof statfsSync
syncBuiltinESMExports()
