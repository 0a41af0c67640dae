// First-run set-up routes: the page with its form, and the submission as form or JSON.
import type { OpenRoute, ServerState } from '../public-route.ts'
import { script, style } from './assets.ts'
import { htmlReply } from './html-reply.ts'
import { donePage, faultPage, formPage, refusedPage, scriptAddress, styleAddress } from './page.ts'
import { formType, isForm, readFields, readSetup, type Fields } from './read-setup.ts'
import type { FieldName } from './messages.ts'
import { requireSetupToken, setUp, type Secrets } from '../../auth/companies/first-run.ts'
import { Fault, sentence, type Detail } from '../../errors/catalog.ts'
import type { Reply, Request } from '../../http/request.ts'
import { isSetUp } from '../../store/accounts/settings.ts'
import { languageOf } from '../../engine/formats/negotiation/negotiate.ts'

/** `example` is the path of a read, for the example call on the last page. */
export function setupRoutes(example: string): readonly OpenRoute[] {
  return [
    {
      method: 'GET',
      path: '/setup',
      summary: 'The set-up page of a new server',
      answers: { 'text/html': text },
      isEarly: true,
      answer: (request, state) => inPage(request, () => showForm(request, state)),
    },
    {
      method: 'POST',
      path: '/setup',
      summary: 'Set a new server up: a company, its owner and a key',
      status: 201,
      takes: { 'application/json': setupSchema, [formType]: setupSchema },
      answers: { 'application/json': secretsSchema, 'text/html': text },
      isEarly: true,
      answer: (request, state) =>
        isForm(request)
          ? inPage(request, () => takeForm(request, state, example))
          : takeJson(request, state),
    },
    {
      method: 'GET',
      path: styleAddress,
      summary: 'The style of the set-up page',
      answers: { 'text/css': text },
      isEarly: true,
      answer: async () => file('text/css', style),
    },
    {
      method: 'GET',
      path: scriptAddress,
      summary: 'The script of the set-up page',
      answers: { 'text/javascript': text },
      isEarly: true,
      answer: async () => file('text/javascript', script),
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

async function showForm(request: Request, { store, gate }: ServerState): Promise<Reply> {
  gate.requireTls(request)
  if (await isSetUp(store)) throw new Fault('SetupAlreadyDone')
  return htmlReply(request, 200, formPage(languageOf(request.header('accept-language')), newForm))
}

const newForm: Fields = {
  token: '',
  company: '',
  timezone: 'Europe/Oslo',
  companyPassword: '',
  email: '',
  password: '',
  keyName: '',
  scopes: 'revenue:read revenue:write',
}

async function takeForm(request: Request, state: ServerState, example: string): Promise<Reply> {
  const fields = await admittedFields(request, state)
  const language = languageOf(request.header('accept-language'))
  const { setup, problems } = readSetup(fields)
  if (problems.length > 0) return htmlReply(request, 400, formPage(language, fields, problems))
  const secrets = await setUp(state.store, state.minting, setup)
  state.onOwned?.()
  const call = exampleCall(request.origin + example, secrets)
  return htmlReply(request, 201, donePage(language, secrets, call))
}

async function takeJson(request: Request, state: ServerState): Promise<Reply> {
  const { setup, problems } = readSetup(await admittedFields(request, state))
  if (problems.length > 0) throw refusal(problems)
  const secrets = await setUp(state.store, state.minting, setup)
  state.onOwned?.()
  return {
    status: 201,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
    body: JSON.stringify(secrets),
  }
}

/** The fields of a request with a valid set-up token; without one no validation errors are shown. */
async function admittedFields(
  request: Request,
  { store, gate, minting }: ServerState,
): Promise<Fields> {
  gate.requireTls(request)
  if (await isSetUp(store)) throw new Fault('SetupAlreadyDone')
  const fields = await readFields(request)
  await requireSetupToken(store, fields.token, minting.clock())
  return fields
}

function refusal(problems: readonly Detail[]): Fault {
  const [first] = problems
  if (first === undefined) throw new Error('an error without a problem')
  const { code, says, target } = first
  return new Fault(code, {
    says,
    ...(target === null ? {} : { target }),
    ...(problems.length === 1 ? {} : { details: problems }),
  })
}

function exampleCall(address: string, { key, scopes }: Secrets): string | null {
  return key === null || !scopes.includes('revenue:read')
    ? null
    : `curl -H 'tb-key: ${key}' \\\n  '${address}'`
}

/** Errors of a page become pages; any other exception is a bug, and handled as everywhere. */
async function inPage(request: Request, answer: () => Promise<Reply>): Promise<Reply> {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const language = languageOf(request.header('accept-language'))
    const why = refusedPages.get(error.code)
    const content =
      why === undefined
        ? faultPage(language, sentence(error.code, error.says, language))
        : refusedPage(language, why)
    const reply = htmlReply(request, error.status, content)
    return {
      ...reply,
      headers: { ...reply.headers, ...error.headers },
      about: { code: error.code, ...(error.status >= 500 ? { error: error.cause } : {}) },
    }
  }
}

const refusedPages: ReadonlyMap<string, 'done' | 'link'> = new Map([
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
