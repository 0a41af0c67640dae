// Companies of the server, for its operator: add, close, reopen; never their data.
import { checked, invalid, numberIn } from '../audited-action.ts'
import { readFields, textIn, type Fields } from '../body.ts'
import { currencyOf, zoneOf } from './administration.ts'
import { addressOf, json, type Asked } from '../route.ts'
import { openedByOperator } from '../../auth/caller.ts'
import { defaultSettings, writeSettings } from '../../auth/companies/company-settings.ts'
import { deedOf, type Deed } from '../../auth/action-context.ts'
import { newPassword, type Password } from '../../auth/tokens/credential-factory.ts'
import {
  companyNameProblem,
  emailProblem,
  passwordProblem,
} from '../../auth/passwords/password-rules.ts'
import { passwordScopes } from '../../auth/scopes.ts'
import { generatePassword } from '../../auth/tokens/secret.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import { sendInvitation } from '../../notifications/mail/invite.ts'
import { phrase } from '../../errors/messages.ts'
import { writeAudit, type AuditAction } from '../../store/audit/audit.ts'
import {
  companyById,
  companyKey,
  inNewCompany,
  insertCompany,
  updateCompany,
} from '../../store/accounts/companies.ts'
import { insertCredential } from '../../store/accounts/credentials.ts'
import { companiesShown } from '../../store/server-overview.ts'
import type { Transaction } from '../../store/store.ts'
import type { CompanyTable } from '../../store/tables/accounts.ts'
import { languageOf } from '../../engine/formats/negotiation/negotiate.ts'

/** All companies with their counts; timestamps are microseconds. */
export async function companyList({ store, outbox }: Asked): Promise<Reply> {
  return json({ companies: await companiesShown(store), sendsMail: outbox !== null })
}

/**
 * Adds a company with its password and the invitation of its first administrator, in one transaction. A generated
 * password, and the invitation link if no mail is sent, are only in this reply. Throws `AlreadyExists`.
 */
export async function addOneCompany(asked: Asked): Promise<Reply> {
  const { store, request, visitor, minting, outbox } = asked
  const fields = await readFields(request)
  const name = checked('name', textIn(fields, 'name'), companyNameProblem).normalize('NFC')
  const email = checked('email', textIn(fields, 'email').trim(), emailProblem)
  const settings = writeSettings(defaultSettings)
  const row = {
    name,
    timezone: zoneOf(textIn(fields, 'zone')),
    currency: currencyOf(textIn(fields, 'currency')),
    settings,
  }
  const password = passwordIn(fields, name, asked)
  const terms = { scopes: passwordScopes, allowFrom: null, expiresInDays: null, companyId: 0 }
  const credential = await newPassword(minting, password, terms)
  const deed = deedOf(visitor.caller, request.id, asked.clock())
  const link = await store.inHouseTransaction(async (writer) => {
    const id = await insertCompany(writer, row, deed.now)
    await insertCredential(writer, { ...credential, companyId: id })
    return inNewCompany(writer, openedByOperator({ id }), async (transaction) => {
      const inviting = {
        email,
        place: { role: 'admin', departments: null },
        company: { name, zone: row.timezone },
        by: visitor.email,
        language: languageOf(request.header('accept-language')),
        address: addressOf(asked, request),
        now: deed.now,
      } as const
      const invited = await sendInvitation(transaction, inviting, {
        random: minting.random,
        outbox,
      })
      await audited(transaction, deed, 'company-add')
      return invited.link
    })
  })
  return json({
    company: name,
    password: password.kind === 'generated' ? password.text : null,
    email,
    link,
  })
}

/**
 * Blocks sign-in and all passwords and keys at once; the data stays (ADR 0122). The body repeats the name as
 * confirmation. Throws `InvalidValue`, `NotFound`, and `OwnCompany` for the company of the session.
 */
export async function closeOneCompany(asked: Asked): Promise<Reply> {
  const fields = await readFields(asked.request)
  const typed = textIn(fields, 'name')
  return changed(asked, numberIn(fields, 'id'), 'company-close', (company, now) => {
    if (company.id === asked.visitor.caller.companyId)
      throw new Fault('OwnCompany', { says: { company: company.name } })
    if (companyKey(typed) !== company.nameKey) throw invalid('name', phrase('noSuchChoice'))
    return { ...company, disabledAt: company.disabledAt ?? now }
  })
}

/** Reopens a company; users, passwords and keys work as before. Throws `NotFound`. */
export async function openOneCompany(asked: Asked): Promise<Reply> {
  const id = numberIn(await readFields(asked.request), 'id')
  return changed(asked, id, 'company-open', (company) => ({ ...company, disabledAt: null }))
}

/** The audit entry is written in the company that changes, where its administrators can read it. */
async function changed(
  asked: Asked,
  id: number,
  action: AuditAction,
  change: (company: CompanyTable, now: number) => CompanyTable,
): Promise<Reply> {
  const { store, request, visitor, clock } = asked
  if ((await companyById(store, id)) === undefined) throw unknown(id)
  const deed = deedOf(visitor.caller, request.id, clock())
  await store.inTransaction(openedByOperator({ id }), async (transaction) => {
    const company = await companyById(transaction, id)
    if (company === undefined) throw unknown(id)
    await updateCompany(transaction, change(company, deed.now))
    await audited(transaction, deed, action)
  })
  return json({})
}

function audited(
  transaction: Transaction,
  { actor, requestId, now }: Deed,
  action: AuditAction,
): Promise<void> {
  const data = { company: transaction.companyId }
  return writeAudit(transaction, { at: now, actor, action, target: 'Firma', requestId, data })
}

function unknown(id: number): Fault {
  return new Fault('NotFound', { says: { what: String(id) } })
}

/** The chosen password, or a generated one. */
function passwordIn(fields: Fields, name: string, { minting }: Asked): Password {
  const text = fields.get('password') ?? ''
  if (text === '') return { text: generatePassword(minting.random), kind: 'generated' }
  const problem = passwordProblem(text, [name])
  if (problem !== null) throw invalid('password', problem)
  return { text, kind: 'chosen' }
}
