// Alert rules: mail when an integration stops calling, or export lines are not retrieved.
import type { Empty } from '../contract/endpoints.ts'
import { auditedAction } from '../audited-action.ts'
import { invalidChoiceError } from '../request-values.ts'
import { readFields, textIn } from '../body.ts'
import type { AppRequest } from '../route.ts'
import { exportAlertSubject } from '../../notifications/mail/alerts.ts'
import { findCredential } from '../../store/accounts/credentials.ts'
import type { Transaction } from '../../store/store.ts'
import { deleteAlertRule, saveAlertRule } from '../../store/notifications/alert-rules.ts'
import { ApiError } from '../../errors/api-error.ts'

/** Sets `hours` for `key`, or for exports without one; 0 disables the rule. Throws `NotFound` and `InvalidValue`. */
export async function setAlertRule(appRequest: AppRequest): Promise<Empty> {
  const fields = await readFields(appRequest.request)
  const text = textIn(fields, 'hours')
  const hours = Number(text)
  if (!/^\d{1,4}$/.test(text) || hours > hoursMax) throw invalidChoiceError('hours')
  const key = fields.get('key') ?? ''
  return auditedAction(appRequest, 'alert-rule', async (transaction) => {
    const { companyId } = transaction
    const subject = key === '' ? exportAlertSubject : await ownerOf(transaction, key)
    if (hours === 0 && subject !== exportAlertSubject)
      await deleteAlertRule(transaction, { companyId, subject })
    else await saveAlertRule(transaction, { companyId, subject, hours })
    return {
      result: {},
      auditData: key === '' ? { changed: exportAlertSubject, hours } : { key, hours },
    }
  })
}

/** 60 days. */
const hoursMax = 1440

async function ownerOf(transaction: Transaction, id: string): Promise<string> {
  const found = await findCredential(transaction, id)
  if (found?.kind === 'key' && found.companyId === transaction.companyId) return found.owner
  throw new ApiError('NotFound', { params: { what: id.slice(0, 8) } })
}
