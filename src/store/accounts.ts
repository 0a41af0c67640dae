// Companies, their credentials, and people: who exists and who may come in.
import { statement } from '#store/statement.ts'
import type { Awaitable, Reader, Writer } from '#store/store.ts'
import type {
  CompanyTable,
  CredentialTable,
  KnownAddressTable,
  MembershipTable,
  UserTable,
} from '#store/tables.ts'

export type NewCompany = Pick<CompanyTable, 'name' | 'timezone' | 'currency' | 'settings'>

/** The name as it is compared and looked up: forms of one letter that look alike are one name. */
export const companyKey = (name: string): string => name.normalize('NFC').trim().toLowerCase()

/** Adds a company and its counters; its id. The caller has checked that the name is free. */
export const insertCompany = async (
  writer: Writer,
  company: NewCompany,
  now: number,
): Promise<number> => {
  const row = await writer.first(insertCompanyStatement, {
    ...company,
    nameKey: companyKey(company.name),
    now,
  })
  if (row === undefined) throw new Error('an insert that returns nothing')
  await writer.run(insertCounterStatement, { companyId: row.id })
  return row.id
}

export const findCompany = (reader: Reader, name: string): Awaitable<CompanyTable | undefined> =>
  reader.first(findCompanyStatement, { nameKey: companyKey(name) })

export const companyById = (reader: Reader, id: number): Awaitable<CompanyTable | undefined> =>
  reader.first(companyByIdStatement, { id })

export const listCompanies = (reader: Reader): Awaitable<CompanyTable[]> =>
  reader.all(listCompaniesStatement, {})

/**
 * Changes what may change of a company; everything is given, as read before. Its credentials get a new
 * version, so that every cache reads the company anew.
 */
export const updateCompany = async (writer: Writer, company: CompanyTable): Promise<void> => {
  await writer.run(updateCompanyStatement, {
    id: company.id,
    timezone: company.timezone,
    currency: company.currency,
    settings: company.settings,
    disabledAt: company.disabledAt,
  })
  await writer.run(raiseVersionsStatement, { companyId: company.id })
}

export const insertCredential = (writer: Writer, credential: CredentialTable): Awaitable<void> =>
  writer.run(insertCredentialStatement, { ...credential })

/** The passwords of a company that are not revoked; expired ones too, so that they can be told. */
export const passwordsOf = (reader: Reader, companyId: number): Awaitable<CredentialTable[]> =>
  reader.all(passwordsStatement, { companyId })

/** A credential by the id that its secret carries; ids are unique over all companies. */
export const credentialById = (
  reader: Reader,
  id: string,
): Awaitable<CredentialTable | undefined> => reader.first(credentialByIdStatement, { id })

export const listCredentials = (reader: Reader, companyId: number): Awaitable<CredentialTable[]> =>
  reader.all(listCredentialsStatement, { companyId })

/** What a cached credential depends on, in one indexed read: its own version, and whether its company is open. */
export const credentialVersion = (
  reader: Reader,
  id: string,
): Awaitable<{ version: number; companyDisabledAt: number | null } | undefined> =>
  reader.first(credentialVersionStatement, { id })

/** Changes what may change of a credential and raises its version, so that every cache lets go of it. */
export const updateCredential = (writer: Writer, credential: CredentialTable): Awaitable<void> =>
  writer.run(updateCredentialStatement, {
    id: credential.id,
    secretKind: credential.secretKind,
    secretHash: credential.secretHash,
    scopes: credential.scopes,
    addresses: credential.addresses,
    expiresAt: credential.expiresAt,
    revokedAt: credential.revokedAt,
  })

/** Notes a use; no cache depends on it. */
export const noteCredentialUse = (writer: Writer, id: string, at: number): Awaitable<void> =>
  writer.run(noteUseStatement, { id, at })

export const knownAddress = (
  reader: Reader,
  companyId: number,
  address: string,
): Awaitable<KnownAddressTable | undefined> =>
  reader.first(knownAddressStatement, { companyId, address })

