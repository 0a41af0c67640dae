// Alert rules: mail when an integration stops calling, or export lines are not retrieved.
import { administered, invalid } from '../audited-action.ts'
import { readFields, textIn } from '../body.ts'
import type { Asked } from '../route.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import { exportSubject } from '../../notifications/mail/alerts.ts'
import { phrase } from '../../errors/messages.ts'
import { credentialById } from '../../store/accounts/credentials.ts'
import type { Transaction } from '../../store/store.ts'
import { removeWatch, saveWatch } from '../../store/notifications/alert-rules.ts'

/** Sets `hours` for `key`, or for exports without one; 0 disables the rule. Throws `NotFound` and `InvalidValue`. */
export async function setWatch(asked: Asked): Promise<Reply> {
  const fields = await readFields(asked.request)
  const text = textIn(fields, 'hours')
  const hours = Number(text)
  if (!/^\d{1,4}$/.test(text) || hours > hoursMax) throw invalid('hours', phrase('noSuchChoice'))
  const key = fields.get('key') ?? ''
  return administered(asked, 'watch', async (transaction) => {
    const { companyId } = transaction
    const subject = key === '' ? exportSubject : await ownerOf(transaction, key)
    if (hours === 0 && subject !== exportSubject)
      await removeWatch(transaction, { companyId, subject })
    else await saveWatch(transaction, { companyId, subject, hours })
    return { answer: {}, about: key === '' ? { changed: exportSubject, hours } : { key, hours } }
  })
}

/** 60 days. */
const hoursMax = 1440

async function ownerOf(transaction: Transaction, id: string): Promise<string> {
  const found = await credentialById(transaction, id)
  if (found?.kind === 'key' && found.companyId === transaction.companyId) return found.owner
  throw new Fault('NotFound', { says: { what: id.slice(0, 8) } })
}
