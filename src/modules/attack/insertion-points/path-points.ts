/** Places in the paths of requests: what is a value by its form, what may be one, and what servers hand on behind a program's name. */

import { percentDecoded } from '../../../page/percent.ts'
import { segmentsOf } from '../../../page/segments.ts'
import { isNumberedName, isVariable } from '../../../page/shape.ts'
import type { InsertionPoint, RequestTemplate } from '../crawl/facts.ts'
import { isHandedOut } from './documents.ts'
import { NUMBER, numberOf } from './packed.ts'
import { pathOf, point, points } from './point.ts'

/** Words of paths that are asked, of each folder and in all; so many beside one another are values rather than programs. */
const WORDS_OF_A_FOLDER = 2
const MAX_WORDS = 40
const SIBLINGS = 3
/** Of the others, so many may be values all the same. */
const MAX_LONE_WORDS = 100
/** Of names of documents, one of each folder, and in all. */
const MAX_DOCUMENTS = 24
const MAX_APPENDED = 40
/** Addresses that a record with a number in its name has below it, at most; of more, so many ask for the number. */
const MOST_OF_A_RECORD = 12
const ASKED_BELOW = 4

/** `folders`: see `foldersOfPrograms`. */
export const valuesOfPath = (request: RequestTemplate, folders?: FoldersOfPrograms): readonly InsertionPoint[] =>
  segmentsOf(request.url).flatMap((_, index) =>
    isValue(request, index) && !isProgram(request, index) && !folders?.(request, index) ? valueAt(request, index) : [],
  )

/** Whether a segment is the folder of many programs, and the request none of those at which it is asked. */
export type FoldersOfPrograms = (request: RequestTemplate, index: number) => boolean

/**
 * `sql-03/login`, `sql-03/search`, `sql-03/…`: what a number tells apart and holds more addresses than a record has is a folder. It
 * may be a value all the same, and is asked at the first few of them.
 */
export const foldersOfPrograms = (requests: readonly RequestTemplate[]): FoldersOfPrograms => {
  const folders = new Map<string, { readonly paths: Set<string>; readonly asked: Set<string> }>()
  /** Null where the segment is none of a folder, or names no number. */
  const keyAt = (request: RequestTemplate, at: number): string | null => {
    const segments = segmentsOf(request.url)
    const isFolder = at < segments.length - 1 && request.variables?.includes(at) !== true
    return isFolder && isNumberedName(segments[at] ?? '') ? segments.slice(0, at + 1).join('/') : null
  }
  for (const request of requests)
    for (const at of segmentsOf(request.url).keys()) {
      const key = keyAt(request, at)
      if (key === null) continue
      const folder = folders.get(key) ?? { paths: new Set(), asked: new Set() }
      folders.set(key, folder)
      folder.paths.add(pathOf(request))
      if (folder.asked.size < ASKED_BELOW) folder.asked.add(request.id)
    }
  return (request, at) => {
    const folder = folders.get(keyAt(request, at) ?? '')
    return folder !== undefined && folder.paths.size > MOST_OF_A_RECORD && !folder.asked.has(request.id)
  }
}

/** Of pages that a number in their name tells apart, words, and names of documents. */
export const namesOfPaths = (requests: readonly RequestTemplate[]): readonly InsertionPoint[] => [
  ...wordsOfPaths(requests),
  ...numberedPrograms(requests),
  ...documents(requests),
]

/** Behind the name of a program many servers hand the rest of the path to it, and pages repeat it in their own address. */
export const appended = (reading: readonly RequestTemplate[]): readonly InsertionPoint[] =>
  reading
    .filter((request) => request.method === 'GET' && /\.[a-z]\w{1,4}$/i.test(segmentsOf(request.url).at(-1) ?? ''))
    .slice(0, MAX_APPENDED)
    .map((request) => point(request, 'path', String(segmentsOf(request.url).length), ''))

/** A segment that is a value by its form, or that a description names as one. */
const isValue = (request: RequestTemplate, index: number): boolean =>
  isVariable(segmentsOf(request.url)[index] ?? '') || request.variables?.includes(index) === true

/** A numbered name with an ending that the crawl has taken for a page of its own: `part-3.php`. */
const isProgram = (request: RequestTemplate, index: number): boolean => {
  const segment = segmentsOf(request.url)[index] ?? ''
  const isNamed = isNumberedName(segment) && segmentsOf(request.shape)[index] === segment
  return isNamed && /\.[a-z]\w{1,4}$/i.test(segment) && request.variables?.includes(index) !== true
}

