// Receipt of a retrieval: a self-contained HTML page with the text that its checksum covers.
import type { HandOutStory, StoryLine } from './details-api.ts'
import { amountText, countText, dayText, momentText, quantityText } from '../../api/format.ts'
import type { Language } from '../../i18n/language.ts'
import type { ReceiptTexts } from './receipt-i18n.ts'

export interface Receipt {
  readonly handOut: HandOutStory['handOut']
  /** In any order. */
  readonly lines: readonly StoryLine[]
  readonly company: string
  readonly currency: string
  readonly zone: string
  readonly destination: string
  /** Display name of who fetched. */
  readonly by: string
  /** The query, as text. */
  readonly asked: string
  readonly states: Readonly<Record<StoryLine['state'], string>>
  /** Microseconds since 1970. */
  readonly madeAt: number
}

/** The text that the checksum covers: `1:1,2:1,`. */
export function contentOf(lines: readonly StoryLine[]): string {
  return lines
    .toSorted((one, other) => one.id - other.id)
    .map(({ id, revision }) => `${id}:${revision},`)
    .join('')
}

/** A complete HTML file, without scripts or external resources. */
export async function receiptOf(
  receipt: Receipt,
  say: ReceiptTexts,
  language: Language,
): Promise<string> {
  const { handOut, company, zone, madeAt } = receipt
  const lines = receipt.lines.toSorted((one, other) => one.id - other.id)
  const title = say.title(handOut.id)
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(`${title}, ${company}`)}</title>
<style>${look}</style>
<h1>${escaped(title)}</h1>
${facts(factsOf({ ...receipt, lines }, say, language))}
${sums(say.perDepartment, lines, ({ departmentId }) => departmentId, say, language)}
${sums(say.perProject, lines, ({ projectId }) => projectId, say, language)}
<h2>${escaped(say.lines)}</h2>
${linesTable({ ...receipt, lines }, say, language)}
${await check({ ...receipt, lines }, say, language)}
<p class="made">${escaped(say.made)}: ${escaped(momentText(madeAt, language, zone))}</p>
</html>
`
}

function factsOf(
  { handOut, lines, company, currency, zone, destination, by, asked }: Receipt,
  say: ReceiptTexts,
  language: Language,
): (readonly [string, string])[] {
  const { at, amount, quantity, count, requestId, batchId } = handOut
  const marked = lines.filter(({ state }) => state === 'exported').length
  return [
    [say.company, company],
    [say.destination, destination],
    [say.at, momentText(at, language, zone)],
    [say.by, by],
    [say.asked, asked],
    [say.count, countText(count, language)],
    [say.sum(currency), amountText(Number(amount) * 10_000, language, 2)],
    [say.quantity, quantityText(Number(quantity) * 10_000, language)],
    [say.ids, lines.length === 0 ? '–' : `${lines[0]?.id} – ${lines.at(-1)?.id}`],
    [say.marked, countText(marked, language)],
    [say.request, requestId],
    ...(batchId === null ? [] : [[say.claim, String(batchId)] as const]),
  ]
}

function facts(list: readonly (readonly [string, string])[]): string {
  return `<dl>${list
    .map(([name, value]) => `<div><dt>${escaped(name)}</dt><dd>${escaped(value)}</dd></div>`)
    .join('')}</dl>`
}

function sums(
  title: string,
  lines: readonly StoryLine[],
  codeOf: (line: StoryLine) => string | null,
  say: ReceiptTexts,
  language: Language,
): string {
  const groups = [...Map.groupBy(lines, (line) => codeOf(line) ?? '')].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  )
  const rows = groups.map(([code, members]) => [
    code === '' ? say.without : code,
    countText(members.length, language),
    amountText(sumOf(members), language, 2),
  ])
  return `<h2>${escaped(title)}</h2>${table([say.code, say.count, say.columns.amount], rows, 1)}`
}

function sumOf(lines: readonly StoryLine[]): number {
  return lines.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
}

function linesTable(
  { lines, states, zone }: Receipt,
  say: ReceiptTexts,
  language: Language,
): string {
  const { columns } = say
  const titles = [
    columns.id,
    columns.quantity,
    columns.amount,
    columns.key,
    columns.date,
    columns.department,
    columns.project,
    columns.item,
    columns.state,
    columns.externalId,
    columns.markedAt,
  ]
  const rows = lines.map((line) => [
    String(line.id),
    `${quantityText(line.quantity, language)} ${line.unit ?? ''}`,
    line.amount === null ? '–' : amountText(line.amount, language, 2),
    line.exportKey,
    dayText(line.date, language, 'full'),
    line.departmentId ?? '',
    line.projectId ?? '',
    line.itemName ?? line.itemId ?? '',
    states[line.state],
    line.externalId ?? '',
    line.markedAt === null ? '' : momentText(line.markedAt, language, zone),
  ])
  return table(titles, rows, 0, 3)
}

/** Cells from index `from` up to `to` are numbers. */
function table(
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
        return `<${tag}${look}>${escaped(cell)}</${tag}>`
      })
      .join('')}</tr>`
  const body = rows.map((cells) => row('td', cells)).join('\n')
  return `<table><thead>${row('th', titles)}</thead><tbody>\n${body}\n</tbody></table>`
}

async function check(
  { handOut, lines }: Receipt,
  say: ReceiptTexts,
  language: Language,
): Promise<string> {
  const title = `<h2>${escaped(say.check)}</h2>`
  const hash = facts([[say.hash, handOut.hash]])
  if (lines.length !== handOut.count) {
    const [shown, all] = [lines.length, handOut.count].map((count) => countText(count, language))
    return `${title}<p>${escaped(say.incomplete(shown ?? '', all ?? ''))}</p>${hash}`
  }
  const content = contentOf(lines)
  const digest = new Uint8Array(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(content)),
  )
  const isSame = base64url(digest) === handOut.hash
  return `${title}
<p>${escaped(say.checkText)}</p>
<pre>${escaped(command(handOut.id))}</pre>
${facts([
  [say.hash, handOut.hash],
  [say.hex, hex(digest)],
])}
<p><strong>${escaped(isSame ? say.matches : say.differs)}</strong></p>
<p id="content">${content}</p>`
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Suggested file name. */
export function receiptName(id: number): string {
  return `kvittering-${id}.html`
}

function command(id: number): string {
  return `sed -n 's/^<p id="content">\\(.*\\)<\\/p>$/\\1/p' ${receiptName(id)} | tr -d '\\n' | sha256sum`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

const look = `
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
