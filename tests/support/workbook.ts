// Minimal Excel workbooks with plain cells.
import { crc32, deflateRawSync } from 'node:zlib'

/** Numbers become numbers, a `Date` becomes a date, everything else text. */
export type SheetCell = string | number | boolean | Date | null

export interface ZipFile {
  readonly name: string
  readonly bytes: Buffer
  /** The size stated in the zip file, if it is not the real one. */
  readonly claimedBytes?: number
}

export function workbook(rows: readonly (readonly SheetCell[])[]): Buffer {
  return zip([...packageParts, { name: 'xl/worksheets/sheet1.xml', bytes: Buffer.from(sheet(rows)) }])
}

/** A workbook around the XML of its one sheet, and parts that no sheet uses. */
export function workbookOf(sheetXml: string, unusedParts: readonly ZipFile[] = []): Buffer {
  return zip([...packageParts, { name: 'xl/worksheets/sheet1.xml', bytes: Buffer.from(sheetXml) }, ...unusedParts])
}

export function zip(files: readonly ZipFile[]): Buffer {
  const locals: Buffer[] = []
  const list: Buffer[] = []
  let offset = 0
  for (const { name, bytes, claimedBytes = bytes.length } of files) {
    const packed = deflateRawSync(bytes)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(claimedBytes, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([signature(3), common, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    list.push(Buffer.concat([signature(1), Buffer.from([20, 0]), common, tail, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(list)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, listed, signature(5), end])
}

function signature(kind: number): Buffer {
  return Buffer.from([0x50, 0x4b, kind, kind + 1])
}

function sheet(rows: readonly (readonly SheetCell[])[]): string {
  return `<worksheet xmlns="${main}"><sheetData>${rows
    .map((cells, row) => `<row r="${row + 1}">${cells.map(cellOf(row)).join('')}</row>`)
    .join('')}</sheetData></worksheet>`
}

function cellOf(row: number) {
  return (cell: SheetCell, column: number): string => {
    const cellReference = `r="${String.fromCharCode(65 + column)}${row + 1}"`
    if (cell === null) return ''
    if (typeof cell === 'number') return `<c ${cellReference}><v>${cell}</v></c>`
    if (typeof cell === 'boolean') return `<c ${cellReference} t="b"><v>${Number(cell)}</v></c>`
    if (cell instanceof Date) return `<c ${cellReference} s="1"><v>${cell.getTime() / 86_400_000 + 25_569}</v></c>`
    const text = cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    return `<c ${cellReference} t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`
  }
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const types = 'http://schemas.openxmlformats.org/package/2006/content-types'

const packageParts: readonly ZipFile[] = Object.entries({
  '[Content_Types].xml': `<Types xmlns="${types}"><Default Extension="xml" ContentType="application/xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Ark1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/styles.xml': `<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
}).map(([name, xml]) => ({ name, bytes: Buffer.from(xml) }))
