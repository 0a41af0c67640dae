// On what kind of file system a database lies: SQLite's locks and its log hold on local disks alone.
import { statfsSync, type StatsFs } from 'node:fs'
import { dirname } from 'node:path'

export type Reach = 'local' | 'network' | 'unknown'

export interface FileSystem {
  readonly reach: Reach
  /** Like `NFS`; '' for one that needs no mention. */
  readonly name: string
}

/** That of `path`, or of the nearest folder above it that exists. */
export function fileSystemOf(path: string): FileSystem {
  return byMagic.get(stateOf(path).type) ?? { reach: 'local', name: '' }
}

/** How much of it is free for us, of a hundred. */
export function freePercentAt(path: string): number {
  const { bavail, blocks } = stateOf(path)
  return Math.floor((bavail / blocks) * 100)
}

/** Below this a disk is as good as full: the log of SQLite must grow before it can shrink. */
export const freePercentMin = 5

function stateOf(path: string): StatsFs {
  try {
    return statfsSync(path)
  } catch (error) {
    const above = dirname(path)
    if (above === path) throw error
    return stateOf(above)
  }
}

function network(name: string): FileSystem {
  return { reach: 'network', name }
}

/** By the number that Linux gives each kind (statfs(2)); other systems have numbers of their own. */
const byMagic: ReadonlyMap<number, FileSystem> = new Map([
  [0x6969, network('NFS')],
  [0x517b, network('SMB')],
  [0xff534d42, network('CIFS')],
  [0xfe534d42, network('SMB')],
  [0x564c, network('NCP')],
  [0x5346414f, network('AFS')],
  [0x73757245, network('Coda')],
  [0x00c36400, network('Ceph')],
  [0x0bd00bd0, network('Lustre')],
  [0x01021997, network('9P')],
  // Behind it may be anything, a server too.
  [0x65735546, { reach: 'unknown', name: 'FUSE' }],
])