/** Of `part-12.html` the number: what a rule for addresses takes stands before the ending. */
const valueAt = (request: RequestTemplate, index: number): readonly InsertionPoint[] => {
  const whole = percentDecoded(segmentsOf(request.url)[index] ?? '')
  const number = request.variables?.includes(index) ? null : numberOf(whole)
  if (number === null) return points(request, 'path', String(index), whole)
  const place = point(request, 'path', String(index), number)
  return [{ ...place, id: `${place.id}:${NUMBER}`, within: { steps: [NUMBER], whole } }]
}

/**
 * The last segment where several words stand in its place: what a shop calls its goods, an archive its subjects. A lone word may be a
 * value, too.
 */
const wordsOfPaths = (requests: readonly RequestTemplate[]): readonly InsertionPoint[] => {
  const folders = new Map<string, Map<string, RequestTemplate>>()
  for (const request of requests) {
    const segments = segmentsOf(request.url)
    const last = lastNamed(segments)
    const word = segments[last] ?? ''
    if (request.method !== 'GET' || !request.sent || !isWordOfPath(percentDecoded(word))) continue
    if (isValue(request, last)) continue
    const folder = segments.slice(0, last).join('/')
    const siblings = folders.get(folder) ?? new Map<string, RequestTemplate>()
    folders.set(folder, siblings)
    if (!siblings.has(word)) siblings.set(word, request)
  }
  const at = ([word, request]: readonly [string, RequestTemplate]): readonly InsertionPoint[] =>
    points(request, 'path', String(lastNamed(segmentsOf(request.url))), percentDecoded(word))
  const all = [...folders.values()].map((siblings) => ({ siblings: [...siblings], many: siblings.size >= SIBLINGS }))
  const values = all.filter(({ many }) => many)
  // What many folders have is called so by the application.
  const often = Map.groupBy(
    all.flatMap(({ siblings }) => siblings.map(([word]) => word)),
    (word) => word,
  )
  const countOf = ([word]: readonly [string, RequestTemplate]): number => often.get(word)?.length ?? 0
  return [
    // One of each folder first, so that the folders of a large site do not keep others out.
    ...Array.from({ length: WORDS_OF_A_FOLDER }, (_, turn) =>
      values.flatMap(({ siblings }) => siblings.slice(turn, turn + 1)),
    )
      .flat()
      .slice(0, MAX_WORDS)
      .flatMap(at),
    ...all
      .flatMap(({ siblings, many }) => (many ? [] : siblings))
      .toSorted((a, b) => countOf(a) - countOf(b))
      .slice(0, MAX_LONE_WORDS)
      .flatMap(at)
      .map((one) => ({ ...one, guessed: true as const })),
  ]
}

/** Addresses of many frameworks end with a slash: `/courses/python/`. */
const lastNamed = (segments: readonly string[]): number => segments.length - (segments.at(-1) === '' ? 2 : 1)

/** What people would write there, signs and spaces too: names of documents have a way of their own. */
const isWordOfPath = (word: string): boolean => /^[^.;]{1,100}$/.test(word)

/** Each page once: a rule for addresses may take the number for a value all the same. */
const numberedPrograms = (requests: readonly RequestTemplate[]): readonly InsertionPoint[] => {
  const pages = new Map<string, InsertionPoint>()
  for (const request of requests) {
    const last = segmentsOf(request.url).length - 1
    if (request.method !== 'GET' || !request.sent || !isProgram(request, last) || pages.has(pathOf(request))) continue
    for (const one of valueAt(request, last)) pages.set(pathOf(request), { ...one, guessed: true })
  }
  return [...pages.values()]
}

/** A document or picture at the end of a path, of each folder one: a program may hand out what is called so. */
const documents = (requests: readonly RequestTemplate[]): readonly InsertionPoint[] => {
  const folders = new Map<string, InsertionPoint>()
  for (const request of requests) {
    const segments = segmentsOf(request.url)
    const name = percentDecoded(segments.at(-1) ?? '')
    if (request.method !== 'GET' || !request.sent || !isHandedOut(name) || isValue(request, segments.length - 1))
      continue
    const folder = segments.slice(0, -1).join('/')
    if (!folders.has(folder))
      folders.set(folder, { ...point(request, 'path', String(segments.length - 1), name), guessed: true })
  }
  return [...folders.values()].slice(0, MAX_DOCUMENTS)
}
