// The set-up page as HTML: the form, the one-time result, and the error pages.
import { scopes } from '../../auth/scopes.ts'
import type { FirstRunSecrets } from '../../auth/companies/first-run.ts'
import type { SetupFields } from './read-setup.ts'
import { setupMessages, type FieldName, type SetupMessages } from './messages.ts'
import type { ErrorDetail } from '../../errors/api-error.ts'
import { errorMessage } from '../../errors/catalog.ts'
import { html, type Html } from '../../lib/html.ts'
import { formatMessage, type Language } from '../../errors/messages.ts'

/** Paths of the page's style sheet and script. */
export const stylePath = '/setup.css'
export const scriptPath = '/setup.js'

/** `fields` are the values sent; passwords are not repeated. */
export function formPage(
  language: Language,
  fields: SetupFields,
  problems: readonly ErrorDetail[] = [],
): string {
  const messages = setupMessages[language]
  const problemsByField = new Map(
    problems.map((problem) => [problem.target, describeProblem(problem, language)]),
  )
  const row = (name: FieldName, attributes: Html) =>
    inputRow(messages, name, fields[name], attributes, problemsByField.get(name))
  const title = messages.title
  return renderPage(
    language,
    title,
    html`<h1>${title}</h1>
      <p class="lead">${messages.lead}</p>
      ${problemsByField.size > 0 && renderSummary(messages, problemsByField)}
      <form method="post" action="/setup">
        ${tokenRow(messages, fields.token)}
        <fieldset>
          <legend>${messages.parts.company}</legend>
          ${row('company', html`required maxlength="100" autocomplete="organization"`)}
          ${zoneRow(messages, fields.timezone, problemsByField.get('timezone'))}
          ${row('companyPassword', html`type="password" autocomplete="new-password"`)}
        </fieldset>
        <fieldset>
          <legend>${messages.parts.owner}</legend>
          ${row('email', html`type="email" required autocomplete="username"`)}
          ${row('password', html`type="password" required autocomplete="new-password"`)}
        </fieldset>
        <fieldset>
          <legend>${messages.parts.key}</legend>
          <p class="hint">${messages.hints.key ?? ''}</p>
          ${row('keyName', html`maxlength="100" autocomplete="off"`)}
          ${scopeBoxes(messages, fields.scopes, problemsByField.get('scopes'))}
        </fieldset>
        <button>${messages.submit}</button>
      </form>
      <script src="${scriptPath}"></script>`,
  )
}

/** `example` is a call that the new key can make. */
export function donePage(
  language: Language,
  secrets: FirstRunSecrets,
  example: string | null,
): string {
  const { done } = setupMessages[language]
  const { company, companyPassword, email, key } = secrets
  return renderPage(
    language,
    done.title,
    html`<h1>${done.title}</h1>
      <p class="lead" role="status">${done.lead}</p>
      <dl>
        <dt>${done.company}</dt>
        <dd>${company}</dd>
        <dt>${done.password}</dt>
        <dd>${companyPassword === null ? done.chosen : renderSecret(companyPassword)}</dd>
        ${
          key !== null &&
          html`<dt>${done.key}</dt>
            <dd>${renderSecret(key)}</dd>`
        }
        <dt>${done.owner}</dt>
        <dd>${email}</dd>
      </dl>
      ${
        example !== null &&
        html`<h2>${done.next}</h2>
          <pre tabindex="0">${example}</pre>`
      }
      <p><a href="/">${done.signIn}</a></p>
      <p>${done.more} <a href="/openapi.json">/openapi.json</a>.</p>`,
  )
}

export function errorPage(language: Language, reason: keyof SetupMessages['refused']): string {
  const { title, help } = setupMessages[language].refused[reason]
  return renderPage(
    language,
    title,
    html`<h1>${title}</h1>
      <p class="lead">${help}</p>`,
  )
}

/** A page for any other error, with its message. */
export function errorMessagePage(language: Language, message: string): string {
  return renderPage(
    language,
    setupMessages[language].title,
    html`<h1>${setupMessages[language].title}</h1>
      <p role="alert">${message}</p>`,
  )
}

