/** Where an attacker can put a value before a page's scripts, and the way to the page with the value there. */
import { hashRouteOf } from '../../../../page/shape.ts'
import type { Approach } from '../browser/approach.ts'
import type { DomSource } from '../facts.ts'
import {
  withDocumentQuery,
  withFragment,
  withParts,
  withPathSegment,
  withRouteSegment,
  withWrittenQuery,
} from './addresses.ts'
import type { Watcher } from './watching.ts'

/** A place to put a value in, and the way to the page with the value there. */
export interface Source {
  readonly kind: DomSource
  readonly name: string | null
  readonly word: string
  readonly with: (value: string) => Approach
  /** As it stands in an address that nobody encoded whole: for scripts that decode no more than that. */
  readonly written?: (value: string) => Approach
}

/** What would end the value in an address; browsers encode quotes, brackets and spaces themselves. */
const written = (value: string): string => value.replace(/[#%&+]/g, encodeURIComponent)

/** A fragment is taken as it is written; a parameter of a route ends at what would end it. */
export const inFragment = (url: string, value: string): string => (hashRouteOf(url) === null ? value : written(value))

export const plain = (url: string): Approach => ({ method: 'GET', url, body: null })

export type Outer = Readonly<Record<'fragment' | 'query' | 'name' | 'referrer' | 'message', Source>>

export const wordsOf = (sources: readonly Source[] | Outer): readonly string[] =>
  Object.values(sources).map(({ word }) => word)

/** One visit fills all that the address of the page itself does not name. */
export const everything = (url: string, { fragment, query, name, referrer }: Outer): Approach => ({
  ...plain(withFragment(withDocumentQuery(url, 'qx', query.word), fragment.word)),
  opener: { name: name.word, query: referrer.word, messages: [] },
})

export const outerSources = (url: string, watcher: Watcher): Outer => ({
  fragment: {
    kind: 'fragment',
    name: null,
    word: watcher.word(),
    with: (value) => plain(withFragment(url, inFragment(url, value))),
  },
  query: {
    kind: 'query',
    name: 'qx',
    word: watcher.word(),
    // A script that reads the address as a whole sees it as it was written.
    with: (value) => plain(withWrittenQuery(url, `qx=${written(value)}`)),
  },
  name: {
    kind: 'window-name',
    name: null,
    word: watcher.word(),
    with: (value) => ({ ...plain(url), opener: { name: value, query: '', messages: [] } }),
  },
  referrer: {
    kind: 'referrer',
    name: null,
    word: watcher.word(),
    with: (value) => ({
      ...plain(url),
      opener: { name: '', query: value.replace(/[#%]/g, encodeURIComponent), messages: [] },
    }),
  },
  message: { kind: 'message', name: null, word: watcher.word(), with: () => plain(url) },
})

export const querySource = (url: string, name: string, word: string): Source => ({
  kind: 'query',
  name,
  word,
  with: (value) => plain(withDocumentQuery(url, name, value)),
  written: (value) => plain(withDocumentQuery(url, name, PLACE).replace(PLACE, () => written(value))),
})

const PLACE = 'qxplace'

/** `#name=value`, as pages read it that keep what they show there; of a route its own parameter. */
export const partSource = (url: string, name: string, word: string): Source => ({
  kind: 'fragment',
  name,
  word,
  with: (value) => plain(withParts(url, [[name, encodeURIComponent(value)]])),
  written: (value) => plain(withParts(url, [[name, written(value)]])),
})

/** A part of the path behind the #. */
export const segmentSource = (url: string, index: number, word: string): Source => ({
  kind: 'fragment',
  name: `segment ${index + 1} of the route`,
  word,
  with: (value) => plain(withRouteSegment(url, index, value)),
})

/** A part of the path of the document. */
export const pathSource = (url: string, index: number, word: string): Source => ({
  kind: 'path',
  name: `segment ${index + 1}`,
  word,
  with: (value) => plain(withPathSegment(url, index, value)),
})

/** Behind the #, where the page is open already. */
export const movedSource = (url: string, word: string): Source => ({
  kind: 'fragment',
  name: null,
  word,
  with: (value) => ({ ...plain(url), moved: withFragment(url, inFragment(url, value)) }),
})

/** `name=value` behind the #, where the page is open already. */
export const movedPartSource = (url: string, name: string, word: string): Source => ({
  kind: 'fragment',
  name,
  word,
  with: (value) => ({ ...plain(url), moved: withParts(url, [[name, encodeURIComponent(value)]]) }),
})

/** Behind the #, after words that choose a part of the page. */
export const anchoredSource = (url: string, start: string, word: string): Source => ({
  kind: 'fragment',
  name: null,
  word,
  with: (value) => plain(withFragment(url, `${start}${value}`)),
  written: (value) => plain(withFragment(url, `${start}${encodeURIComponent(value)}`)),
})

/** A message of this site, and of no other. */
export const messageFrom = (url: string, origin: string, word: string): Source => ({
  kind: 'message',
  name: null,
  word,
  with: () => ({ ...plain(url), opener: { name: '', query: '', messages: [], origin } }),
})

export const storageSource = (url: string, name: string, word: string): Source => ({
  kind: 'storage',
  name,
  word,
  with: (value) => ({ ...plain(url), storage: { [name]: value } }),
})

export const cookieSource = (url: string, name: string, word: string): Source => ({
  kind: 'cookie',
  name,
  word,
  // A semicolon would end it; pages mostly decode what they read.
  with: (value) => ({ ...plain(url), cookies: { [name]: value.replaceAll(';', '%3B') } }),
})
