// Receipt of a retrieval: a self-contained HTML page with the text that its checksum covers.
import type { ExportLineDetails, RetrievalPage } from '../../../src/app/contract/export.ts'
import { encodeBase64url } from '../../api/base64url.ts'
import { createFormatter, type Formatter } from '../../api/format.ts'
import type { Language } from '../../../src/app/contract/session.ts'
import type { ReceiptTexts } from './receipt-i18n.ts'

export interface Receipt {
  readonly retrieval: RetrievalPage['retrieval']
  /** In any order. */
  readonly lines: readonly ExportLineDetails[]
  readonly company: string
  readonly currency: string
  readonly zone: string
  readonly destination: string
  /** Display name of who fetched. */
  readonly by: string
  readonly query: string
  readonly states: Readonly<Record<ExportLineDetails['state'], string>>
  /** Microseconds since 1970. */
  readonly madeAt: number
}

/** The text that the checksum covers: `1:1,2:1,`. */
export function getChecksumText(lines: readonly ExportLineDetails[]): string {
  return lines
    .toSorted((one, other) => one.id - other.id)
    .map(({ id, revision }) => `${id}:${revision},`)
    .join('')
}

/** A complete HTML file, without scripts or external resources. */
export async function renderReceipt(receipt: Receipt, t: ReceiptTexts, language: Language): Promise<string> {
  const { retrieval, company, zone, madeAt } = receipt
  const format = createFormatter(language, zone)
  const lines = receipt.lines.toSorted((one, other) => one.id - other.id)
  const title = t.title(retrieval.id)
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(`${title}, ${company}`)}</title>
<style>${stylesheet}</style>
<h1>${escapeHtml(title)}</h1>
${renderFacts(listFacts({ ...receipt, lines }, t, format))}
${renderSums(t.perDepartment, lines, ({ departmentId }) => departmentId, t, format)}
${renderSums(t.perProject, lines, ({ projectId }) => projectId, t, format)}
<h2>${escapeHtml(t.lines)}</h2>
${renderLines({ ...receipt, lines }, t, format)}
${await renderChecksum({ ...receipt, lines }, t, format)}
<p class="made">${escapeHtml(t.made)}: ${escapeHtml(format.timestamp(madeAt))}</p>
</html>
`
}

function listFacts(
  { retrieval, lines, company, currency, destination, by, query }: Receipt,
  t: ReceiptTexts,
  format: Formatter,
): (readonly [string, string])[] {
  const { at, amount, quantity, count, requestId, claimId } = retrieval
  const exported = lines.filter(({ state }) => state === 'exported').length
  return [
    [t.company, company],
    [t.destination, destination],
    [t.at, format.timestamp(at)],
    [t.by, by],
    [t.query, query],
    [t.count, format.count(count)],
    [t.sum(currency), format.amount(Number(amount) * 10_000, 2)],
    [t.quantity, format.quantity(Number(quantity) * 10_000)],
    [t.ids, lines.length === 0 ? '–' : `${lines[0]?.id} – ${lines.at(-1)?.id}`],
    [t.acknowledged, format.count(exported)],
    [t.request, requestId],
    ...(claimId === null ? [] : [[t.claim, String(claimId)] as const]),
  ]
}

function renderFacts(list: readonly (readonly [string, string])[]): string {
  return `<dl>${list
    .map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`)
    .join('')}</dl>`
}

function renderSums(
  title: string,
  lines: readonly ExportLineDetails[],
  codeOf: (line: ExportLineDetails) => string | null,
  t: ReceiptTexts,
  format: Formatter,
): string {
  const groups = [...Map.groupBy(lines, (line) => codeOf(line) ?? '')].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  )
  const rows = groups.map(([code, members]) => [
    code === '' ? t.without : code,
    format.count(members.length),
    format.amount(
      members.reduce((sum, { amount }) => sum + (amount ?? 0), 0),
      2,
    ),
  ])
  return `<h2>${escapeHtml(title)}</h2>${renderTable([t.code, t.count, t.columns.amount], rows, 1)}`
}

