/** Where an attacker can put a value before a page's scripts, and the way to the page with the value there. */
import { withQuery } from '../../insertion-points/compose.ts'
import type { Approach } from '../browser/approach.ts'
import type { DomSource } from '../facts.ts'
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

export const plain = (url: string): Approach => ({ method: 'GET', url, body: null })

export type Outer = Readonly<Record<'fragment' | 'query' | 'name' | 'referrer' | 'message', Source>>

export const wordsOf = (sources: readonly Source[] | Outer): readonly string[] =>
  Object.values(sources).map(({ word }) => word)

/** One visit fills all that the address of the page itself does not name. */
export const everything = (url: string, { fragment, query, name, referrer }: Outer): Approach => ({
  ...plain(`${withQuery(url, 'qx', query.word)}#${fragment.word}`),
  opener: { name: name.word, query: referrer.word, messages: [] },
})

export const outerSources = (url: string, watcher: Watcher): Outer => ({
  fragment: { kind: 'fragment', name: null, word: watcher.word(), with: (value) => plain(`${url}#${value}`) },
  query: {
    kind: 'query',
    name: 'qx',
    word: watcher.word(),
    // A script that reads the address as a whole sees it as it was written.
    with: (value) => plain(`${url}${url.includes('?') ? '&' : '?'}qx=${written(value)}`),
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
  with: (value) => plain(withQuery(url, name, value)),
  written: (value) => plain(withQuery(url, name, PLACE).replace(PLACE, () => written(value))),
})

const PLACE = 'qxplace'

/** `#name=value`, as pages that route by it read it. */
export const partSource = (url: string, name: string, word: string): Source => ({
  kind: 'fragment',
  name,
  word,
  with: (value) => plain(`${url}#${name}=${encodeURIComponent(value)}`),
  written: (value) => plain(`${url}#${name}=${written(value)}`),
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