function renderPage(language: Language, title: string, content: Html): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="${stylePath}" />
      </head>
      <body>
        <main>${content}</main>
      </body>
    </html> `.text
}

/** One click selects all of it. */
function renderSecret(text: string): Html {
  return html`<code class="secret" tabindex="0">${text}</code>`
}

/** Names a field by its label. */
function describeProblem({ code, params, target }: ErrorDetail, language: Language): string {
  const labels: Readonly<Record<string, string>> = setupMessages[language].labels
  const field = labels[target ?? ''] ?? target ?? ''
  const { problem } = params
  return typeof problem === 'object'
    ? `${field}: ${formatMessage(problem, language)}.`
    : errorMessage(code, { ...params, field }, language)
}

function renderSummary(
  messages: SetupMessages,
  problemsByField: ReadonlyMap<string | null, string>,
): Html {
  return html`<div class="problems" role="alert">
    <p>${messages.problems}</p>
    <ul>
      ${[...problemsByField].map(([name, text]) => html`<li><a href="#${name ?? ''}">${text}</a></li>`)}
    </ul>
  </div>`
}

/** A token sent with the form is valid, so it is repeated in a hidden field. */
function tokenRow(messages: SetupMessages, token: string): Html {
  return token === ''
    ? html`<div class="card" id="token-row">
        ${inputRow(messages, 'token', '', html`required autocomplete="off" spellcheck="false"`, undefined)}
      </div>`
    : html`<input type="hidden" name="token" value="${token}" />`
}

function inputRow(
  messages: SetupMessages,
  name: FieldName,
  value: string,
  attributes: Html,
  problem: string | undefined,
): Html {
  const isSecret = name === 'password' || name === 'companyPassword'
  return html`<div class="row">
    <label for="${name}">${messages.labels[name]}</label>
    ${hintOf(messages, name, problem)}
    <input
      id="${name}"
      name="${name}"
      value="${isSecret ? '' : value}"
      ${attributes}
      ${describedBy(messages, name, problem)}
    />
  </div>`
}

function zoneRow(messages: SetupMessages, chosen: string, problem: string | undefined): Html {
  const known = Intl.supportedValuesOf('timeZone')
  const zones = known.includes(chosen) ? known : [chosen, ...known]
  return html`<div class="row">
    <label for="timezone">${messages.labels.timezone}</label>
    ${hintOf(messages, 'timezone', problem)}
    <select id="timezone" name="timezone" ${describedBy(messages, 'timezone', problem)}>
      ${zones.map((zone) => html`<option${zone === chosen && html` selected`}>${zone}</option>`)}
    </select>
  </div>`
}

function scopeBoxes(messages: SetupMessages, chosen: string, problem: string | undefined): Html {
  const ticked = new Set(chosen.split(' '))
  return html`<div
    class="row"
    role="group"
    id="scopes"
    aria-labelledby="scopes-label"
    ${describedBy(messages, 'scopes', problem)}
  >
    <span class="label" id="scopes-label">${messages.labels.scopes}</span>
    ${hintOf(messages, 'scopes', problem)}
    <div class="boxes">
      ${scopes.map(
        (scope) =>
          html`<label class="box">
            <input
              type="checkbox"
              name="scopes"
              value="${scope}"
              ${ticked.has(scope) && html` checked`}
            />
            <span>${messages.scopes[scope]} <code>${scope}</code></span>
          </label>`,
      )}
    </div>
  </div>`
}

function hintOf(messages: SetupMessages, name: FieldName, problem: string | undefined): Html {
  const hint = messages.hints[name]
  return html`${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
  ${problem !== undefined && html`<p class="problem" id="${name}-problem">${problem}</p>`}`
}

function describedBy(messages: SetupMessages, name: FieldName, problem: string | undefined): Html {
  const ids = [
    ...(messages.hints[name] === undefined ? [] : [`${name}-hint`]),
    ...(problem === undefined ? [] : [`${name}-problem`]),
  ]
  return html`${ids.length > 0 && html`aria-describedby="${ids.join(' ')}"`}
  ${problem !== undefined && html`aria-invalid="true"`}`
}
