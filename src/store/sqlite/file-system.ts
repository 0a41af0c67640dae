// Kind of file system: the locks and the write-ahead log of SQLite need a local disk.
import { statfsSync, type StatsFs } from 'node:fs'
import { dirname } from 'node:path'

export type FileSystemKind = 'local' | 'network' | 'unknown'

export interface FileSystem {
  readonly kind: FileSystemKind
  /** Like `NFS`; '' for other local file systems. */
  readonly name: string
}

/** The file system of `path`, or of its nearest existing parent folder. */
export function getFileSystem(path: string): FileSystem {
  return byMagicNumber.get(statNearest(path).type) ?? { kind: 'local', name: '' }
}

/** The percentage that is free for this process. */
export function getFreePercent(path: string): number {
  const { bavail, blocks } = statNearest(path)
  return Math.floor((bavail / blocks) * 100)
}

/** A disk with less counts as full: the write-ahead log must grow before it can shrink. */
export const freePercentMin = 5

function statNearest(path: string): StatsFs {
  try {
    return statfsSync(path)
  } catch (error) {
    const parent = dirname(path)
    if (parent === path) throw error
    return statNearest(parent)
  }
}

function network(name: string): FileSystem {
  return { kind: 'network', name }
}

/** By the magic number of statfs(2) on Linux; other systems have different numbers. */
const byMagicNumber: ReadonlyMap<number, FileSystem> = new Map([
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
  // May be backed by anything, also by a server.
  [0x65735546, { kind: 'unknown', name: 'FUSE' }],
])