export const noteKnownAddress = (writer: Writer, known: KnownAddressTable): Awaitable<void> =>
  writer.run(noteAddressStatement, { ...known })

export type NewUser = Pick<UserTable, 'email' | 'passwordHash' | 'isOperator'>

export const insertUser = async (writer: Writer, user: NewUser, now: number): Promise<number> => {
  const row = await writer.first(insertUserStatement, {
    ...user,
    emailKey: user.email.toLowerCase(),
    now,
  })
  if (row === undefined) throw new Error('an insert that returns nothing')
  return row.id
}

export const findUser = (reader: Reader, email: string): Awaitable<UserTable | undefined> =>
  reader.first(findUserStatement, { emailKey: email.toLowerCase() })

/** Gives a person a role in a company, or another role than before. */
export const saveMembership = (writer: Writer, membership: MembershipTable): Awaitable<void> =>
  writer.run(saveMembershipStatement, { ...membership })

export type Member = Pick<UserTable, 'id' | 'email' | 'createdAt' | 'disabledAt'> &
  Pick<MembershipTable, 'role' | 'departments'>

export const listMembers = (reader: Reader, companyId: number): Awaitable<Member[]> =>
  reader.all(listMembersStatement, { companyId })

/** Shuts a person out; the version ends every session. */
export const disableUser = (writer: Writer, id: number, at: number): Awaitable<void> =>
  writer.run(disableUserStatement, { id, at })

/** The server counts as set up when a company with a credential, or a user, exists, however made. */
export const isSetUp = async (reader: Reader): Promise<boolean> =>
  (await reader.first(anyCredentialStatement, {})) !== undefined ||
  (await reader.first(anyUserStatement, {})) !== undefined

export const readSetting = async (reader: Reader, name: string): Promise<string | undefined> =>
  (await reader.first(readSettingStatement, { name }))?.value

export const writeSetting = (writer: Writer, name: string, value: string): Awaitable<void> =>
  writer.run(writeSettingStatement, { name, value })

/** Deletes a setting as long as it has this value; of several who try at once, one is told that it did. */
export const takeSetting = async (writer: Writer, name: string, value: string): Promise<boolean> =>
  (await writer.first(takeSettingStatement, { name, value })) !== undefined

const insertCompanyStatement = statement<{ id: number }>(({ db, values, value }) =>
  db
    .insertInto('company')
    .values({
      ...values('name', 'nameKey', 'timezone', 'currency', 'settings'),
      createdAt: value('now'),
    })
    .returning('id'),
)

const insertCounterStatement = statement(({ db, value }) =>
  db
    .insertInto('counter')
    .values({ companyId: value('companyId'), stamp: 0, revenueId: 0, revenueLogId: 0 }),
)

const findCompanyStatement = statement<CompanyTable>(({ db, value }) =>
  db.selectFrom('company').selectAll().where('nameKey', '=', value('nameKey')),
)

const companyByIdStatement = statement<CompanyTable>(({ db, value }) =>
  db.selectFrom('company').selectAll().where('id', '=', value('id')),
)

const listCompaniesStatement = statement<CompanyTable>(({ db }) =>
  db.selectFrom('company').selectAll().orderBy('nameKey'),
)

const updateCompanyStatement = statement(({ db, value, values }) =>
  db
    .updateTable('company')
    .set(values('timezone', 'currency', 'settings', 'disabledAt'))
    .where('id', '=', value('id')),
)

const insertCredentialStatement = statement(({ db, values }) =>
  db
    .insertInto('credential')
    .values(
      values(
        'companyId',
        'id',
        'kind',
        'name',
        'owner',
        'secretKind',
        'secretHash',
        'scopes',
        'addresses',
        'version',
        'createdAt',
        'expiresAt',
        'lastUsedAt',
        'revokedAt',
      ),
    ),
)

const passwordsStatement = statement<CredentialTable>(({ db, value }) =>
  db
    .selectFrom('credential')
    .selectAll()
    .where('companyId', '=', value('companyId'))
    .where('kind', '=', 'password')
    .where('revokedAt', 'is', null)
    .orderBy('createdAt'),
)

