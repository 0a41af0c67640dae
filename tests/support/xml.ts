// A strict XML parser that returns plain elements, for tests of XML replies.
import { SaxesParser } from 'saxes'

export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Element[]
  /** All text directly inside. */
  text: string
}

/** The root of the document; throws on anything that is not well-formed. */
export function readXml(text: string): Element {
  const parser = new SaxesParser({ xmlns: true })
  const document: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [document]
  const innermost = () => open.at(-1) ?? document
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const values = Object.entries(attributes).map(([key, { value }]) => [key, value])
    const element: Element = { name, attributes: Object.fromEntries(values), children: [], text: '' }
    innermost().children.push(element)
    open.push(element)
  })
  parser.on('text', (part) => (innermost().text += part))
  parser.on('closetag', () => open.pop())
  parser.write(text).close()
  const [root] = document.children
  if (root === undefined) throw new Error('a document without a root')
  return root
}

/** The children by name as text, null for `xsi:nil`. */
export function members({ children }: Element): Record<string, string | null> {
  return Object.fromEntries(
    children.map(({ name, attributes, text }) => [name, attributes['xsi:nil'] === 'true' ? null : text]),
  )
}
