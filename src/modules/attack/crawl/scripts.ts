/**
 * Addresses and requests in JavaScript, read by its grammar (acorn) and followed by what its names hold: arguments of fetch,
 * XMLHttpRequest, axios, jQuery, Angular's client and their like with method and body, through functions that wrap them, over all
 * files of a site; and every other string that is an absolute path. What is put together at run time is filled with an example.
 * Code that does not parse is read for quoted paths alone.
 */

import type { HtmlElement } from '../../../page/html.ts'
import { learnControllers } from './scripts/controllers.ts'
import type { Shown } from './scripts/controls.ts'
import { createDocuments, type ScriptedOperation } from './scripts/documents.ts'
import { type Endpoint, EXAMPLE, type ScriptCookie } from './scripts/endpoint.ts'
import { readFile, type Whence } from './scripts/file.ts'
import { type Globals, learnGlobals } from './scripts/globals.ts'
import { isPath, pathsInComments } from './scripts/paths.ts'
import { cookiesOfSent, endpointsOfSent } from './scripts/rendered.ts'
import { parsed } from './scripts/syntax.ts'
import { walk } from './scripts/walk.ts'
import { Wrappers } from './scripts/wrappers.ts'

export type { ScriptedOperation } from './scripts/documents.ts'
export type { Endpoint, ScriptCookie } from './scripts/endpoint.ts'

/** As much as one answer is read of: code that is cut does not parse, and the application stands behind its libraries. */
const MAX_CODE = 4 * 1024 * 1024
const MAX_CALLED = 400
const MAX_NAMED = 200
const MAX_COOKIES = 200

/** Of a text out of a source map: what it was called, and the file that was built from it. */
export interface Built {
  readonly name?: string
  readonly built?: string
}

export interface Scripts {
  /**
   * What one file adds, together with all before it. `url`: by which the others import it; `built`: the file that was built from it, which was read.
   */
  readonly add: (code: string, url: string, built?: string) => readonly Endpoint[]
  /** What several texts of one page add. */
  readonly all: (codes: readonly string[], page: string, shown?: Shown) => readonly Endpoint[]
  /** Code of a page whose names the files that are read later may use. */
  readonly learn: (codes: readonly string[]) => void
  /** Elements of a page that hand values to controllers; see scripts/controllers.ts. */
  readonly handed: (elements: readonly Pick<HtmlElement, 'attributes'>[]) => void
  /** What was read since this was called last sets these cookies. */
  readonly cookies: () => readonly ScriptCookie[]
  /** What waited for files that were not read, when none is left to be. */
  readonly rest: () => readonly Endpoint[]
  /** Operations of GraphQL in all that was read so far. */
  readonly operations: () => readonly ScriptedOperation[]
}

/** The text of a library, as maps name it (ECMA-426): its comments explain it by paths that are nowhere. */
const OF_LIBRARY =
  /(?:^|\/)(?:node_modules|bower_components)\/|^(?:webpack|turbopack|vite|rolldown)[^/]*:\/+(?:\[turbopack\]|webpack|next)\//

/** Scripts of one site, which call each other's functions. */
/** `beyond` hears of each address that the longest list of one text has no room for, and of texts whose end is not read. */
export const createScripts = (beyond: (address: string) => void = () => undefined): Scripts => {
  const wrappers = new Wrappers()
  const globals: Globals = new Map()
  const documents = createDocuments()
  let id = 0
  const nextId = (): number => {
    id += 1
    return id
  }
  const read = (code: string, whence: Whence, built = ''): readonly Endpoint[] => {
    const text = code.slice(0, MAX_CODE)
    if (code.length > MAX_CODE) beyond('url' in whence ? whence.url : whence.page)
    const comments: string[] = []
    const program = parsed(text, comments)
    if (!program) return quotedPaths(text).filter(({ address }) => !isQuotedIn(built, address))
    documents.add(program)
    const found = readFile(walk(program, nextId), whence, wrappers, globals, documents)
    const isOthers = 'url' in whence && OF_LIBRARY.test(whence.url)
    return [...found, ...(isOthers ? [] : pathsInComments(comments)).map(named)]
  }
  let cookies: readonly ScriptCookie[] = []
  const called = (requests = wrappers.take()): readonly Endpoint[] => {
    const set: ScriptCookie[] = []
    for (const one of requests) if (one.cookie) set.push(...cookiesOfSent(one))
    cookies = [...cookies, ...set].slice(0, MAX_COOKIES)
    return requests
      .filter(({ cookie }) => !cookie)
      .toSorted((one, other) => one.at - other.at)
      .flatMap(endpointsOfSent)
  }
  const learn = (codes: readonly string[]): void => {
    for (const code of codes) learnGlobals(globals, code)
  }
  return {
    learn,
    handed: (elements) => learnControllers(globals, elements),
    operations: () => documents.operations((value) => wrappers.shared.filled(value)),
    cookies: () => {
      const told = cookies
      cookies = []
      return told
    },
    rest: () => listed(called(wrappers.shared.rest()), beyond),
    add: (code, url, built) => listed([...read(code, { url }, built), ...called()], beyond),
    all: (codes, page, shown = []) => {
      learn(codes)
      const controls = new Map(shown)
      return listed([...codes.flatMap((code) => read(code, { page, controls })), ...called()], beyond)
    },
  }
}

