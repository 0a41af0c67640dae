// Reads an XML body as rows: elements by local name, in any order, under a root of any name.
import { SaxesParser } from 'saxes'
import { ApiError } from '../../../errors/api-error.ts'
import { message, type LocalizedMessage } from '../../../errors/messages.ts'
import { BodyParts, requireShortElement } from '../read/body-parts.ts'
import { shapeNames, type RowParsing, type RowSink, type BodyShape } from '../read/row-sink.ts'
import { localName, rejectXml, XmlDocument } from './xml-document.ts'

/** Parsing XML costs about ten times as much as JSON, so its parts are shorter. */
const partBytes = 8 * 1024

/**
 * A root whose children have children is a list of rows; a root with plain children is one row; an empty root is an
 * empty list, or an empty row where one row is expected. Values are text, `xsi:nil="true"` is null, a number whose type is
 * declared (`xsi:type="xsd:double"`) is a number as in JSON; namespaces and other attributes are ignored.
 *
 * Throws `InvalidUtf8`, `EmptyBody`, `MalformedXml`, `XmlNotAllowed`, `ValueTooLong` and `InvalidBodyType`.
 */
export function* readXmlRows(body: Buffer, shape: BodyShape, rows: RowSink): RowParsing {
  const parts = new BodyParts(body, partBytes)
  const document = new XmlDocument(shape, rows)
  const parser = strictParser(document)
  let isBlank = true
  let element = { index: 0, characters: 0 }
  let part = parts.next()
  while (part !== null) {
    const isBlankPart = part.trim() === ''
    isBlank &&= isBlankPart
    parser.write(part)
    // Of the part in which it begins, all characters are counted. A body may be padded.
    const isPadding = isBlankPart && !document.isInElement
    if (isPadding || element.index !== document.children) element = { index: document.children, characters: 0 }
    element.characters += part.length
    requireShortElement(element.characters, `[${element.index}]`)
    part = parts.next()
    if (part !== null) yield
  }
  if (isBlank) throw new ApiError('EmptyBody', { params: { expected: shapeNames[shape] } })
  parser.close()
  return document.isList
}

const options = { xmlns: false, forceXMLVersion: true, defaultXMLVersion: '1.0' } as const

/** XML 1.0 without a DTD, and so without entity expansion and external entities. */
function strictParser(document: XmlDocument): SaxesParser<typeof options> {
  const parser = new SaxesParser(options)
  parser.on('error', (error) => {
    throw new ApiError('MalformedXml', { params: { problem: parserProblem(error.message) } })
  })
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !acceptedEncodings.has(encoding.toLowerCase()))
      throw new ApiError('MalformedXml', { params: { problem: message('encodingNotUtf8') } })
  })
  parser.on('doctype', () => rejectXml(message('aDoctype')))
  parser.on('processinginstruction', () => rejectXml(message('aProcessingInstruction')))
  parser.on('attribute', () => document.attribute())
  parser.on('opentag', (tag) => document.open(tag))
  parser.on('text', (text) => document.text(text))
  parser.on('cdata', (text) => document.text(text))
  parser.on('closetag', (tag) => document.close(localName(tag.name)))
  return parser
}

/** .NET's `StringWriter` always declares UTF-16, although UTF-8 is sent. */
const acceptedEncodings = new Set(['utf-8', 'utf8', 'utf-16'])

/** The parser reports `3:14: unclosed tag.`, in English only. */
function parserProblem(text: string): LocalizedMessage {
  const [, position = '1:1', problem = text] = /^(\d+:\d+): (.*?)\.?$/.exec(text) ?? []
  return message('xmlSyntax', { position, problem })
}
