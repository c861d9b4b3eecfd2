/** The ordinary request of an entry, what it is called in findings, and how its value is read from any request. */
import type { IncomingMessage } from 'node:http'
import type { Raw } from '../case.ts'
import { unescapeXml } from '../input.ts'
import type { Way } from './case.ts'
import type { Entry } from './plan.ts'

export interface Sent {
  readonly method: string
  /** Path with its query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** What has to come with the value, beside it. */
const BESIDE: Partial<Readonly<Record<Way, Readonly<Record<string, string>>>>> = {
  select: { season: 'summer' },
  radio: { season: 'summer' },
  textarea: { greeting: 'Dear friends' },
}

export const sentFor = (entry: Entry, value = entry.case.value): Sent => {
  const { path, input, way } = entry
  const fields = { [input]: value, ...(way === 'either' ? {} : { page: '1' }), ...BESIDE[way] }
  const get = (url: string, headers: Readonly<Record<string, string>> = {}): Sent => ({ method: 'GET', url, headers })
  const post = (type: string, body: string): Sent => ({
    ...{ method: 'POST', url: path, body },
    headers: { 'Content-Type': type },
  })
  const json = (body: unknown): Sent => post('application/json', JSON.stringify(body))
  switch (entry.case.place) {
    case 'query':
    case 'name':
      return get(`${path}?${new URLSearchParams(fields)}`)
    case 'page':
      return get(entry.case.reads === undefined ? path : `${path}?${new URLSearchParams({ [input]: value })}`)
    case 'path':
      return get(`${path}/${encodeURIComponent(value)}`)
    case 'cookie':
      return get(path, { Cookie: `${input}=${encodeURIComponent(value)}` })
    case 'header':
    case 'own-header':
      return get(path, { [input]: value })
    case 'form':
      return post('application/x-www-form-urlencoded', `${new URLSearchParams(fields)}`)
    case 'multipart':
      return post('multipart/form-data; boundary=b0', multipartOf(fields, way === 'upload'))
    case 'json':
      return json({ page: 1, item: { [input]: value } })
    case 'json-list':
      return json({ page: 1, items: [{ label: 'first', [input]: value }] })
    case 'graphql':
      return json({
        query: `query Items($${input}: String) { items(${input}: $${input}) { name } }`,
        variables: { [input]: value },
      })
    case 'xml':
      return post(
        'application/xml',
        `<?xml version="1.0"?><order><count>10</count><${input}>${value.replace(/[<>&]/g, '')}</${input}></order>`,
      )
  }
}

const multipartOf = (fields: Readonly<Record<string, string>>, withFile: boolean): string => {
  const parts = Object.entries(fields).map(([name, value]) => `name="${name}"\r\n\r\n${value}`)
  const file = 'name="picture"; filename="tent.txt"\r\nContent-Type: text/plain\r\n\r\nA tent.'
  return `${[...parts, ...(withFile ? [file] : [])].map((part) => `--b0\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--b0--\r\n`
}

/** As a finding names the place; undefined where any place of the page will do. */
export const parameterOf = ({ case: one, path, input }: Entry): string | undefined => {
  const { place } = one
  // Of a body that is merged as a whole, the first of its members is named.
  if (place === 'page' || place === 'name' || one.class === 'prototype') return undefined
  if (place === 'path') return `path segment ${path.split('/').length}`
  if (place === 'json') return `/item/${input}`
  if (place === 'json-list') return `/items/0/${input}`
  if (place === 'graphql') return `/variables/${input}`
  if (place === 'xml') return undefined
  if (place === 'cookie') return `cookie ${input}`
  return place === 'header' || place === 'own-header' ? `header ${input}` : input
}

/** A request whose body was read. */
export interface Asked {
  readonly request: IncomingMessage
  readonly url: URL
  readonly body: string
}

/** Empty where the request does not bring it. */
export const valueIn = ({ path, input, case: { place } }: Entry, { request, url, body }: Asked): string => {
  switch (place) {
    case 'query':
      return url.searchParams.get(input) ?? ''
    case 'form':
      return new URLSearchParams(body).get(input) ?? ''
    case 'multipart':
      return partOf(body, input) ?? ''
    case 'json':
      return textOf(memberOf(body, 'item', input))
    case 'json-list':
      return textOf(memberOf(body, 'items', '0', input))
    case 'graphql':
      return textOf(memberOf(body, 'variables', input))
    case 'xml':
      return unescapeXml(new RegExp(`<${input}>([\\s\\S]*?)</${input}>`).exec(body)?.[1] ?? '')
    case 'path':
      return decodeURIComponent(url.pathname.slice(path.length + 1))
    case 'cookie':
      return cookieOf(request, input) ?? ''
    case 'header':
    case 'own-header':
      return String(request.headers[input.toLowerCase()] ?? '')
    case 'name':
      return [...url.searchParams.keys()].join(' ')
    case 'page':
      return ''
  }
}

export const cookieOf = (request: IncomingMessage, name: string): string | null => {
  const pairs = (request.headers.cookie ?? '').split(/;\s*/).map((pair) => pair.split(/=(.*)/s))
  const found = pairs.find(([key]) => key === name)
  return found ? decodeURIComponent(found[1] ?? '') : null
}

/** Text of a part of a multipart body. */
export const partOf = (body: string, name: string): string | null => {
  const boundary = /^--[^\r\n]+/.exec(body)?.[0]
  const parts = boundary === undefined ? [] : body.split(boundary)
  const mine = parts.find((part) => part.slice(0, 200).includes(`name="${name}"`))
  return mine === undefined ? null : mine.slice(mine.indexOf('\r\n\r\n') + 4).replace(/\r\n$/, '')
}

/** Null where the body is no JSON. @throws where it lacks what holds the member, as pages do */
const memberOf = (body: string, ...path: readonly string[]): unknown => {
  if (body === '' || body.startsWith('<')) return null
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], JSON.parse(body))
}

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

/** The request with the name that the cases know: those that read it as a whole. */
export const rawOf = ({ input, case: { place } }: Entry, { url, body }: Asked): Raw => ({
  search: renamed(url.search.slice(1), input),
  body:
    place === 'form'
      ? renamed(body, input)
      : body.replaceAll(`"${input}"`, '"q"').replaceAll(`<${input}>`, '<q>').replaceAll(`</${input}>`, '</q>'),
})

const renamed = (encoded: string, input: string): string => {
  const pairs = [...new URLSearchParams(encoded)].map(([name, value]): [string, string] => [
    name === input || name.startsWith(`${input}[`) ? `q${name.slice(input.length)}` : name,
    value,
  ])
  return new URLSearchParams(pairs).toString()
}
