/**
 * The table of HTML's named character references, as the parser's package unpacks it each time that it is loaded: two thousand names, which
 * takes a light run a fiftieth of its time. A build has it unpacked, in a file beside.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { ROOT } from './builds.ts'

const FILE = 'entities.bin'
const PACKAGE = join(ROOT, 'node_modules/entities/dist')
/** How the package begins with it. */
const UNPACKS = 'initDecodeData(htmlDecodeData)'

/** Of what the package unpacks, the arrays of numbers: those of four bytes before those of two. */
const ARRAYS = { keys: 'Int32Array', lengthBits: 'Uint32Array', middles: 'Uint32Array' } as const
const SHORT = { slotMidOff: 'Uint16Array', slotValue: 'Uint16Array' } as const
type Name = keyof typeof ARRAYS | keyof typeof SHORT

interface Unpacked extends Readonly<Record<Name, Int32Array | Uint32Array | Uint16Array>> {
  readonly buckets: number
  readonly values: string
}

const loaded = async (file: string): Promise<Record<string, unknown>> => import(pathToFileURL(join(PACKAGE, file)).href)

/** What the package's own code unpacks. @throws Error where this is another package than was read */
export const unpackedEntities = async (): Promise<Unpacked> => {
  const { htmlDecodeData } = await loaded('generated/decode-data-html.js')
  const { initDecodeData } = await loaded('internal/decode-data-format.js')
  if (typeof initDecodeData !== 'function') throw new Error('entities: its table is unpacked otherwise')
  return initDecodeData(htmlDecodeData)
}

/** The arrays behind one another, and the code that reads them; `values`: an expression, as the package names what it does not unpack. */
export const packedEntities = (
  table: Unpacked,
  values: string,
): { readonly bytes: Uint8Array; readonly code: string } => {
  const known = new Set([...Object.keys(ARRAYS), ...Object.keys(SHORT), 'buckets', 'values'])
  const other = Object.keys(table).filter((name) => !known.has(name))
  if (other.length > 0) throw new Error(`entities: its table has ${other.join(', ')}`)
  let at = 0
  const parts = (Object.entries({ ...ARRAYS, ...SHORT }) as [Name, string][]).map(([name, type]) => {
    const part = { name, type, from: at, array: table[name] }
    if (part.array.constructor.name !== type) throw new Error(`entities: ${name} is no ${type}`)
    at += part.array.byteLength
    return part
  })
  const bytes = new Uint8Array(at)
  for (const { from, array } of parts) bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), from)
  const fields = parts.map(({ name, type, from, array }) => `${name}: new ${type}(bytes, ${from}, ${array.length})`)
  const code = `({ buckets: ${table.buckets}, values: ${values}, ${fields.join(', ')} })`
  return { bytes, code }
}

export const entitiesUnpacked: Plugin = {
  name: 'entities unpacked',
  enforce: 'pre',
  transform: {
    filter: { id: /\/entities\/dist\/decode\.js$/ },
    async handler(code) {
      if (code.split(UNPACKS).length !== 2) throw new Error('entities: its table is unpacked otherwise')
      const { bytes, code: read } = packedEntities(await unpackedEntities(), 'htmlDecodeData[1]')
      this.emitFile({ type: 'asset', fileName: FILE, source: bytes })
      return {
        code: `import { readFileSync } from 'node:fs'
import { join } from 'node:path'
${code.replace(UNPACKS, `unpacked(new Uint8Array(readFileSync(join(import.meta.dirname, '${FILE}'))).buffer)`)}
function unpacked(bytes) {
  return ${read}
}`,
        map: null,
      }
    },
  },
}
