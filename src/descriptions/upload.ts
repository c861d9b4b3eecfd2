/** What a person sends as a description, as files with texts: one document, an archive of several, or a form with files. */
import { text as collected } from 'node:stream/consumers'
import { type Entry, fromBuffer, type ZipFile } from 'yauzl'
import { MOST_BYTES, type SourceFile, Unreadable } from './operation.ts'

const MOST_FILES = 5_000
const TOO_LARGE = `A description has at most ${MOST_BYTES / 1024 / 1024} MiB, unpacked.`
const TOO_MANY = `A description has at most ${MOST_FILES} files.`

/** `name`: of the document, where it is a single one. @throws Unreadable */
export const filesOf = async (bytes: Buffer, type: string, name: string): Promise<readonly SourceFile[]> => {
  const files = /^multipart\/form-data/i.test(type) ? await partsOf(bytes, type) : [{ name, bytes }]
  const unpacked: SourceFile[] = []
  for (const file of files) {
    const room = MOST_BYTES - unpacked.reduce((sum, { text }) => sum + text.length, 0)
    if (isZip(file.bytes)) unpacked.push(...(await unzipped(file.bytes, room)))
    else if (file.bytes.length > room) throw new Unreadable(TOO_LARGE)
    else unpacked.push({ name: file.name, text: textOf(file.bytes, file.name) })
  }
  if (unpacked.length > MOST_FILES) throw new Unreadable(TOO_MANY)
  return unpacked
}

interface Part {
  readonly name: string
  readonly bytes: Buffer
}

const partsOf = async (bytes: Buffer, type: string): Promise<readonly Part[]> => {
  let form: FormData
  try {
    form = await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': type } }).formData()
  } catch (error) {
    if (error instanceof TypeError) throw new Unreadable('It is no valid multipart form.')
    throw error
  }
  const parts = [...form]
  if (parts.length > MOST_FILES) throw new Unreadable(TOO_MANY)
  return Promise.all(
    parts.map(async ([key, value]) =>
      typeof value === 'string'
        ? { name: key, bytes: Buffer.from(value) }
        : { name: value.name, bytes: Buffer.from(await value.arrayBuffer()) },
    ),
  )
}

const isZip = (bytes: Buffer): boolean => bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))

/** A byte order mark tells UTF-16. */
const textOf = (bytes: Buffer, name: string): string => {
  const coding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(coding, { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) throw new Unreadable(`${name}: It is no text in UTF-8.`)
    throw error
  }
}

/** The sizes that an archive declares are kept to by the reader, so that none unpacks to more than it says. */
const unzipped = async (bytes: Buffer, room: number): Promise<readonly SourceFile[]> => {
  const zip = await opened(bytes)
  const files: SourceFile[] = []
  let left = room
  for await (const entry of entriesOf(zip)) {
    if (entry.fileName.endsWith('/') || /(?:^|\/)(?:__MACOSX\/|\.)/.test(entry.fileName)) continue
    left -= entry.uncompressedSize
    if (left < 0) throw new Unreadable(TOO_LARGE)
    if (files.length >= MOST_FILES) throw new Unreadable(TOO_MANY)
    if (entry.isEncrypted()) throw new Unreadable(`${entry.fileName}: It is encrypted.`)
    files.push({ name: entry.fileName, text: await contentOf(zip, entry) })
  }
  return files
}

const BROKEN = 'The archive cannot be read.'

const opened = (bytes: Buffer): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true }, (error, zip) =>
      error ? reject(new Unreadable(BROKEN)) : resolve(zip),
    )
  })

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (;;) {
    const entry = await new Promise<Entry | null>((resolve, reject) => {
      zip.removeAllListeners()
      zip.once('entry', resolve)
      zip.once('end', () => resolve(null))
      zip.once('error', () => reject(new Unreadable(BROKEN)))
      zip.readEntry()
    })
    if (entry === null) return
    yield entry
  }
}

const contentOf = async (zip: ZipFile, entry: Entry): Promise<string> => {
  const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
    zip.openReadStream(entry, (error, opened) => (error ? reject(new Unreadable(BROKEN)) : resolve(opened)))
  })
  try {
    return await collected(stream)
  } catch (error) {
    if (error instanceof Error) throw new Unreadable(`${entry.fileName}: It cannot be unpacked.`)
    throw error
  }
}
