/** A page that takes one input, once careless and once careful, with what a scan has to find on the careless one. */
import type { Place } from './place.ts'
import type { DatabaseKind, Sql } from './sql.ts'

export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
  /** The whole answer as it goes on the wire, in place of the rest. */
  readonly raw?: string
}

export interface Surroundings {
  readonly databases: Readonly<Partial<Record<DatabaseKind, Sql>>>
  /** A folder with files that pages may show. */
  readonly folder: string
}

/** The request as it came, for pages that read more than one text from it. */
export interface Raw {
  readonly search: string
  readonly body: string
}

export interface WebCase {
  /** Unique, in addresses: `sqlite-number-query`. */
  readonly id: string
  readonly module: 'sqli' | 'injection' | 'xss'
  /** Any one of these is right. */
  readonly finds: readonly string[]
  /** Has to be among what is found, where another of them would not do. */
  readonly needs?: string
  readonly place: Place
  /** Example value, as a crawl would have seen it. */
  readonly value: string
  readonly effect?: 'reads' | 'writes'
  /** Found only by how long answers take; left out of tests that a busy machine could fail. */
  readonly timed?: true
  /** A firm finding is right as well: no stranger could make another's browser show it. */
  readonly firm?: true
  /** The parameter that the page's own script reads, where that is no input of the server's. */
  readonly reads?: string
  /** The page is among those that the crawl saw. */
  readonly listed?: true
  readonly answer: (value: string, careful: boolean, around: Surroundings, raw: Raw) => Promise<Answer> | Answer
}

/** The name of the input in its place; a JSON pointer, an XML element, a segment's index where the place says so. */
export const nameOf = (place: Place): string =>
  ({ json: '/item/q', xml: 'q', path: '2', header: 'Referer', cookie: 'q' })[place as string] ?? 'q'

/** A page of ordinary size with things that change by themselves, as pages have. */
export const page = (content: string): string =>
  `<!doctype html><html lang="en"><head><title>Shop</title><meta name="csrf" content="${crypto.randomUUID()}"></head>` +
  `<body><nav><a href="/">Home</a> <a href="/range">Range</a></nav><main>${content}</main>` +
  `<footer>Served ${new Date().toISOString()}. Northfold, outdoor goods since 1998.</footer></body></html>`

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
