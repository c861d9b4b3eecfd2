/**
 * Operations that a WSDL 1.1 document describes over SOAP 1.1 or 1.2, each as a request with an example in every simple element.
 * https://www.w3.org/TR/wsdl.html
 */

import type { Operation, Parameter } from '../contract/described.ts'
import { type XmlElement as Parsed, parseXml } from '../knowledge/recog/xml.ts'
import { type Description, MOST_OPERATIONS, type ReadOptions, type Refusal, Unreadable, wordsOf } from './operation.ts'

const MAX_DEPTH = 5
const MAX_ELEMENTS = 60

const WSDL = /^http:\/\/schemas\.xmlsoap\.org\/wsdl\/$/
const SOAP_11 = 'http://schemas.xmlsoap.org/wsdl/soap/'
const SOAP_12 = 'http://schemas.xmlsoap.org/wsdl/soap12/'
const ENVELOPES: Readonly<Record<string, string>> = {
  [SOAP_11]: 'http://schemas.xmlsoap.org/soap/envelope/',
  [SOAP_12]: 'http://www.w3.org/2003/05/soap-envelope',
}

export const isWsdl = (text: string): boolean =>
  /^\uFEFF?\s*</.test(text) && /<(?:[\w.-]+:)?definitions[\s>]/.test(text.slice(0, 20_000))

/** @throws Unreadable where it is no such document */
export const readWsdl = (text: string, { foundAt }: Pick<ReadOptions, 'foundAt'>): Description => {
  const root = readXml(text)
  if (root?.name !== 'definitions' || !WSDL.test(root.space)) throw new Unreadable('It is no valid WSDL 1.1.')
  const walk: Walk = { root, foundAt: foundAt ?? 'http://site.invalid/', refused: [] }
  const operations = childrenOf(root, 'service')
    .flatMap((service) => childrenOf(service, 'port'))
    .flatMap((port) => operationsAt(port, walk))
  // One over each protocol says the same; the first stands for all.
  const once = new Map(
    operations.map((one) => [`${one.path} ${one.body?.text.replace(/<[^>]*Envelope[^>]*>/g, '')}`, one]),
  )
  const taken = [...once.values()].slice(0, MOST_OPERATIONS)
  const beyond = [...once.values()].slice(MOST_OPERATIONS).map(({ name }) => ({
    ...{ where: name, line: null, reason: `only the first ${MOST_OPERATIONS} operations are taken` },
  }))
  return {
    kind: 'WSDL 1.1',
    title: (childrenOf(root, 'service')[0]?.attributes.name ?? root.attributes.name ?? '').slice(0, 500),
    described: once.size + walk.refused.length,
    operations: taken,
    refused: [...walk.refused, ...beyond],
    leftOut: [],
  }
}

interface Walk {
  readonly root: XmlElement
  readonly foundAt: string
  readonly refused: Refusal[]
}

/** Names without prefixes, and what the prefix stands for. */
interface XmlElement {
  readonly name: string
  readonly space: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
}

/** Schemas nest types without names, each three elements deep. */
const DEEPEST = 100

const readXml = (text: string): XmlElement | null => {
  try {
    return resolved(parseXml(text.replace(/^\uFEFF?\s*/, ''), DEEPEST), {})
  } catch (error) {
    if (error instanceof RangeError) return null // No XML after all: it describes nothing.
    throw error
  }
}

const resolved = ({ name, attributes, children }: Parsed, around: Readonly<Record<string, string>>): XmlElement => {
  const declared = Object.entries(attributes).flatMap(([key, value]): [string, string][] =>
    key === 'xmlns' ? [['', value]] : key.startsWith('xmlns:') ? [[key.slice(6), value]] : [],
  )
  const spaces = { ...around, ...Object.fromEntries(declared) }
  const space = spaces[name.includes(':') ? (name.split(':')[0] ?? '') : ''] ?? ''
  return { name: local(name), space, attributes, children: children.map((one) => resolved(one, spaces)) }
}

const childrenOf = (element: XmlElement | undefined, name: string): readonly XmlElement[] =>
  element?.children.filter((one) => one.name === name) ?? []

const local = (name: string | undefined): string => (name ?? '').split(':').at(-1) ?? ''
const named = (elements: readonly XmlElement[], name: string | undefined): XmlElement | undefined =>
  elements.find((one) => one.attributes.name === local(name))

const operationsAt = (port: XmlElement, walk: Walk): readonly Operation[] => {
  const { root, foundAt } = walk
  const refuse = (reason: string): readonly Operation[] => {
    walk.refused.push({ where: `port ${port.attributes.name ?? ''}`.slice(0, 200), line: null, reason })
    return []
  }
  const address = port.children.find((one) => one.name === 'address' && ENVELOPES[one.space])
  if (!address) return refuse('it is not spoken over SOAP 1.1 or 1.2')
  // Behind a proxy servers name themselves by an address that nobody outside knows: the path is what counts.
  const to = URL.parse(address.attributes.location ?? '', foundAt)
  if (!to) return refuse('its address is none')
  const binding = named(childrenOf(root, 'binding'), port.attributes.binding)
  if (!binding) return refuse('its binding is not among the document')
  const kind = named(childrenOf(root, 'portType'), binding.attributes.type)
  const style = binding.children.find((one) => one.name === 'binding')?.attributes.style
  return childrenOf(binding, 'operation').flatMap((operation): readonly Operation[] => {
    const soap = operation.children.find((one) => one.name === 'operation' && ENVELOPES[one.space])
    const name = operation.attributes.name ?? ''
    const input = kind && childrenOf(named(childrenOf(kind, 'operation'), name), 'input')[0]
    const message = named(childrenOf(root, 'message'), input?.attributes.message)
    if (!message) {
      walk.refused.push({ where: name.slice(0, 200), line: null, reason: 'its message is not among the document' })
      return []
    }
    const rpc = (soap?.attributes.style ?? style) === 'rpc'
    const content = contentOf(childrenOf(message, 'part'), root, rpc ? name : null)
    const envelope = ENVELOPES[address.space] ?? ''
    const { type, parameters } = headOf(address.space, soap?.attributes.soapAction ?? '')
    const text = `<?xml version="1.0"?><soap:Envelope xmlns:soap="${envelope}"><soap:Body>${content}</soap:Body></soap:Envelope>`
    const query = [...to.searchParams].map(([key, value]): Parameter => ({ ...GIVEN, in: 'query', name: key, value }))
    return [
      {
        ...{ method: 'POST', path: to.pathname, name, label: wordsOf(name) },
        parameters: [...query, ...parameters],
        body: { type, text, fields: [], made: [] },
      },
    ]
  })
}

