// What administrators are told of their integrations: when each last succeeded, and what was refused it, in words.
import { auditFirstUse, dayOf, type Use } from '../../auth/sessions/sign-in-audit.ts'
import type { Answered } from '../../http/load.ts'
import { sentence, type Detail } from '../../errors/catalog.ts'
import type { Language } from '../../errors/messages.ts'
import { forgetRefused, insertRefused, noteSuccess } from '../../store/audit/api-call-log.ts'
import { listCompanies } from '../../store/accounts/companies.ts'
import type { Store } from '../../store/store.ts'
import type { RefusedCallTable } from '../../store/tables/operations.ts'

export interface NotingOptions {
  readonly store: Store
  /** Microseconds since 1970. */
  readonly clock: () => number
}

type Refusal = NonNullable<Answered['about']['refusal']>

interface Success {
  readonly companyId: number
  at: number
  /** What the database has. */
  notedAt: number
  /** Of the last success, by UTC. */
  day: number
}

/** Notes are gathered beside the answers, and written together. */
export class CallNotes {
  readonly #options: NotingOptions
  readonly #successes = new Map<string, Success>()
  readonly #firstUses = new Set<Use>()
  #refused: RefusedCallTable[] = []
  /** By credential, since the last time they were written. */
  readonly #refusedCount = new Map<string, number>()

  constructor(options: NotingOptions) {
    this.#options = options
  }

  /** People have the app's own words; what nobody is known to have asked belongs to no company. */
  note(answered: Answered): void {
    const { companyId, credentialId, refusal } = answered.about
    if (companyId === undefined || credentialId === undefined || credentialId.startsWith('user:'))
      return
    const at = this.#options.clock()
    if (answered.status < 400)
      this.#noteSuccess({ companyId, credentialId, at, requestId: answered.id })
    else if (refusal !== undefined)
      this.#noteRefused(answered, { companyId, credentialId, at, refusal })
  }

  /** Writes what was gathered. What cannot be written is lost, but for first uses: it is told, not kept. */
  async flush(): Promise<void> {
    const now = this.#options.clock()
    // As they are now: none of them is of a day whose first use came after this.
    const successes = [...this.#successes]
      .filter(([, { at, notedAt }]) => at > notedAt && now - notedAt >= minute)
      .map(([credentialId, success]) => ({ credentialId, success, at: success.at }))
    await this.#auditFirstUses()
    const refused = this.#refused
    this.#refused = []
    this.#refusedCount.clear()
    if (refused.length === 0 && successes.length === 0) return
    await this.#options.store.inHouseTransaction(async (writer) => {
      for (const call of refused) await insertRefused(writer, call)
      for (const { credentialId, success, at } of successes)
        await noteSuccess(writer, { companyId: success.companyId, credentialId, at })
    })
    for (const { success, at } of successes) success.notedAt = at
  }

  /** Forgets refusals of a month ago, and beyond the newest ten thousand of a company. */
  async tidy(): Promise<void> {
    const { store, clock } = this.#options
    for (const { id } of await listCompanies(store)) {
      const bounds = { companyId: id, before: clock() - keptFor, kept: keptMost }
      await store.inHouseTransaction((writer) => forgetRefused(writer, bounds))
    }
  }

  #noteSuccess(use: Use): void {
    const { companyId, credentialId, at } = use
    const day = dayOf(at)
    const known = this.#successes.get(credentialId)
    if (known?.day !== day) this.#firstUses.add(use)
    if (known === undefined) this.#successes.set(credentialId, { companyId, at, notedAt: 0, day })
    else {
      known.at = at
      known.day = day
    }
  }

  /** Before the successes, which tell the day that it had its first. What cannot be written waits for the next time. */
  async #auditFirstUses(): Promise<void> {
    for (const use of this.#firstUses) {
      await auditFirstUse(this.#options.store, use)
      this.#firstUses.delete(use)
    }
  }

  #noteRefused(
    { id, method, route, status }: Answered,
    noted: { companyId: number; credentialId: string; at: number; refusal: Refusal },
  ): void {
    const { companyId, credentialId, at, refusal } = noted
    const count = this.#refusedCount.get(credentialId) ?? 0
    // A program in a loop is refused the same again and again.
    if (count >= refusedMost) return
    this.#refusedCount.set(credentialId, count + 1)
    const said = { nb: inWords(refusal, 'nb'), en: inWords(refusal, 'en') }
    const call = { requestId: id, method, route, status, code: refusal.code, ...said }
    this.#refused.push({ companyId, credentialId, at, ...call })
  }
}

/** The refusal and the first of its places, as the caller was told. */
function inWords({ code, says, target, details }: Refusal, language: Language): string {
  const [first] = details
  const whole = placed({ code, says, target }, language)
  const text = first === undefined ? whole : `${whole} ${placed(first, language)}`
  return text.slice(0, wordsMax)
}

function placed(
  { code, says, target }: Pick<Detail, 'code' | 'says' | 'target'>,
  language: Language,
): string {
  return (target === null ? '' : `${target}: `) + sentence(code, says, language)
}

/** Microseconds. */
const minute = 60_000_000
const keptFor = 30 * 24 * 60 * minute
const keptMost = 10_000
/** Of one credential at each writing. */
const refusedMost = 20
const wordsMax = 500
