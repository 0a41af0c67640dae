// Durability of commits on PostgreSQL: its settings, and the standbys that confirm commits.
import { sql } from 'kysely'
import { statement } from '../statement.ts'
import type { Reader } from '../store.ts'
import { advice, ok, wrong, type Verdict } from '../../lib/verdict.ts'

interface DurabilitySettings {
  readonly synchronousCommit: string
  readonly synchronousStandbyNames: string
  /** The number of standbys that are connected, synchronous or not; subscribers of logical replication are none. */
  readonly standbys: number
}

export async function getDurability(reader: Reader): Promise<DurabilitySettings> {
  const found = await reader.first(settingsStatement, {})
  if (found === undefined) throw new Error('a query without a result')
  return found
}

/** Why a failover, or on a server alone a crash, can lose acknowledged writes; null where it cannot. */
export function findCommitLoss({
  synchronousCommit,
  synchronousStandbyNames,
  standbys,
}: DurabilitySettings): Verdict | null {
  if (synchronousCommit === 'off') return wrong('synchronous_commit is off: writes that were acknowledged can be lost')
  if (parseStandbyNames(synchronousStandbyNames).names.length === 0)
    return standbys === 0
      ? null
      : advice('no standby is synchronous: a failover loses the last writes; set synchronous_standby_names')
  return synchronousCommit === 'local'
    ? wrong('synchronous_commit is local: no commit waits for a standby, and a failover loses the last writes')
    : null
}

/** What the settings mean for acknowledged writes when the primary fails. */
export function evaluateDurability(settings: DurabilitySettings): Verdict {
  const loss = findCommitLoss(settings)
  if (loss !== null) return loss
  const { standbys } = settings
  const { required, names } = parseStandbyNames(settings.synchronousStandbyNames)
  if (names.length === 0) return ok('commits are durable')
  if (standbys < required) return wrong(`commits wait for ${required} standbys, and ${standbys} are connected`)
  return names.length <= required && !names.includes('*')
    ? advice(`writes wait when one standby fails: synchronous_standby_names must list more than ${required}`)
    : ok(`commits are durable here and on ${required} of ${names.join(', ')}`)
}

/** `ANY 1 (a, b)`, `FIRST 1 (a, b)`, `1 (a, b)` or `a, b`, which is the same as the last. */
function parseStandbyNames(text: string): { required: number; names: readonly string[] } {
  const [, required = '1', list = text] = /(\d+)\s*\((.*)\)/s.exec(text) ?? []
  const names = list.split(',').map((name) => name.trim())
  return { required: Number(required), names: names.filter((name) => name !== '') }
}

const settingsStatement = statement<DurabilitySettings>(
  () => sql`
    select current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('synchronous_standby_names') as "synchronousStandbyNames",
      (select count(*) from pg_stat_replication as sender where not exists (select from pg_replication_slots as slot
        where slot.active_pid = sender.pid and slot.slot_type = 'logical')) as standbys`,
)