const GIVEN = { given: true, required: true } as const

/** SOAP 1.1 names the action in a header of its own, 1.2 in the media type. */
const headOf = (space: string, action: string): { type: string; parameters: readonly Parameter[] } => {
  const said = /^[\x21\x23-\x7e]{0,500}$/.test(action) ? action : ''
  if (space === SOAP_11) {
    const parameter: Parameter = { ...GIVEN, in: 'header', name: 'SOAPAction', value: `"${said}"` }
    return { type: 'text/xml; charset=utf-8', parameters: [parameter] }
  }
  return { type: `application/soap+xml; charset=utf-8${said === '' ? '' : `; action="${said}"`}`, parameters: [] }
}

const spaceOf = (root: XmlElement, schema: XmlElement | undefined): string =>
  escaped(schema?.attributes.targetNamespace ?? root.attributes.targetNamespace ?? '')

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** A part names an element (document) or a type (RPC, then wrapped in the operation's name). */
const contentOf = (parts: readonly XmlElement[], root: XmlElement, wrapper: string | null): string => {
  const schemas = childrenOf(childrenOf(root, 'types')[0], 'schema')
  const room = { left: MAX_ELEMENTS }
  const inner = parts.map((part) => {
    if (part.attributes.element !== undefined) {
      const schema = schemas.find((one) => named(childrenOf(one, 'element'), part.attributes.element))
      const element = schema && named(childrenOf(schema, 'element'), part.attributes.element)
      return element ? written(element, schemas, 0, room, ` xmlns="${spaceOf(root, schema)}"`) : ''
    }
    return written({ ...part, name: 'element' }, schemas, 0, room)
  })
  return wrapper === null
    ? inner.join('')
    : `<m:${wrapper} xmlns:m="${spaceOf(root, undefined)}">${inner.join('')}</m:${wrapper}>`
}

interface Room {
  left: number
}

/** An element of a schema with examples in it. */
const written = (
  element: XmlElement,
  schemas: readonly XmlElement[],
  depth: number,
  room: Room,
  attributes = '',
): string => {
  room.left -= 1
  const name = element.attributes.name ?? local(element.attributes.ref)
  if (room.left < 0 || depth > MAX_DEPTH || !/^[\w.-]{1,100}$/.test(name)) return ''
  const declared = schemas.flatMap((schema) => childrenOf(schema, 'complexType'))
  const type = childrenOf(element, 'complexType')[0] ?? named(declared, element.attributes.type)
  const top = schemas.flatMap((schema) => childrenOf(schema, 'element'))
  const referred = element.attributes.ref === undefined ? undefined : named(top, element.attributes.ref)
  if (referred) return written(referred, schemas, depth + 1, room, attributes)
  const content = type
    ? elementsIn(type)
        .map((one) => written(one, schemas, depth + 1, room))
        .join('')
    : exampleOf(element, schemas)
  return `<${name}${attributes}>${content}</${name}>`
}

/** Elements of sequence, all and choice, however they are nested; of a choice the first. */
const elementsIn = (type: XmlElement): readonly XmlElement[] =>
  type.children.flatMap((one) => {
    if (one.name === 'element') return [one]
    if (one.name === 'choice') return elementsIn(one).slice(0, 1)
    return ['sequence', 'all', 'complexContent', 'extension', 'group'].includes(one.name) ? elementsIn(one) : []
  })

const EXAMPLES: readonly (readonly [RegExp, string])[] = [
  [/^(?:int|integer|long|short|byte|decimal|float|double|(?:positive|nonNegative)Integer|unsigned\w+)$/, '1'],
  [/^boolean$/, 'true'],
  [/^dateTime$/, '2024-01-01T00:00:00Z'],
  [/^date$/, '2024-01-01'],
  [/^time$/, '00:00:00'],
  [/^anyURI$/, 'https://example.org/'],
]

const exampleOf = (element: XmlElement, schemas: readonly XmlElement[]): string => {
  const simple =
    childrenOf(element, 'simpleType')[0] ??
    named(
      schemas.flatMap((schema) => childrenOf(schema, 'simpleType')),
      element.attributes.type,
    )
  const restriction = childrenOf(simple, 'restriction')[0]
  const listed = childrenOf(restriction, 'enumeration')[0]?.attributes.value
  if (listed !== undefined) return escaped(listed.slice(0, 100))
  const base = local(restriction?.attributes.base ?? element.attributes.type)
  return EXAMPLES.find(([pattern]) => pattern.test(base))?.[1] ?? 'test'
}