const credentialByIdStatement = statement<CredentialTable>(({ db, value }) =>
  db.selectFrom('credential').selectAll().where('id', '=', value('id')),
)

const listCredentialsStatement = statement<CredentialTable>(({ db, value }) =>
  db
    .selectFrom('credential')
    .selectAll()
    .where('companyId', '=', value('companyId'))
    .orderBy('createdAt')
    .orderBy('id'),
)

const credentialVersionStatement = statement<{
  version: number
  companyDisabledAt: number | null
}>(({ db, value }) =>
  db
    .selectFrom('credential')
    .innerJoin('company', 'company.id', 'credential.companyId')
    .select(['credential.version', 'company.disabledAt as companyDisabledAt'])
    .where('credential.id', '=', value('id')),
)

const updateCredentialStatement = statement(({ db, value, values }) =>
  db
    .updateTable('credential')
    .set(values('secretKind', 'secretHash', 'scopes', 'addresses', 'expiresAt', 'revokedAt'))
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', value('id')),
)

const raiseVersionsStatement = statement(({ db, value }) =>
  db
    .updateTable('credential')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('companyId', '=', value('companyId')),
)

const noteUseStatement = statement(({ db, value }) =>
  db
    .updateTable('credential')
    .set({ lastUsedAt: value('at') })
    .where('id', '=', value('id')),
)

const knownAddressStatement = statement<KnownAddressTable>(({ db, value }) =>
  db
    .selectFrom('knownAddress')
    .selectAll()
    .where('companyId', '=', value('companyId'))
    .where('address', '=', value('address')),
)

const noteAddressStatement = statement(({ db, value, values }) =>
  db
    .insertInto('knownAddress')
    .values(values('companyId', 'address', 'succeededAt'))
    .onConflict((conflict) =>
      conflict.columns(['companyId', 'address']).doUpdateSet({ succeededAt: value('succeededAt') }),
    ),
)

const insertUserStatement = statement<{ id: number }>(({ db, value, values }) =>
  db
    .insertInto('user')
    .values({
      ...values('email', 'emailKey', 'passwordHash', 'isOperator'),
      version: 1,
      createdAt: value('now'),
    })
    .returning('id'),
)

const findUserStatement = statement<UserTable>(({ db, value }) =>
  db.selectFrom('user').selectAll().where('emailKey', '=', value('emailKey')),
)

const saveMembershipStatement = statement(({ db, values }) =>
  db
    .insertInto('membership')
    .values(values('companyId', 'userId', 'role', 'departments'))
    .onConflict((conflict) =>
      conflict.columns(['companyId', 'userId']).doUpdateSet(values('role', 'departments')),
    ),
)

const listMembersStatement = statement<Member>(({ db, value }) =>
  db
    .selectFrom('membership')
    .innerJoin('user', 'user.id', 'membership.userId')
    .select([
      'user.id',
      'user.email',
      'user.createdAt',
      'user.disabledAt',
      'membership.role',
      'membership.departments',
    ])
    .where('membership.companyId', '=', value('companyId'))
    .orderBy('user.emailKey'),
)

const disableUserStatement = statement(({ db, value }) =>
  db
    .updateTable('user')
    .set((eb) => ({ disabledAt: value('at'), version: eb('version', '+', 1) }))
    .where('id', '=', value('id')),
)

const anyCredentialStatement = statement<{ id: string }>(({ db }) =>
  db.selectFrom('credential').select('id').limit(1),
)

const anyUserStatement = statement<{ id: number }>(({ db }) =>
  db.selectFrom('user').select('id').limit(1),
)

const readSettingStatement = statement<{ value: string }>(({ db, value }) =>
  db.selectFrom('setting').select('value').where('name', '=', value('name')),
)

const writeSettingStatement = statement(({ db, value, values }) =>
  db
    .insertInto('setting')
    .values(values('name', 'value'))
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: value('value') })),
)

const takeSettingStatement = statement<{ name: string }>(({ db, value }) =>
  db
    .deleteFrom('setting')
    .where('name', '=', value('name'))
    .where('value', '=', value('value'))
    .returning('name'),
)
