/** A site of the privacy testbed: one behaviour, or the innocent twin of one. */

export interface Ask {
  readonly url: URL
  readonly method: string
  readonly header: (name: string) => string | null
  readonly cookie: (name: string) => string | null
}

export interface Answer {
  readonly status?: number
  readonly type?: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string | Buffer
  /** Bytes of text that follow the body, as fast as they are taken. */
  readonly flood?: number
  /** No answer at all. */
  readonly never?: boolean
}

export type Serve = Answer | ((ask: Ask) => Answer)

export interface PrivacyPage {
  /** The site's host is `NAME.test`. */
  readonly name: string
  /** What it does, in one sentence. */
  readonly shows: string
  /** Ids without `privacy/` of what has to be found. */
  readonly must: readonly string[]
  /** True as well, as a consequence; found or not, neither counts. Everything else is a false alarm. */
  readonly may?: readonly string[]
  /** What runs takes no notice: `always` whatever is pressed, `asked` as soon as anything is. Adds what follows from that. */
  readonly runs?: 'always' | 'asked'
  readonly lang?: string
  /** As the operator declared the site. */
  readonly context?: 'shop'
  /** Head and body of the start page. */
  readonly head?: string
  readonly body?: string
  /** Of the start page. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** Further addresses of the site. */
  readonly paths?: Readonly<Record<string, Serve>>
  /** Names below the site's: what they serve, and what they are an alias of. */
  readonly below?: Readonly<
    Record<string, { readonly alias?: `${string}.${string}`; readonly paths: Readonly<Record<string, Serve>> }>
  >
  /** False leaves the footer with policy and imprint out. */
  readonly footer?: boolean
  /** Whom the privacy policy names. */
  readonly names?: readonly string[]
}

export const hostOf = (page: PrivacyPage): string => `${page.name}.test`

export const html = (body: string): Answer => ({ type: 'text/html; charset=utf-8', body })
export const script = (body: string): Answer => ({ type: 'text/javascript; charset=utf-8', body })
export const json = (body: unknown): Answer => ({ type: 'application/json', body: JSON.stringify(body) })

/** One transparent pixel. */
export const GIF: Answer = {
  type: 'image/gif',
  body: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
}
export const EMPTY: Answer = { status: 204 }
