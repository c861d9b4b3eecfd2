/** XML documents with an entity, in the places that may hand them to a parser. */

import type { HttpRequest } from '../../../egress/door/egress.ts'
import { segmentsOf } from '../../../page/segments.ts'
import { isSample } from '../../sample-files.ts'
import { compose } from '../insertion-points/compose.ts'
import type { ProbePoint } from '../insertion-points/inventory.ts'
import { leavesOf } from '../insertion-points/points.ts'
import { OFFICE_FILES } from './office.ts'

/** Stands where the entity's reference goes, until the whole document is made. */
export const STAND = 'QENTITYQ'

/** How a place comes to hold a document of ours. */
export interface Envelope {
  readonly flavour: string
  readonly fits: (point: ProbePoint) => boolean
  /** Ending of the file that it is, of a field that may say which it takes. */
  readonly ending?: string
  /** Nobody shows such a document again as it is: asked by calls alone, but where the field says that it takes it, as those do that import what it says. */
  readonly calls?: true
  /** `request` with STAND in the place; null where it cannot hold a document. */
  readonly with: (point: ProbePoint, request: HttpRequest, type: string) => HttpRequest | null
}

/** An entity that is a file. `path` begins with a slash. */
export const fileType = (path: string): string => `<!DOCTYPE q [<!ENTITY q SYSTEM "file://${path}">]>`

/** Both ways of a parser to our address: a part of the document type, and an entity in place of the value. */
export const callingType = (url: string): string =>
  `<!DOCTYPE q [<!ENTITY % r SYSTEM "${url}q.dtd"><!ENTITY q SYSTEM "${url}q">%r;]>`

/** The document type goes behind the declaration, in place of one that is there. */
export const withType = (document: string, type: string): string => {
  const declaration = /^\s*<\?xml[^>]*\?>/.exec(document)?.[0] ?? ''
  const rest = document.slice(declaration.length).replace(/<!DOCTYPE[^[>]*(?:\[[^\]]*\])?>/, '')
  return `${declaration}${type}${rest}`
}

const isDocument = (text: string): boolean => /^\s*<(?:\?xml|!DOCTYPE|[a-z][\w:.-]*[\s/>])/i.test(text)

