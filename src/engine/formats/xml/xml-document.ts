// XML document: its root, their children and their members become rows.
import type { SaxesTagPlain } from 'saxes'
import { ApiError } from '../../../errors/api-error.ts'
import { message, type LocalizedMessage, type MessageCode, type MessageParams } from '../../../errors/messages.ts'
import { NestedValue, NumberText, shapeNames, type RowSink, type BodyShape } from '../read/row-sink.ts'

export const xmlDepthMax = 8

/** Of an element. The parser processes all of them at once, when the tag ends. */
export const xmlAttributesMax = 100

/** Tracks the elements of a document: the root, its children and their members. */
export class XmlDocument {
  readonly #shape: BodyShape
  readonly #rows: RowSink
  /** Null until the first child of the root decides it. */
  #isList: boolean | null
  #depth = 0
  /** Of the tag that is being read. */
  #attributes = 0
  /** State of the last opened element: without children, `xsi:nil`, declared as a number, its text so far. */
  #isPlain = true
  #isNil = false
  #isNumber = false
  #text = ''
  #isRowOpen = false
  #plainChildren = 0
  #nestedChildren = 0

  constructor(shape: BodyShape, rows: RowSink) {
    this.#shape = shape
    this.#rows = rows
    this.#isList = shape === 'either' ? null : shape === 'many'
  }

  /** How many children of the root have ended. */
  get children(): number {
    return this.#plainChildren + this.#nestedChildren
  }

  /** Whether an element of the list is open. */
  get isInElement(): boolean {
    return this.#depth > 1
  }

  /** Known at the end of the document. */
  get isList(): boolean {
    return this.#isList === true
  }

  attribute(): void {
    this.#attributes += 1
    if (this.#attributes > xmlAttributesMax)
      rejectXml(message('moreAttributes', { max: xmlAttributesMax }), { limitName: 'xmlAttributesMax' })
  }

  open(tag: SaxesTagPlain): void {
    this.#attributes = 0
    if (this.#depth === xmlDepthMax)
      rejectXml(message('moreLevels', { max: xmlDepthMax }), { limitName: 'xmlDepthMax' })
    this.#depth += 1
    this.#isPlain = true
    this.#isNil = ['true', '1'].includes(attributeOf(tag, 'nil'))
    // .NET declares the type of a value if its member may have several.
    this.#isNumber = numberTypes.has(localName(attributeOf(tag, 'type')))
    this.#text = ''
  }

  text(text: string): void {
    this.#text += text
  }

  close(name: string): void {
    if (this.#depth === 3) this.#closeGrandchild(name)
    else if (this.#depth === 2) this.#closeChild(name)
    else if (this.#depth === 1) this.#closeRoot()
    this.#depth -= 1
    this.#isPlain = false
  }

  /** The first grandchild shows that the body is a list, unless the root is known to be the row itself. */
  #closeGrandchild(name: string): void {
    this.#isList ??= true
    if (this.#isList) this.#addMember(name)
  }

  #closeChild(name: string): void {
    if (this.#isPlain) this.#plainChildren += 1
    else this.#nestedChildren += 1
    this.#isList ??= false
    if (!this.#isList) this.#addMember(name)
    else if (this.#isPlain && this.#text.trim() !== '') this.#rows.invalidElement(this.#text)
    else this.#endRow()
  }

  /** At the root's end it is known whether one object was sent in place of a list, or the reverse. */
  #closeRoot(): void {
    this.#isList ??= true
    if (this.#isPlain && this.#text.trim() !== '') this.#rejectShape('aString')
    const hasPlain = this.#plainChildren > 0
    const hasNested = this.#nestedChildren > 0
    if (this.#isList) {
      if (hasPlain && !hasNested) this.#rejectShape('anObject')
      return
    }
    if (this.#shape === 'one' && hasNested && !hasPlain) this.#rejectShape('anArray')
    this.#endRow()
  }

  #addMember(name: string): void {
    this.#beginRow()
    this.#rows.member(name, this.#isPlain ? this.#value() : new NestedValue('object'))
  }

  #value(): string | NumberText | null {
    if (this.#isNil) return null
    const digits = this.#isNumber ? this.#text.trim() : ''
    return numberPattern.test(digits) ? new NumberText(digits) : this.#text
  }

  #beginRow(): void {
    if (this.#isRowOpen) return
    this.#isRowOpen = true
    this.#rows.begin(this.isList)
  }

  /** A row without members begins and ends here. */
  #endRow(): void {
    this.#beginRow()
    this.#isRowOpen = false
    this.#rows.end()
  }

  #rejectShape(found: MessageCode): never {
    throw new ApiError('InvalidBodyType', { params: { expected: shapeNames[this.#shape], found: message(found) } })
  }
}

/** An attribute by its local name; '' for none. */
function attributeOf({ attributes }: SaxesTagPlain, wanted: string): string {
  for (const name in attributes) if (localName(name) === wanted) return attributes[name] ?? ''
  return ''
}

/** Of XML Schema, and `number` of the XML that .NET makes of JSON. */
const numberTypes = new Set('byte short int integer long decimal float double number'.split(' '))

const numberPattern = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i

export function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1)
}

export function rejectXml(what: LocalizedMessage, more: MessageParams = {}): never {
  throw new ApiError('XmlNotAllowed', { params: { what, ...more } })
}
