// A planted fault: every folder says that it lies on another machine, as one that is mounted by NFS does.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { statfsSync } = fs
fs.statfsSync = ((path: string) =>
  Object.assign(statfsSync(path), { type: 0x6969 })) as typeof statfsSync
syncBuiltinESMExports()
