// CPU time of a server under test, and of the local PostgreSQL processes that work for it.
import { cpuSecondsBetween, noCpu, postgresBackends, sampleCpu, type CpuSample } from './cpu.ts'

export interface ServerCpuSample {
  readonly server: CpuSample | null
  readonly database: CpuSample | null
}

export interface ServerCpu {
  /** Of the server's processes; null where the system does not provide it. */
  readonly cpuSeconds: number | null
  /** Of the database's own processes; null without such. */
  readonly databaseCpuSeconds: number | null
}

/** `pid` 0 samples no server. */
export function sampleServerCpu(pid: number, database: string | undefined): ServerCpuSample {
  return {
    server: pid === 0 ? null : sampleCpu([pid]),
    database: database === undefined ? null : sampleCpu(postgresBackends(database)),
  }
}

export function serverCpuBetween(before: ServerCpuSample, after: ServerCpuSample): ServerCpu {
  const { server, database } = before
  return {
    cpuSeconds: server === null || after.server === null ? null : cpuSecondsBetween(server, after.server),
    // Connections that the server opened since are processes that began at zero.
    databaseCpuSeconds: after.database === null ? null : cpuSecondsBetween(database ?? noCpu, after.database),
  }
}
