// Alert rules: mail when an integration stops calling, or export lines are not retrieved.
import type { Empty } from '../contract/path.ts'
import { auditedAction } from '../audited-action.ts'
import { invalidChoiceError } from '../request-values.ts'
import { readFields, textIn } from '../body.ts'
import type { AppRequest } from '../route.ts'
import { getCompanyCredential } from '../../auth/companies/company-credentials.ts'
import { exportAlertSubject } from '../../notifications/mail/alerts.ts'
import { deleteAlertRule, saveAlertRule } from '../../store/notifications/alert-rules.ts'

/** Sets `hours` for the key or password `key`, or for exports without one; 0 disables the rule. Throws `NotFound` and `InvalidValue`. */
export async function setAlertRule(appRequest: AppRequest): Promise<Empty> {
  const fields = await readFields(appRequest.request)
  const text = textIn(fields, 'hours')
  const hours = Number(text)
  if (!/^\d{1,4}$/.test(text) || hours > hoursMax) throw invalidChoiceError('hours')
  const key = fields.get('key') ?? ''
  return auditedAction(appRequest, 'alert-rule', async (transaction) => {
    const { companyId } = transaction
    const subject = key === '' ? exportAlertSubject : (await getCompanyCredential(transaction, key)).owner
    if (hours === 0 && subject !== exportAlertSubject) await deleteAlertRule(transaction, { companyId, subject })
    else await saveAlertRule(transaction, { companyId, subject, hours })
    return { result: {}, auditData: key === '' ? { changed: exportAlertSubject, hours } : { key, hours } }
  })
}

/** 60 days. */
const hoursMax = 1440