/** Of texts that run in one page: elements call functions that its scripts have. */
export const endpointsOf = (...codes: readonly string[]): readonly Endpoint[] => endpointsOfPage(codes, [])

/** `shown`: what stands in the fields of the page. */
export const endpointsOfPage = (codes: readonly string[], shown: Shown): readonly Endpoint[] =>
  createScripts().all(codes, '', shown)

const listed = (found: readonly Endpoint[], beyond: (address: string) => void): readonly Endpoint[] => {
  const unique = new Map<string, Endpoint>()
  const told = new Set<string>()
  for (const endpoint of found) {
    const by = toldBy(endpoint)
    const key = `${endpoint.method} ${endpoint.address}${by}`
    if (by !== '') told.add(namesOf(endpoint))
    if (by !== '') told.add(namesOf({ ...endpoint, body: null }))
    const before = unique.get(key)
    if (before && !before.called && endpoint.called) unique.delete(key)
    if (!before || (!before.called && endpoint.called) || (!before.body && endpoint.body)) unique.set(key, endpoint)
  }
  // Where the code shows what is to be done elsewhere, the same without it is nothing of its own.
  const all = [...unique.values()].filter((one) => toldBy(one) !== '' || !told.has(namesOf(one)))
  const calls = all.filter((one) => one.called)
  const called = calls.slice(0, MAX_CALLED)
  // A path that is called with another method is no page to open.
  const paths = new Set(called.flatMap(({ address }) => [address, address.replace(/\?.*$/, '')]))
  const others = all.filter((one) => !one.called && !paths.has(one.address))
  const named = others.slice(0, MAX_NAMED)
  for (const { address } of [...calls.slice(MAX_CALLED), ...others.slice(MAX_NAMED)]) beyond(address)
  const kept = new Set([...called, ...named])
  return all.filter((one) => kept.has(one))
}

/** What a body says is to be done: one address may be for many things, `$.post(ajaxurl, {action: "vote"})`. */
const toldBy = ({ body }: Endpoint): string =>
  Object.entries(body?.fields ?? {})
    .filter(([name, value]) => DOES.test(name) && value !== EXAMPLE)
    .map(([name, value]) => ` ${name}=${value}`)
    .join('')
const namesOf = ({ method, address, body }: Endpoint): string =>
  JSON.stringify([method, address, ...Object.keys(body?.fields ?? {}).toSorted()])
const DOES = /^_?(?:action|act|do|op|operation|cmd|command|task|method|func|function)$/i

/** What is done with it is told there: half of an address that a function puts together is no page. */
const isQuotedIn = (code: string, path: string): boolean =>
  ['"', "'", '`'].some((quote) => code.includes(`${quote}${path}${quote}`))

const quotedPaths = (code: string): Endpoint[] =>
  [...code.matchAll(/["'`](\/[^"'`\s<>\\]{2,200})["'`]/g)]
    .map((match) => match[1] ?? '')
    .filter(isPath)
    .slice(0, 2 * MAX_NAMED)
    .map(named)

const named = (address: string): Endpoint => ({ method: 'GET', address, body: null, called: false })
