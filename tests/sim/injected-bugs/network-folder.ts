// Injected fault: every folder is on a network file system, like an NFS mount.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { statfsSync } = fs
fs.statfsSync = ((path: string) => Object.assign(statfsSync(path), { type: 0x6969 })) as typeof statfsSync
syncBuiltinESMExports()
