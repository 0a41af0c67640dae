// The set-up page as HTML: the form, the one-time result, and the error pages.
import { scopes } from '../../auth/scopes.ts'
import type { Secrets } from '../../auth/companies/first-run.ts'
import type { Fields } from './read-setup.ts'
import { words, type FieldName, type Words } from './messages.ts'
import { sentence, type Detail } from '../../errors/catalog.ts'
import { html, type Html } from '../../lib/html.ts'
import { inWords, type Language } from '../../errors/messages.ts'

/** Paths of the page's style sheet and script. */
export const styleAddress = '/setup.css'
export const scriptAddress = '/setup.js'

/** `fields` are the values sent; passwords are not repeated. */
export function formPage(
  language: Language,
  fields: Fields,
  problems: readonly Detail[] = [],
): string {
  const say = words[language]
  const told = new Map(problems.map((problem) => [problem.target, inSentence(problem, language)]))
  const row = (name: FieldName, attributes: Html) =>
    inputRow(say, name, fields[name], attributes, told.get(name))
  const title = say.title
  return page(
    language,
    title,
    html`<h1>${title}</h1>
      <p class="lead">${say.lead}</p>
      ${told.size > 0 && summary(say, told)}
      <form method="post" action="/setup">
        ${tokenRow(say, fields.token)}
        <fieldset>
          <legend>${say.parts.company}</legend>
          ${row('company', html`required maxlength="100" autocomplete="organization"`)}
          ${zoneRow(say, fields.timezone, told.get('timezone'))}
          ${row('companyPassword', html`type="password" autocomplete="new-password"`)}
        </fieldset>
        <fieldset>
          <legend>${say.parts.owner}</legend>
          ${row('email', html`type="email" required autocomplete="username"`)}
          ${row('password', html`type="password" required autocomplete="new-password"`)}
        </fieldset>
        <fieldset>
          <legend>${say.parts.key}</legend>
          <p class="hint">${say.hints.key ?? ''}</p>
          ${row('keyName', html`maxlength="100" autocomplete="off"`)}
          ${scopeBoxes(say, fields.scopes, told.get('scopes'))}
        </fieldset>
        <button>${say.submit}</button>
      </form>
      <script src="${scriptAddress}"></script>`,
  )
}

/** `example` is a call that the new key can make. */
export function donePage(language: Language, secrets: Secrets, example: string | null): string {
  const { done } = words[language]
  const { company, companyPassword, email, key } = secrets
  return page(
    language,
    done.title,
    html`<h1>${done.title}</h1>
      <p class="lead" role="status">${done.lead}</p>
      <dl>
        <dt>${done.company}</dt>
        <dd>${company}</dd>
        <dt>${done.password}</dt>
        <dd>${companyPassword === null ? done.chosen : secret(companyPassword)}</dd>
        ${
          key !== null &&
          html`<dt>${done.key}</dt>
            <dd>${secret(key)}</dd>`
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

export function refusedPage(language: Language, why: keyof Words['refused']): string {
  const { title, help } = words[language].refused[why]
  return page(
    language,
    title,
    html`<h1>${title}</h1>
      <p class="lead">${help}</p>`,
  )
}

/** A page for any other error, with its message. */
export function faultPage(language: Language, message: string): string {
  return page(
    language,
    words[language].title,
    html`<h1>${words[language].title}</h1>
      <p role="alert">${message}</p>`,
  )
}

function page(language: Language, title: string, content: Html): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="${styleAddress}" />
      </head>
      <body>
        <main>${content}</main>
      </body>
    </html> `.text
}

/** One click selects all of it. */
function secret(text: string): Html {
  return html`<code class="secret" tabindex="0">${text}</code>`
}

/** Names a field by its label. */
function inSentence({ code, says, target }: Detail, language: Language): string {
  const labels: Readonly<Record<string, string>> = words[language].labels
  const field = labels[target ?? ''] ?? target ?? ''
  const { problem } = says
  return typeof problem === 'object'
    ? `${field}: ${inWords(problem, language)}.`
    : sentence(code, { ...says, field }, language)
}

function summary(say: Words, told: ReadonlyMap<string | null, string>): Html {
  return html`<div class="problems" role="alert">
    <p>${say.problems}</p>
    <ul>
      ${[...told].map(([name, text]) => html`<li><a href="#${name ?? ''}">${text}</a></li>`)}
    </ul>
  </div>`
}

/** A token sent with the form is valid, so it is repeated in a hidden field. */
function tokenRow(say: Words, token: string): Html {
  return token === ''
    ? html`<div class="card" id="token-row">
        ${inputRow(say, 'token', '', html`required autocomplete="off" spellcheck="false"`, undefined)}
      </div>`
    : html`<input type="hidden" name="token" value="${token}" />`
}

function inputRow(
  say: Words,
  name: FieldName,
  value: string,
  attributes: Html,
  problem: string | undefined,
): Html {
  const isSecret = name === 'password' || name === 'companyPassword'
  return html`<div class="row">
    <label for="${name}">${say.labels[name]}</label>
    ${hintOf(say, name, problem)}
    <input
      id="${name}"
      name="${name}"
      value="${isSecret ? '' : value}"
      ${attributes}
      ${describedBy(say, name, problem)}
    />
  </div>`
}

function zoneRow(say: Words, chosen: string, problem: string | undefined): Html {
  const known = Intl.supportedValuesOf('timeZone')
  const zones = known.includes(chosen) ? known : [chosen, ...known]
  return html`<div class="row">
    <label for="timezone">${say.labels.timezone}</label>
    ${hintOf(say, 'timezone', problem)}
    <select id="timezone" name="timezone" ${describedBy(say, 'timezone', problem)}>
      ${zones.map((zone) => html`<option${zone === chosen && html` selected`}>${zone}</option>`)}
    </select>
  </div>`
}

function scopeBoxes(say: Words, chosen: string, problem: string | undefined): Html {
  const ticked = new Set(chosen.split(' '))
  return html`<div
    class="row"
    role="group"
    id="scopes"
    aria-labelledby="scopes-label"
    ${describedBy(say, 'scopes', problem)}
  >
    <span class="label" id="scopes-label">${say.labels.scopes}</span>
    ${hintOf(say, 'scopes', problem)}
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
            <span>${say.scopes[scope]} <code>${scope}</code></span>
          </label>`,
      )}
    </div>
  </div>`
}

function hintOf(say: Words, name: FieldName, problem: string | undefined): Html {
  const hint = say.hints[name]
  return html`${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
  ${problem !== undefined && html`<p class="problem" id="${name}-problem">${problem}</p>`}`
}

function describedBy(say: Words, name: FieldName, problem: string | undefined): Html {
  const ids = [
    ...(say.hints[name] === undefined ? [] : [`${name}-hint`]),
    ...(problem === undefined ? [] : [`${name}-problem`]),
  ]
  return html`${ids.length > 0 && html`aria-describedby="${ids.join(' ')}"`}
  ${problem !== undefined && html`aria-invalid="true"`}`
}
