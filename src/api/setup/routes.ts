// First-run set-up routes: the page with its form, and the submission as form or JSON.
import type { PublicRoute, ServerState } from '../public-route.ts'
import { script, style } from './assets.ts'
import { htmlReply } from './html-reply.ts'
import { donePage, errorMessagePage, formPage, errorPage, scriptPath, stylePath } from './page.ts'
import { formType, isForm, readFields, readSetup, type SetupFields } from './read-setup.ts'
import type { FieldName } from './messages.ts'
import {
  requireSetupToken,
  runFirstRunSetup,
  type FirstRunSecrets,
} from '../../auth/companies/first-run.ts'
import { ApiError, type ErrorDetail } from '../../errors/api-error.ts'
import { errorMessage } from '../../errors/catalog.ts'
import type { Reply, Request } from '../../http/request.ts'
import { isSetUp } from '../../store/accounts/settings.ts'
import { negotiateLanguage } from '../../engine/formats/negotiation/negotiate.ts'

/** `example` is the path of a read, for the example call on the last page. */
export function setupRoutes(example: string): readonly PublicRoute[] {
  return [
    {
      method: 'GET',
      path: '/setup',
      summary: 'The set-up page of a new server',
      responseSchemas: { 'text/html': text },
      isServedBeforeSetup: true,
      handle: (request, state) => withErrorPages(request, () => showForm(request, state)),
    },
    {
      method: 'POST',
      path: '/setup',
      summary: 'Set a new server up: a company, its owner and a key',
      status: 201,
      requestSchemas: { 'application/json': setupSchema, [formType]: setupSchema },
      responseSchemas: { 'application/json': secretsSchema, 'text/html': text },
      isServedBeforeSetup: true,
      handle: (request, state) =>
        isForm(request)
          ? withErrorPages(request, () => submitForm(request, state, example))
          : submitJson(request, state),
    },
    {
      method: 'GET',
      path: stylePath,
      summary: 'The style of the set-up page',
      responseSchemas: { 'text/css': text },
      isServedBeforeSetup: true,
      handle: async () => file('text/css', style),
    },
    {
      method: 'GET',
      path: scriptPath,
      summary: 'The script of the set-up page',
      responseSchemas: { 'text/javascript': text },
      isServedBeforeSetup: true,
      handle: async () => file('text/javascript', script),
    },
  ]
}

const text = { type: 'string' } as const

const properties: Readonly<Record<FieldName, object>> = {
  token: { type: 'string', description: 'The part after # in the set-up link' },
  company: { type: 'string', maxLength: 100 },
  timezone: { type: 'string', default: 'Europe/Oslo' },
  companyPassword: { type: 'string', description: 'Generated if missing' },
  email: { type: 'string', format: 'email' },
  password: { type: 'string', minLength: 15 },
  keyName: { type: 'string', maxLength: 100 },
  scopes: {
    type: 'string',
    description: 'For example revenue:*,directory:read; no key is made without scopes',
  },
}

const setupSchema = {
  type: 'object',
  required: ['token', 'company', 'email', 'password'],
  properties,
}

const secretsSchema = {
  type: 'object',
  required: ['company', 'companyPassword', 'email', 'key', 'scopes'],
  properties: {
    company: text,
    companyPassword: {
      type: ['string', 'null'],
      description: 'Null when it was part of the request',
    },
    email: text,
    key: { type: ['string', 'null'] },
    scopes: { type: 'array', items: text },
  },
}

async function showForm(request: Request, { store, authenticator }: ServerState): Promise<Reply> {
  authenticator.requireTls(request)
  if (await isSetUp(store)) throw new ApiError('SetupAlreadyDone')
  return htmlReply(
    request,
    200,
    formPage(negotiateLanguage(request.header('accept-language')), newForm),
  )
}

const newForm: SetupFields = {
  token: '',
  company: '',
  timezone: 'Europe/Oslo',
  companyPassword: '',
  email: '',
  password: '',
  keyName: '',
  scopes: 'revenue:read revenue:write',
}

async function submitForm(request: Request, state: ServerState, example: string): Promise<Reply> {
  const fields = await requireSetupFields(request, state)
  const language = negotiateLanguage(request.header('accept-language'))
  const { setup, problems } = readSetup(fields)
  if (problems.length > 0) return htmlReply(request, 400, formPage(language, fields, problems))
  const secrets = await runFirstRunSetup(state.store, state.cryptoContext, setup)
  state.onOwned?.()
  const call = exampleCall(request.origin + example, secrets)
  return htmlReply(request, 201, donePage(language, secrets, call))
}

async function submitJson(request: Request, state: ServerState): Promise<Reply> {
  const { setup, problems } = readSetup(await requireSetupFields(request, state))
  if (problems.length > 0) throw toError(problems)
  const secrets = await runFirstRunSetup(state.store, state.cryptoContext, setup)
  state.onOwned?.()
  return {
    status: 201,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
    body: JSON.stringify(secrets),
  }
}

/** The fields of a request with a valid set-up token; without one no validation errors are shown. */
async function requireSetupFields(
  request: Request,
  { store, authenticator, cryptoContext }: ServerState,
): Promise<SetupFields> {
  authenticator.requireTls(request)
  if (await isSetUp(store)) throw new ApiError('SetupAlreadyDone')
  const fields = await readFields(request)
  await requireSetupToken(store, fields.token, cryptoContext.clock())
  return fields
}

function toError(problems: readonly ErrorDetail[]): ApiError {
  const [first] = problems
  if (first === undefined) throw new Error('an error without a problem')
  const { code, params, target } = first
  return new ApiError(code, {
    params,
    ...(target === null ? {} : { target }),
    ...(problems.length === 1 ? {} : { details: problems }),
  })
}

function exampleCall(address: string, { key, scopes }: FirstRunSecrets): string | null {
  return key === null || !scopes.includes('revenue:read')
    ? null
    : `curl -H 'tb-key: ${key}' \\\n  '${address}'`
}

/** Errors of a page become pages; any other exception is a bug, and handled as everywhere. */
async function withErrorPages(request: Request, handle: () => Promise<Reply>): Promise<Reply> {
  try {
    return await handle()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const language = negotiateLanguage(request.header('accept-language'))
    const reason = errorPages.get(error.code)
    const content =
      reason === undefined
        ? errorMessagePage(language, errorMessage(error.code, error.params, language))
        : errorPage(language, reason)
    const reply = htmlReply(request, error.status, content)
    return {
      ...reply,
      headers: { ...reply.headers, ...error.headers },
      logContext: { code: error.code, ...(error.status >= 500 ? { error: error.cause } : {}) },
    }
  }
}

const errorPages: ReadonlyMap<string, 'done' | 'link'> = new Map([
  ['SetupAlreadyDone', 'done'],
  ['InvalidSetupLink', 'link'],
])

function file(mediaType: string, body: string): Reply {
  return {
    status: 200,
    headers: { 'Content-Type': `${mediaType}; charset=utf-8`, 'Cache-Control': 'no-store' },
    body,
  }
}
