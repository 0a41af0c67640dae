// Set-up route: creates the first company, its owner and a key on a new server.
import { jsonReply } from '../operation.ts'
import type { PublicRoute, ServerState } from '../public-route.ts'
import { parseSetup, readSetupFields, setupFields } from './read-setup.ts'
import { requireSetupToken, runFirstRunSetup } from '../../auth/companies/first-run.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Reply, Request } from '../../http/request.ts'
import { isSetUp } from '../../store/accounts/settings.ts'

const text = { type: 'string' } as const

const setupSchema = { type: 'object', required: ['token', 'company', 'email', 'password'], properties: setupFields }

const secretsSchema = {
  type: 'object',
  required: ['company', 'companyPassword', 'email', 'key', 'scopes'],
  properties: {
    company: text,
    companyPassword: { type: ['string', 'null'], description: 'Null when it was part of the request' },
    email: text,
    key: { type: ['string', 'null'] },
    scopes: { type: 'array', items: text },
  },
}

export const setupRoute: PublicRoute = {
  method: 'POST',
  path: '/setup',
  summary: 'Set a new server up: a company, its owner and a key',
  status: 201,
  requestSchemas: { 'application/json': setupSchema },
  responseSchemas: { 'application/json': secretsSchema },
  isServedBeforeSetup: true,
  handle: setUp,
}

/** Validation errors are only shown to callers with a valid token. */
async function setUp(request: Request, { store, authenticator, cryptoContext, onSetUp }: ServerState): Promise<Reply> {
  authenticator.requireTls(request)
  if (await isSetUp(store)) throw new ApiError('SetupAlreadyDone')
  const fields = await readSetupFields(request)
  await requireSetupToken(store, fields.get('token')?.trim() ?? '', cryptoContext.clock())
  const secrets = await runFirstRunSetup(store, cryptoContext, parseSetup(fields))
  onSetUp?.()
  return jsonReply(secrets, 201)
}
