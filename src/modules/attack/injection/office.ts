/** Office documents (ECMA-376: XML in a ZIP archive) whose parts have a document type of ours. */
import { crc32 } from 'node:zlib'

export interface OfficeFile {
  readonly flavour: string
  readonly name: string
  readonly type: string
  /** `type`: a document type that declares the entity q. */
  readonly with: (type: string) => Buffer
}

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const KIND = 'application/vnd.openxmlformats-officedocument'

type Part = readonly [name: string, content: string]

/** `main`: path and kind of the part that the package begins with. */
const packageOf = (main: Part, parts: readonly Part[]): readonly Part[] => [
  [
    '[Content_Types].xml',
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main[0]}" ContentType="${main[1]}"/></Types>`,
  ],
  ['_rels/.rels', relations([['officeDocument', main[0]]])],
  ...parts,
]

const relations = (to: readonly (readonly [kind: string, target: string])[]): string =>
  `<Relationships xmlns="${PACKAGE}/relationships">${to
    .map(
      ([kind, target], index) => `<Relationship Id="rId${index + 1}" Type="${DOCUMENT}/${kind}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'

const WORKBOOK = packageOf(
  ['xl/workbook.xml', `${KIND}.spreadsheetml.sheet.main+xml`],
  [
    [
      'xl/workbook.xml',
      `<workbook xmlns="${SHEET}" xmlns:r="${DOCUMENT}"><sheets><sheet name="q" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relations([
        ['worksheet', 'worksheets/sheet1.xml'],
        ['sharedStrings', 'sharedStrings.xml'],
      ]),
    ],
    [
      'xl/worksheets/sheet1.xml',
      `<worksheet xmlns="${SHEET}"><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row></sheetData></worksheet>`,
    ],
    ['xl/sharedStrings.xml', `<sst xmlns="${SHEET}" count="1" uniqueCount="1"><si><t>&q;</t></si></sst>`],
  ],
)

const TEXT = packageOf(
  ['word/document.xml', `${KIND}.wordprocessingml.document.main+xml`],
  [
    [
      'word/document.xml',
      `<w:document xmlns:w="${WORD}"><w:body><w:p><w:r><w:t>&q;</w:t></w:r></w:p></w:body></w:document>`,
    ],
  ],
)

const written = (parts: readonly Part[], type: string): Buffer =>
  zipOf(parts.map(([name, content]) => [name, `<?xml version="1.0" encoding="UTF-8"?>${type}${content}`] as const))

export const OFFICE_FILES: readonly OfficeFile[] = [
  {
    flavour: 'spreadsheet (XLSX)',
    name: 'q.xlsx',
    type: `${KIND}.spreadsheetml.sheet`,
    with: (type) => written(WORKBOOK, type),
  },
  {
    flavour: 'text document (DOCX)',
    name: 'q.docx',
    type: `${KIND}.wordprocessingml.document`,
    with: (type) => written(TEXT, type),
  },
]

/** 1 January 1980, the first day that the format knows. */
const FIRST_DAY = 33

/** Entries stored as they are (APPNOTE 4.3). */
export const zipOf = (parts: readonly Part[]): Buffer => {
  const locals: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const [name, content] of parts) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(content)]
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(FIRST_DAY, 8)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(bytes.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, path, bytes])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    central.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), common, rest, path]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(parts.length, 4)
  end.writeUInt16LE(parts.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end])
}
