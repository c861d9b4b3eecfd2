/** Which texts are addresses, and the address that a text with gaps gives. */
import { queryOf } from './bodies.ts'
import { EXAMPLE } from './endpoint.ts'
import { known, type Value } from './value.ts'

export const isAddress = (text: string): boolean =>
  text.length <= 500 &&
  /^[\w./:?=&%{}~@+,;$!'()*[\]-]+$/.test(text) &&
  /[a-z]/i.test(text) &&
  !/^(?!https?:)[a-z][\w+.-]*:/i.test(text)

const ASSET = /\.(?:js|mjs|css|png|jpe?g|gif|svg|webp|woff2?|ttf|map|ico|mp4)(?:[?#]|$)/i
/** A path as routes are written, and no closing tag, comment, date or regular expression. */
const PATH =
  /^\/(?!\/)[a-z0-9_.~@{}:%+-]+(?:\/[\w.~@{}:%+-]*)*(?:\?(?:[\w.~@{}:%+=&[\]-]*|[\w[\].-]+=[\w.~@{}:%+=&[\]/,;-]*))?$/i

export const isPath = (text: string): boolean =>
  text.length > 2 && text.length <= 200 && PATH.test(text) && !ASSET.test(text) && !OF_PACKAGE.test(text)

/** Where a package lay when the file was built, as bundlers write it: `/ROOT/node_modules/next/dist/`. */
const OF_PACKAGE = /\/(?:node_modules|bower_components)\//

const MOST_IN_MARKUP = 40

/** Paths in markup that a script holds as a text: where its links and forms lead, and what its frames show. */
export const pathsInMarkup = (text: string): readonly string[] =>
  /<[a-z][^<>]*\s(?:href|src|action)=/i.test(text)
    ? [...text.slice(0, LONGEST_MARKUP).matchAll(/\s(?:href|src|action)=["'](\/[^"'<>\s]{1,200})["']/gi)]
        .map(([, path = '']) => path.replaceAll('&amp;', '&'))
        .filter(isPath)
        .slice(0, MOST_IN_MARKUP)
    : []
const LONGEST_MARKUP = 65_536

const LONGEST_COMMENT = 5_000
const MOST_IN_COMMENTS = 40

/** What people have left in comments: a path in quotes, or one of several parts that stands alone among words. */
export const pathsInComments = (comments: readonly string[]): readonly string[] => {
  const found = comments.slice(0, 2_000).flatMap((comment) => {
    const text = comment.slice(0, LONGEST_COMMENT)
    const quoted = [...text.matchAll(/["'`](\/[^"'`\s<>\\]{2,200})["'`]/g)]
    const bare = [...text.matchAll(/(?<=^|[\s(:=])(\/(?!\/)[\w.~-]+(?:\/[\w.~-]+)+\/?)(?=[\s,;:)]|\.?(?:\s|$))/gm)]
    return [...quoted, ...bare].map(([, path = '']) => path.replace(/\.$/, ''))
  })
  return [...new Set(found)].filter((path) => isPath(path) && !OF_A_DISK.test(path)).slice(0, MOST_IN_COMMENTS)
}

/** Where a file lay on the machine of whoever wrote it. */
const OF_A_DISK =
  /^\/(?:home|users|usr|var|tmp|opt|etc|root|mnt|node_modules|src|dist)\/|\.(?:[jt]sx?|vue|svelte|scss|less)$/i

/** Where somebody is sent: a file name or path, with a query or not. */
export const isPlace = (text: string): boolean =>
  text.length > 1 &&
  text.length <= 500 &&
  /^(?:https?:\/\/|\.{0,2}\/|[\w-]+[\w./-]*(?:\?|\.\w{2,5}(?:[?#]|$))|\?)[^\s<>]*$/.test(text) &&
  !ASSET.test(text)

/** `page.php?id=`: a name of a file with a query is nothing else. */
export const isQueried = (text: string): boolean =>
  text.length <= 300 &&
  /^(?:[\w.-]+\/)*[\w-]+(?:\.\w{2,5})?\?[\w[\].-]+=[\w.~@{}:%+=&[\]-]*$/.test(text) &&
  !ASSET.test(text)

/** Null where a client that nobody knows for certain may mean anything by it. */
export const asCalled = (text: string, evident: boolean): string | null =>
  isAddress(text) &&
  ((evident && OF_THE_PAGE.test(text)) ||
    (/[a-z]/i.test(text.replace(/[?#].*$/s, '')) && (ROOTED.test(text) || (evident && /^[a-z\d]/.test(text)))))
    ? text
    : null

/** `?action=list&page=1`: the page itself, asked for something else. */
const OF_THE_PAGE = /^\?[\w[\].-]+=/

const ROOTED = /^(?:\/(?!\/|$)|https?:|\.{1,2}\/)/

/** All texts that a value may be, gaps filled with an example; none where nothing of it is known. */
export const addressesOf = (value: Value, base: Value | null): readonly string[] => {
  const prefixes = base === null ? [null] : textsOf(base)
  return textsOf(value).flatMap((address) =>
    (prefixes.length > 0 ? prefixes : [null]).map((prefix) => withBase(address, prefix)),
  )
}

const textsOf = (value: Value): readonly string[] => {
  if (value.kind === 'choice') return [...new Set(value.of.flatMap(textsOf))]
  if (value.kind !== 'text') return []
  const filled = filledAddress(value.pieces)
  return filled === null ? [] : [filled]
}

const withBase = (address: string, base: string | null): string =>
  base === null || base === '' || /^(?:https?:)?\/\//.test(address)
    ? address
    : `${base.replace(/\/$/, '')}/${address.replace(/^\//, '')}`

/**
 * A base that nobody knows is left out before a slash; before anything else the whole is unknown. What stands for a whole query, or
 * is put to the end of a word, may be empty.
 */
export const filledAddress = (pieces: readonly (string | Value)[]): string | null => {
  const parts = pieces.filter((piece) => piece !== '')
  const start = parts.findIndex((piece) => typeof piece === 'string')
  const first = parts[start]
  if (typeof first !== 'string') return null
  // Behind an unknown base stands at least one name.
  if (start > 0 && !/^\/[^/]|^\/\/$/.test(first)) return null
  if (start === 0 && /^https?:\/\/$/.test(first)) return null
  const rest = parts.slice(start)
  const text = rest.map((piece, index) => (typeof piece === 'string' ? piece : gap(rest, index, piece))).join('')
  const local = start > 0 || /^\/\/$/.test(first) ? text.replace(/^\/\/[^/]*/, '') : text
  const plain = local.replace(/[?&]$/, '').trim()
  return plain === '' ? null : plain
}

const gap = (parts: readonly (string | Value)[], index: number, value: Value): string => {
  const before = parts[index - 1]
  const last = typeof before === 'string' ? before.at(-1) : undefined
  // A query that is put together from a form.
  if (last === '?' || last === '&') {
    const query = queryOf(value, '')
    if (query !== '') return query
  }
  const next = parts[index + 1]
  const isQuery = parts.slice(0, index).some((part) => typeof part === 'string' && part.includes('?'))
  // What separates two parameters.
  if (isQuery && last !== '=' && typeof next === 'string' && /^[\w[\].-]+=/.test(next)) return '&'
  const ends = index === parts.length - 1
  if (ends && last !== undefined && /[\w?]/.test(last)) return ''
  const example = value.kind === 'unknown' ? value.example : undefined
  const asValue = last === '=' && example !== undefined && example !== ''
  return asValue ? encodeURIComponent(String(example)) : (known(value) ?? EXAMPLE)
}
