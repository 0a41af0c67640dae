// Companies of the server, for its operator: add, close, reopen; never their data.
import type { CompanyList, CreatedCompany } from '../contract/administration.ts'
import type { Empty } from '../contract/path.ts'
import { idIn, invalidChoiceError, validateField } from '../request-values.ts'
import { readFields, textIn, type BodyFields } from '../body.ts'
import { parseCurrency, parseTimezone } from './administration.ts'
import { linkBaseUrl, type AppRequest } from '../route.ts'
import { companyIdForOperator } from '../../auth/caller.ts'
import { defaultSettings, writeSettings } from '../../auth/companies/company-settings.ts'
import { writeContext } from '../../auth/action-context.ts'
import { createPasswordRow, type PasswordInput } from '../../auth/tokens/credential-factory.ts'
import { companyNameProblem, emailProblem, requireAcceptablePassword } from '../../auth/passwords/password-rules.ts'
import { passwordScopes } from '../../auth/scopes.ts'
import { generatePassword } from '../../auth/tokens/secret.ts'
import { sendInvitation } from '../../notifications/mail/invite.ts'
import { insertAuditEntry, type AuditAction } from '../../store/audit/audit.ts'
import {
  findCompanyById,
  companyKey,
  inNewCompanyTransaction,
  insertCompany,
  setCompanyDisabled,
} from '../../store/accounts/companies.ts'
import { insertCredential } from '../../store/accounts/credentials.ts'
import { listCompanySummaries } from '../../store/server-overview.ts'
import type { CompanyTable } from '../../store/tables/accounts.ts'
import { negotiateLanguage } from '../../engine/formats/negotiation/negotiate.ts'
import { ApiError, notFoundError } from '../../errors/api-error.ts'

/** All companies with their counts; timestamps are microseconds. */
export async function listCompaniesWithCounts({ store, mailQueue }: AppRequest): Promise<CompanyList> {
  return { companies: await listCompanySummaries(store), sendsMail: mailQueue !== null }
}

/**
 * Adds a company with its password and the invitation of its first administrator, in one transaction. A generated
 * password, and the invitation link if no mail is sent, are only in this reply. Throws `AlreadyExists`.
 */
export async function addCompany(appRequest: AppRequest): Promise<CreatedCompany> {
  const { store, request, sessionUser, cryptoContext, mailQueue } = appRequest
  const fields = await readFields(request)
  const name = validateField('name', textIn(fields, 'name'), companyNameProblem).normalize('NFC')
  const email = validateField('email', textIn(fields, 'email').trim(), emailProblem)
  const row = {
    name,
    timezone: parseTimezone(textIn(fields, 'zone')),
    currency: parseCurrency(textIn(fields, 'currency')),
    settings: writeSettings(defaultSettings),
  }
  const password = parsePassword(fields, name, appRequest)
  const terms = { scopes: passwordScopes, allowedNetworks: null, expiresInDays: null, companyId: 0 }
  const credential = await createPasswordRow(cryptoContext, password, terms)
  const context = writeContext(sessionUser.caller, request.id, appRequest.clock())
  const link = await store.inSystemTransaction(async (writer) => {
    const id = await insertCompany(writer, row, context.now)
    await insertCredential(writer, { ...credential, companyId: id })
    return inNewCompanyTransaction(writer, companyIdForOperator({ id }), async (transaction) => {
      const inviting = {
        email,
        membership: { role: 'admin', departments: null },
        company: { name, zone: row.timezone },
        by: sessionUser.email,
        language: negotiateLanguage(request.header('accept-language')),
        address: linkBaseUrl(appRequest, request),
        now: context.now,
      } as const
      const invited = await sendInvitation(transaction, inviting, { random: cryptoContext.random, mailQueue })
      await insertAuditEntry(transaction, context, { action: 'company-add', data: { company: id } })
      return invited.link
    })
  })
  return { company: name, password: password.kind === 'generated' ? password.text : null, email, link }
}

/**
 * Blocks sign-in and all passwords and keys at once; the data stays (ADR 0043). The body repeats the name as
 * confirmation. Throws `InvalidValue`, `NotFound`, and `CannotCloseCurrentCompany` for the company of the session.
 */
export async function closeCompany(appRequest: AppRequest): Promise<Empty> {
  const fields = await readFields(appRequest.request)
  const typed = textIn(fields, 'name')
  return updateCompanyState(appRequest, idIn(fields, 'id'), 'company-close', (company, now) => {
    if (company.id === appRequest.companyId)
      throw new ApiError('CannotCloseCurrentCompany', { params: { company: company.name } })
    if (companyKey(typed) !== company.nameKey) throw invalidChoiceError('name')
    return company.disabledAt ?? now
  })
}

/** Reopens a company; users, passwords and keys work as before. Throws `NotFound`. */
export async function reopenCompany(appRequest: AppRequest): Promise<Empty> {
  const id = idIn(await readFields(appRequest.request), 'id')
  return updateCompanyState(appRequest, id, 'company-open', () => null)
}

/** The audit entry is written in the company that changes, where its administrators can read it. */
async function updateCompanyState(
  appRequest: AppRequest,
  id: number,
  action: AuditAction,
  disabledAt: (company: CompanyTable, now: number) => number | null,
): Promise<Empty> {
  const { store, request, sessionUser, clock } = appRequest
  if ((await findCompanyById(store, { id })) === undefined) throw notFoundError(String(id))
  const context = writeContext(sessionUser.caller, request.id, clock())
  await store.inTransaction(companyIdForOperator({ id }), async (transaction) => {
    const company = await findCompanyById(transaction, { id })
    if (company === undefined) throw notFoundError(String(id))
    await setCompanyDisabled(transaction, company, disabledAt(company, context.now))
    await insertAuditEntry(transaction, context, { action, data: { company: id } })
  })
  return {}
}

/** The chosen password, or a generated one. */
function parsePassword(fields: BodyFields, name: string, { cryptoContext }: AppRequest): PasswordInput {
  const text = fields.get('password') ?? ''
  if (text === '') return { text: generatePassword(cryptoContext.random), kind: 'generated' }
  requireAcceptablePassword(text, [name])
  return { text, kind: 'chosen' }
}
