/**
 * What pages keep of a session, beside the cookies that requests carry: applications that one document draws hold their token in Web Storage, or
 * in a cookie that they read themselves, and show nobody's pages to a browser that has none, whatever its requests carry.
 */
export interface PageStorage {
  /** As the browser that signed in had it in the end. */
  readonly items: readonly StoredItem[]
  /** For a name that a page asks for in vain, where nobody has seen what it keeps. */
  readonly offers: StorageOffers
}

export interface StoredItem {
  /** `cookie`: one that scripts read, with its name and value as it stands among them. */
  readonly area: 'local' | 'session' | 'cookie'
  readonly name: string
  readonly value: string
}

export interface StorageOffers {
  /** Of what the sign-in answered, by the plain form of its name (see `plainName`): texts as they are, all else as JSON. */
  readonly members: Readonly<Record<string, string>>
  /** What later requests carry, without the scheme before it. */
  readonly token: string | null
  /** The object of the answer that holds the token, as JSON. */
  readonly holder: string | null
}

export const NO_OFFERS: StorageOffers = { members: {}, token: null, holder: null }

/** All texts within, by name: what is secret among them has to be hidden from people. */
export const textsOf = ({
  items,
  offers,
}: PageStorage): readonly { readonly name: string; readonly value: string }[] => {
  const texts: { name: string; value: string }[] = []
  const visit = (name: string, value: unknown): void => {
    if (typeof value === 'string') texts.push({ name, value })
    else if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) visit(Array.isArray(value) ? name : key, inner)
  }
  const all = [...items.map(({ name, value }) => [name, value] as const), ...Object.entries(offers.members)]
  for (const [name, value] of all) visit(name, /^\s*[{["]/.test(value) ? (parsed(value) ?? value) : value)
  return texts
}

const MOST_MEMBERS = 60
const DEEPEST = 4
const LONGEST = 16_384

/** `header`: the line that later requests carry; `answers`: bodies that the sign-in was answered with, JSON or not; the last counts most. */
export const storageOffers = (header: string | null, answers: readonly string[] = []): StorageOffers => {
  const token = tokenOf(header)
  const members = new Map<string, string>()
  let holder: string | null = null
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > DEEPEST) return
    const inner = Object.entries(value)
    if (token !== null && inner.some(([, one]) => one === token)) holder ??= textOf(value)
    for (const [name, one] of inner) {
      const text = textOf(one)
      if (text !== null && members.size < MOST_MEMBERS && !members.has(plainName(name)))
        members.set(plainName(name), text)
      visit(one, depth + 1)
    }
  }
  for (const answer of answers.toReversed()) visit(parsed(answer), 0)
  return { members: Object.fromEntries(members), token, holder }
}

/** Without case and signs: `access_token` and `accessToken` are one name. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Behind the scheme (RFC 9110, 11.4), or the whole value. Of a name and password no page keeps anything. */
const tokenOf = (header: string | null): string | null => {
  const value = /^[^:]+:\s*(.+)$/s.exec(header ?? '')?.[1]?.trim() ?? ''
  const [, scheme = '', rest = ''] = /^([\w-]+)\s+(\S.*)$/.exec(value) ?? []
  if (/^(?:basic|digest|negotiate|ntlm)$/i.test(scheme)) return null
  const token = scheme === '' ? value : rest
  return token === '' ? null : token
}

const textOf = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > LONGEST ? null : text
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null // A page, say: nothing stands in it by a name.
    throw error
  }
}
