/** What a script is read for: requests that it sends, and addresses that it names. */

export interface Endpoint {
  readonly method: string
  /** As written, with examples for what is computed; absolute or relative. */
  readonly address: string
  /** Example of a JSON or form body, where the code shows one. */
  readonly body: {
    readonly encoding: 'json' | 'urlencoded' | 'multipart' | 'xml' | 'text'
    /** At its top. */
    readonly fields: Readonly<Record<string, string>>
    /** The whole document; of JSON. */
    readonly json?: string
    /** The whole document, of XML and other texts, and its media type. */
    readonly text?: string
    readonly type?: string
    /** Names among them that hold a file; of multipart. */
    readonly files?: readonly string[]
  } | null
  /** That the code sets beside: never what may be a secret. */
  readonly headers?: readonly (readonly [name: string, value: string])[]
  /** True where it is an argument of a call that sends a request. */
  readonly called: boolean
  /** It opens a WebSocket: a page is nowhere there. */
  readonly socket?: true
}

/** What a script sets `document.cookie` to. */
export interface ScriptCookie {
  readonly name: string
  /** As it is sent; with examples for what is computed. */
  readonly value: string
  /** The page whose own code does; null of a file. */
  readonly page: string | null
}

/** Stands for what nobody can tell by reading. */
export const EXAMPLE = '1'