/** Of a document, its first text; where it has none, a document of one element. */
const referring = (document: string): string => {
  const referred = document.replace(/>([^<>]*[^\s<>][^<>]*)<\//, '>&q;</')
  return referred === document ? '<q>&q;</q>' : referred
}

/** What applications call the parts of a record that they show again. */
const PARTS =
  'name title id code text description value content subject message comment note label email author kind type category price amount'.split(
    ' ',
  )
/** What is done, or what it is done to: no name of the things in the document. */
const DEEDS =
  /^(?:imports?|exports?|uploads?|files?|xml|api|v\d+|new|add|create|parse|read|load|process|submit|bulk|batch)$/i
const THINGS = 'items'
/** What a record is called whatever it is of, with the parts that most have. */
const RECORDS = ['item', 'row', 'record', 'entry']
const MOST_HAVE = 7

/**
 * A document of one record of the things that the program's address speaks of, and one by each name for a record: many programs look for elements of one
 * name, wherever they stand, and show nothing of a document that has none of them.
 */
export const recordOf = (url: string): string => {
  const words = segmentsOf(url).filter((one) => /^[a-z][a-z-]{2,24}$/i.test(one) && !DEEDS.test(one))
  const many = (words.at(-1) ?? THINGS).replaceAll('-', '_')
  const one = singularOf(many)
  const others = RECORDS.filter((name) => name !== one).map((name) => recordNamed(name, PARTS.slice(0, MOST_HAVE)))
  return `<${many}>${recordNamed(one, PARTS)}${others.join('')}</${many}>`
}

const recordNamed = (name: string, parts: readonly string[]): string =>
  `<${name}>${parts.map((part) => `<${part}>&q;</${part}>`).join('')}</${name}>`

const singularOf = (many: string): string => {
  if (many.endsWith('ies')) return `${many.slice(0, -3)}y`
  if (/(?:ss|x|ch|sh)es$/.test(many)) return many.slice(0, -2)
  return /[^s]s$/.test(many) ? many.slice(0, -1) : many
}

/** Places that hold documents in a way of their own, or none. */
const APART: ReadonlySet<ProbePoint['place']> = new Set(['xml', 'header', 'file', 'file-name'])

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="9">&q;</text></svg>'

/** The part's content, and what its head says of it. */
const uploaded = (
  point: ProbePoint,
  file: { readonly name: string; readonly type: string; readonly content: string },
): HttpRequest | null => {
  const filled = compose(point, file.content)
  const renamed =
    filled && compose({ ...point, place: 'file-name', request: { ...point.request, ...bodyOf(filled) } }, file.name)
  if (!renamed) return null
  const named = `filename="${file.name}"`
  const at = String(renamed.body ?? '').indexOf(named)
  const [before, behind] = [String(renamed.body).slice(0, at), String(renamed.body).slice(at)]
  return { ...renamed, body: `${before}${behind.replace(/Content-Type: [^\r\n]*/i, `Content-Type: ${file.type}`)}` }
}

/** The part with a file that is no text; null where the request holds no such part. */
export const uploadedBytes = (
  point: ProbePoint,
  { name, type, content }: { readonly name: string; readonly type: string; readonly content: Buffer },
): HttpRequest | null => {
  const request = uploaded(point, { name, type, content: STAND })
  const [before, behind] = String(request?.body ?? '').split(STAND)
  return request && behind !== undefined
    ? { ...request, body: Buffer.concat([Buffer.from(before ?? ''), content, Buffer.from(behind)]) }
    : null
}

const bodyOf = ({ body }: HttpRequest): { readonly body: string } => ({ body: String(body ?? '') })

export const ENVELOPES: readonly Envelope[] = [
  {
    flavour: 'external entity',
    fits: ({ place }) => place === 'xml',
    with: (_point, request, type) => ({
      ...request,
      body: withType(String(request.body ?? ''), type).replace(STAND, '&q;'),
    }),
  },
  {
    flavour: 'external entity, in a document within a value',
    fits: ({ place, name, value, members }) =>
      !members && !APART.has(place) && (isDocument(value) || /xml|soap|svg/i.test(name)),
    with: (point, _request, type) => compose(point, withType(referring(point.value), type)),
  },
  {
    flavour: 'external entity, in a document in place of JSON',
    // The first leaf stands for the body: it is replaced as a whole.
    fits: ({ place, request, name }) => place === 'json' && leavesOf(request.body ?? '')[0]?.[0] === name,
    with: (_point, request, type) => {
      const fields = leavesOf(String(request.body ?? '')).filter(([pointer]) => /^\/[A-Za-z_][\w.-]*$/.test(pointer))
      const elements = fields.map(([pointer]) => `<${pointer.slice(1)}>&q;</${pointer.slice(1)}>`)
      if (elements.length === 0) return null
      const headers = (request.headers ?? []).filter(([name]) => name.toLowerCase() !== 'content-type')
      return {
        ...request,
        headers: [...headers, ['Content-Type', 'application/xml']],
        body: `<?xml version="1.0"?>${type}<root>${elements.join('')}</root>`,
      }
    },
  },
  {
    flavour: 'external entity, in a picture (SVG)',
    ending: 'svg',
    fits: ({ place }) => place === 'file',
    with: (point, _request, type) =>
      uploaded(point, { name: 'q.svg', type: 'image/svg+xml', content: withType(`<?xml version="1.0"?>${SVG}`, type) }),
  },
  {
    flavour: 'external entity, in a file of XML',
    ending: 'xml',
    fits: ({ place }) => place === 'file',
    with: (point, request, type) =>
      uploaded(point, {
        name: 'q.xml',
        type: 'application/xml',
        content: withType(
          `<?xml version="1.0"?>${isDocument(point.value) && !isSample(point.value) ? referring(point.value) : recordOf(request.url)}`,
          type,
        ),
      }),
  },
  ...OFFICE_FILES.map(
    ({ flavour, name, type: media, with: written }): Envelope => ({
      flavour: `external entity, in a ${flavour}`,
      ...{ ending: name.replace(/^.*\./, ''), calls: true as const },
      fits: ({ place }) => place === 'file',
      with: (point, _request, type) => uploadedBytes(point, { name, type: media, content: written(type) }),
    }),
  ),
]
