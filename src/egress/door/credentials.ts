/** Where the run's credentials may go: its own host and port, and never in clear where the host speaks https. */
import { isAtPort } from '../../contract/site-scope.ts'

export interface Credentials {
  readonly cookie: string | null
  /** One header line, "Name: value". */
  readonly header: string | null
  /** Stands in bodies of JSON that have a member of the name. */
  readonly member?: BodyMember
}

export interface BodyMember {
  readonly name: string
  readonly value: string
}

/** Has them, or will come by them. */
export const hasCredentials = ({ cookie, header, signIn }: Credentials & { readonly signIn?: object }): boolean =>
  cookie !== null || header !== null || signIn !== undefined

/** Names of the cookies that a run brings. */
export const cookieNames = ({ cookie }: Pick<Credentials, 'cookie'>): readonly string[] =>
  pairsOf(cookie ?? '')
    .map(nameOf)
    .filter((name) => name !== '')

/** Of the header beside the cookies, in lower case; none where there is none. */
export const headerNames = ({ header }: Pick<Credentials, 'header'>): readonly string[] => {
  const name = (header ?? '').split(':')[0]?.trim().toLowerCase() ?? ''
  return name === '' ? [] : [name]
}

export interface CredentialHeader {
  readonly name: string
  readonly value: string
}

export interface Vault {
  readonly present: () => boolean
  /** Whether credentials are for this address, in clear or not. */
  readonly isOwn: (url: URL) => boolean
  /** Whether a header of that name, in lower case, is among them, or one that holds the text. */
  readonly carries: (name: string, text: string) => boolean
  /** From now on others: a session was begun. */
  readonly replace: (credentials: Credentials) => void
  /** The headers that a request to this URL carries; empty for every other host. */
  readonly headersFor: (url: URL) => Promise<readonly CredentialHeader[]>
  /** The member that a body of JSON to this URL carries, and the values that it had before; null for every other host. */
  readonly memberFor: (url: URL) => Promise<(BodyMember & { readonly former: readonly string[] }) | null>
  /** What they were before they were replaced, the newest first: for what looks whether a token is taken after its end. */
  readonly formerFor: (url: URL) => readonly (readonly CredentialHeader[])[]
  /** Told of every https answer, so that the door to http closes for good. */
  readonly sawHttps: (url: URL) => void
}

export const createVault = (options: {
  readonly credentials: Credentials
  /** Canonical host name; port null means 80 and 443. */
  readonly target: { readonly host: string; readonly port: number | null }
  /** Whether a TLS handshake on the run's own https port succeeds. Asked at most once. */
  readonly httpsAnswers: () => Promise<boolean>
}): Vault => {
  let headers = headersOf(options.credentials)
  const { host, port } = options.target
  let member = options.credentials.member
  let formerValues: readonly string[] = []
  let former: readonly (readonly CredentialHeader[])[] = []
  let https = false
  let asked: Promise<boolean> | null = null
  const own = (url: URL) => url.hostname === host && isAtPort(port, url)
  const mayCarry = async (url: URL): Promise<boolean> => {
    if (!own(url)) return false
    if (url.protocol === 'https:') return true
    asked ??= options.httpsAnswers()
    return !(https || (await asked) || https)
  }
  return {
    present: () => headers.length > 0 || member !== undefined,
    isOwn: own,
    carries: (name, text) => headers.some((one) => one.name.toLowerCase() === name || one.value.includes(text)),
    formerFor: (url) => (own(url) ? former : []),
    replace: (credentials) => {
      if (headers.length > 0) former = [headers, ...former].slice(0, MOST_FORMER)
      headers = headersOf(credentials)
      if (member !== undefined && member.value !== credentials.member?.value)
        formerValues = [member.value, ...formerValues].slice(0, MOST_FORMER)
      member = credentials.member
    },
    sawHttps: (url) => {
      if (url.protocol === 'https:' && own(url)) https = true
    },
    headersFor: async (url) => (headers.length > 0 && (await mayCarry(url)) ? headers : []),
    memberFor: async (url) =>
      member !== undefined && (await mayCarry(url)) ? { ...member, former: formerValues } : null,
  }
}

const MOST_FORMER = 8

/** Own cookies first; one that the caller sets by the same name takes its place, or gives way to it. */
export const mergeCookies = (own: string, given: string, stays: 'given' | 'own' = 'given'): string =>
  (stays === 'given' ? [...without(own, given), ...pairsOf(given)] : [...pairsOf(own), ...without(given, own)]).join(
    '; ',
  )

const pairsOf = (cookies: string): readonly string[] =>
  cookies
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')

const without = (cookies: string, others: string): readonly string[] => {
  const taken = new Set(pairsOf(others).map(nameOf))
  return pairsOf(cookies).filter((pair) => !taken.has(nameOf(pair)))
}

const nameOf = (pair: string): string => (pair.split('=')[0] ?? '').trim()

const headersOf = ({ cookie, header }: Credentials): CredentialHeader[] => {
  const colon = header?.indexOf(':') ?? -1
  return [
    ...(cookie ? [{ name: 'Cookie', value: cookie }] : []),
    ...(header && colon > 0 ? [{ name: header.slice(0, colon).trim(), value: header.slice(colon + 1).trim() }] : []),
  ]
}
