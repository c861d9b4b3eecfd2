/**
 * Parameters of an address that files of scripts read and that asked no URLSearchParams: by a router (Angular's maps, the query of Vue's
 * route), or by hand beside `location` (`/[#&]tip=([^&]*)/`, `startsWith('#tip=')`, `pair[0] === 'tip'`). A build has shortened all names
 * but those.
 */

const LONGEST = 2_000_000
const MOST = 20
/** What a router gives its parameters by, also where a build has shortened all names but those of members. */
const HOLDERS = /\b(?:queryParamMap|queryParams|paramMap|searchParams|(?:\$?route|currentRoute)\.query)\b/g
/** Characters behind it in which they are read, also by what is called with it. */
const NEAR = 240
const READ = /\.(?:get|getAll|has)\(\s*["'`]([\w-]{1,30})["'`]/g
const MEMBER =
  /^\s*(?:\??\.\s*(?!(?:subscribe|pipe|get|getAll|has|keys|snapshot|value)\b)([a-z_]\w{0,30})|\[\s*["']([\w-]{1,30})["']\s*\])/i

export const namesReadIn = (code: string): readonly string[] => {
  const text = code.slice(0, LONGEST)
  return [...new Set([...routeNames(text), ...handReadNames(text)])].slice(0, MOST)
}

const routeNames = (text: string): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const { 0: holder, index } of text.matchAll(HOLDERS)) {
    const behind = text.slice(index + holder.length, index + holder.length + NEAR)
    const [, dotted, quoted] = MEMBER.exec(behind) ?? []
    const member = dotted ?? quoted
    if (member !== undefined) names.add(member)
    for (const [, asked = ''] of behind.matchAll(READ)) names.add(asked)
    if (names.size >= MOST) break
  }
  return names
}

const ADDRESS = /\blocation\s*\.\s*(?:hash|search|href)\b|\bdocument\s*\.\s*(?:URL|documentURI)\b/g
/** Characters before and behind what reads the address. */
const BEFORE = 160
const BEHIND = 500
/** A large library has so many at most of its own. */
const MOST_READS = 200

const handReadNames = (text: string): ReadonlySet<string> => {
  const names = new Set<string>()
  let reads = 0
  for (const { index } of text.matchAll(ADDRESS)) {
    const around = text.slice(Math.max(0, index - BEFORE), index + BEHIND)
    for (const name of [...namesIn(around), ...comparedIn(around)]) names.add(name)
    reads += 1
    if (names.size >= MOST || reads >= MOST_READS) break
  }
  return names
}

/** `/[?&]note=/`, `/#note=(.*)/`, `/note=([^&]+)/`, `indexOf('note=')`, `split("note=")`, `startsWith('#note=')`. */
const namesIn = (code: string): readonly string[] =>
  [
    ...code.matchAll(
      /[?&#\]]\)?([a-zA-Z_][\w-]{0,30})=|["'`][?&#]?([a-zA-Z_][\w-]{0,30})=["'`]|\/\^?([a-zA-Z_][\w-]{0,30})=\(/g,
    ),
  ].map(([, signed, quoted, bare]) => signed ?? quoted ?? bare ?? '')

/** What the pieces of an address that is cut at its signs are compared with: `pair[0] === 'note'`, `case "note"`. */
const comparedIn = (code: string): readonly string[] => {
  if (!/split\s*\(\s*(?:["'`][=&]["'`]|\/\[?[=&])/.test(code)) return []
  const literals = code.matchAll(
    /(?:[!=]==?|\bcase)\s*["'`]([a-zA-Z_][\w-]{0,30})["'`]|["'`]([a-zA-Z_][\w-]{0,30})["'`]\s*[!=]==?/g,
  )
  return [...literals].map(([, first, second]) => first ?? second ?? '')
}