function renderLines({ lines, states }: Receipt, t: ReceiptTexts, format: Formatter): string {
  const columns: readonly (readonly [title: string, cellOf: (line: ExportLineDetails) => string])[] = [
    [t.columns.id, ({ id }) => String(id)],
    [t.columns.quantity, ({ quantity, unit }) => `${format.quantity(quantity)} ${unit ?? ''}`],
    [t.columns.amount, ({ amount }) => format.amount(amount, 2)],
    [t.columns.exportKey, ({ exportKey }) => exportKey],
    [t.columns.date, ({ date }) => format.day(date, 'full')],
    [t.columns.department, ({ departmentId }) => departmentId ?? ''],
    [t.columns.project, ({ projectId }) => projectId ?? ''],
    [t.columns.item, ({ itemName, itemId }) => itemName ?? itemId ?? ''],
    [t.columns.state, ({ state }) => states[state]],
    [t.columns.receiverId, ({ externalId }) => externalId ?? ''],
    [t.columns.acknowledgedAt, ({ acknowledgedAt: at }) => (at === null ? '' : format.timestamp(at))],
  ]
  const titles = columns.map(([title]) => title)
  const rows = lines.map((line) => columns.map(([, cellOf]) => cellOf(line)))
  return renderTable(titles, rows, 0, 3)
}

/** Cells from index `from` up to `to` are numbers. */
function renderTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  from: number,
  to = titles.length,
): string {
  const row = (tag: 'th' | 'td', cells: readonly string[]) =>
    `<tr>${cells
      .map((cell, at) => {
        const long = cell.length > 24 ? ' class="long"' : ''
        const look = at >= from && at < to ? ' class="number"' : long
        return `<${tag}${look}>${escapeHtml(cell)}</${tag}>`
      })
      .join('')}</tr>`
  const body = rows.map((cells) => row('td', cells)).join('\n')
  return `<table><thead>${row('th', titles)}</thead><tbody>\n${body}\n</tbody></table>`
}

async function renderChecksum({ retrieval, lines }: Receipt, t: ReceiptTexts, format: Formatter): Promise<string> {
  const title = `<h2>${escapeHtml(t.check)}</h2>`
  const hash = renderFacts([[t.hash, retrieval.hash]])
  if (lines.length !== retrieval.count) {
    const [shown, all] = [lines.length, retrieval.count].map((count) => format.count(count))
    return `${title}<p>${escapeHtml(t.incomplete(shown ?? '', all ?? ''))}</p>${hash}`
  }
  const content = getChecksumText(lines)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(content)))
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const isSame = encodeBase64url(digest) === retrieval.hash
  return `${title}
<p>${escapeHtml(t.checkText)}</p>
<pre>${escapeHtml(getChecksumCommand(retrieval.id))}</pre>
${renderFacts([
  [t.hash, retrieval.hash],
  [t.hex, hex],
])}
<p><strong>${escapeHtml(isSame ? t.matches : t.differs)}</strong></p>
<p id="content">${content}</p>`
}

export function getReceiptFileName(id: number): string {
  return `kvittering-${id}.html`
}

function getChecksumCommand(id: number): string {
  return `sed -n 's/^<p id="content">\\(.*\\)<\\/p>$/\\1/p' ${getReceiptFileName(id)} | tr -d '\\n' | sha256sum`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

const stylesheet = `
@page { size: A4 landscape; margin: 12mm }
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; font: 14px/1.45 system-ui, sans-serif; color: #17242b }
h1 { font-size: 1.5rem } h2 { margin: 1.6rem 0 .4rem; font-size: 1.05rem; break-after: avoid }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); gap: .5rem 1.5rem; margin: 0 }
dt { color: #56606a; font-size: .85em } dd { margin: 0; overflow-wrap: anywhere }
table { width: 100%; border-collapse: collapse; font-size: .9em; font-variant-numeric: tabular-nums }
thead { display: table-header-group } tr { break-inside: avoid }
th, td { padding: .25rem .5rem; border-bottom: 1px solid #ccd3d7; text-align: left; vertical-align: top; white-space: nowrap }
.long { white-space: normal; overflow-wrap: anywhere }
.number { text-align: right }
pre { padding: .6rem; border: 1px solid #ccd3d7; white-space: pre-wrap }
#content { font: 11px/1.4 ui-monospace, monospace; overflow-wrap: anywhere }
.made { margin-top: 2rem; color: #56606a }
@media print { body { max-width: none; margin: 0; padding: 0; font-size: 10pt } }
`
