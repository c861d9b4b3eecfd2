/** What a request does to the site: reads it, or writes something to it. Known by its method or by evidence, never by a word. */
import type { Encoding, Field } from '../modules/attack/crawl/facts.ts'
import { jsonTreeOf } from '../page/json.ts'
import { ROUTING, wordsOf } from './words.ts'

/** 'unknown': nothing has shown yet which. It is treated as writing wherever that could do harm. */
export type Effect = 'reads' | 'writes' | 'unknown'

/** What a request says of itself. */
export interface Bearing {
  readonly method: string
  readonly encoding: Encoding
  readonly body: string | null
  /** As learned, or as its form tells; absent where only the method says it. */
  readonly effect?: Effect
}

/** Safe methods read by their definition (RFC 9110, 9.2.1; RFC 4918, 9.1), and so does a GraphQL query (GraphQL 2021, 6.2.1). */
export const effectOf = (request: Bearing): Effect =>
  request.effect ?? (isSafe(request.method) || isGraphqlQuery(request) ? 'reads' : 'unknown')

export const isSafe = (method: string): boolean => ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'].includes(method)

/**
 * The safe method for which a POST stands: clients of interfaces that spare browsers a question before it, or send long queries, put it into
 * their document (`"_method": "GET"`). Null where it stands for itself, or for what may write.
 */
export const readsBy = ({ method, encoding, body }: Pick<Bearing, 'method' | 'encoding' | 'body'>): string | null => {
  const meant = method === 'POST' ? methodWithin({ encoding, body }) : null
  return meant !== null && isSafe(meant) ? meant : null
}

/**
 * The method that frameworks take a POST for, as no form sends it: by a field or parameter `_method` (Rails, Laravel, Symfony, Express). Null
 * where it stands for itself, or for what is safe: words only forbid.
 */
export const writesBy = ({
  method,
  url,
  fields,
  ...document
}: Pick<Bearing, 'method' | 'encoding' | 'body'> & {
  readonly url: string
  readonly fields: readonly Field[]
}): string | null => {
  if (method !== 'POST') return null
  const said = [
    ...fields.flatMap(({ name, value }) => (name === '_method' ? [value] : [])),
    ...new URL(url).searchParams.getAll('_method'),
    methodWithin(document) ?? '',
  ].map((one) => one.trim().toUpperCase())
  return WRITING.find((one) => said.includes(one)) ?? null
}
/** Gravest first. */
const WRITING = ['DELETE', 'PUT', 'PATCH']

/** A member `_method` of a document. */
const methodWithin = ({ encoding, body }: Pick<Bearing, 'encoding' | 'body'>): string | null => {
  if ((encoding !== 'json' && encoding !== 'text') || !body?.includes('"_method"')) return null
  const document = jsonTreeOf(body)
  const meant = typeof document === 'object' && document !== null && '_method' in document ? document._method : null
  return typeof meant === 'string' ? meant.toUpperCase() : null
}

/** A document that begins with a query; one that holds a mutation beside it is none. */
export const isGraphqlQuery = ({ encoding, body }: Pick<Bearing, 'encoding' | 'body'>): boolean =>
  encoding === 'json' && /"query"\s*:\s*"\s*(?:query\b|\{)/.test(body ?? '') && !/\bmutation\b/.test(body ?? '')

/** What keeps, where it stands for what a place does: the name of a file that is handed to it may be one that it writes. */
const KEEPS: ReadonlySet<string> = new Set(
  'upload export save saveas backup dump write log logfile outfile output dest destination targetfile store append touch rename move copy'.split(
    ' ',
  ),
)

/** Of those, what hands out what was kept as often as it keeps it. */
const HANDS_OUT: ReadonlySet<string> = new Set(['export', 'log', 'logfile', 'dump', 'backup', 'output'])

/**
 * Whether a value of this place may become the name of a file that is written, emptied, renamed or deleted. Such a place gets
 * no value that names a file which exists.
 */
export const mayWriteFiles = (
  { effect, url }: { readonly effect: Effect; readonly url: string },
  name: string,
): boolean => {
  return effect !== 'reads' || keepingWords(url, name).length > 0
}

/** Whether such a place may as well only read them, so that it is worth finding out: by GET, and by its words. */
export const mayHandOutFiles = (
  { method, url }: { readonly method: string; readonly url: string },
  name: string,
): boolean => method === 'GET' && keepingWords(url, name).every((word) => HANDS_OUT.has(word))

const keepingWords = (url: string, name: string): readonly string[] => {
  const { pathname, searchParams } = new URL(url)
  const routes = [...searchParams].flatMap(([route, value]) => (ROUTING.test(route) ? [value] : []))
  return [name, ...pathname.split('/').slice(-2), ...routes].flatMap(wordsOf).filter((word) => KEEPS.has(word))
}
