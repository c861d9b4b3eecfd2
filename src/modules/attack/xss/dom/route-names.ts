/** Parameters that scripts read through a router, which asks no URLSearchParams (Angular's maps, the query of Vue's route), or by name. */

const LONGEST = 2_000_000
const MOST = 20
/** What a router gives its parameters by, also where a build has shortened all names but those of members. */
const HOLDERS = /\b(?:queryParamMap|queryParams|paramMap|searchParams|(?:\$?route|currentRoute)\.query)\b/g
/** Characters behind it in which they are read, also by what is called with it. */
const NEAR = 240
const READ = /\.(?:get|getAll|has)\(\s*["'`]([\w-]{1,30})["'`]/g
const MEMBER =
  /^\s*(?:\??\.\s*(?!(?:subscribe|pipe|get|getAll|has|keys|snapshot|value)\b)([a-z_]\w{0,30})|\[\s*["']([\w-]{1,30})["']\s*\])/i

/** `new URLSearchParams(location.search).get('next')`, and what a router's query has: whether it is read when the page opens or later. */
export const queryNamesIn = (code: string): readonly string[] => {
  const text = code.slice(0, LONGEST)
  const names = new Set(routeNamesIn(text))
  for (const [, name = ''] of text.matchAll(QUERIED)) names.add(name)
  for (const { 0: given, 1: holder = '', index } of text.matchAll(HELD)) {
    const behind = text.slice(index + given.length, index + given.length + SCOPE)
    for (const [, of, name = ''] of behind.matchAll(OF_HOLDER)) if (of === holder) names.add(name)
  }
  return [...names].slice(0, MOST_QUERIED)
}
const QUERIED = /(?:URLS|\bs)earchParams\b[^;]{0,80}?\)?\s*\.get\(\s*["'`]([\w-]{1,30})["'`]/g
const HELD = /([\w$]{1,40})\s*=\s*(?:new\s+URLSearchParams\b|new\s+URL\([^()]{0,60}\)\.searchParams\b)/g
const OF_HOLDER = /([\w$]{1,40})\.get\(\s*["'`]([\w-]{1,30})["'`]/g
/** Characters behind it. */
const SCOPE = 2_000
const MOST_QUERIED = 100

/** Blanks are bounded: several runs of them stand side by side. Whoever listens is given them: `.subscribe(p => … p.next …)`, `.pipe(map(({ next }) => …))`. */
const GIVEN =
  /^\s{0,9}\.\s{0,9}(?:subscribe|pipe)\(\s{0,9}(?:[\w$.]{1,40}\(\s{0,9})?(?:async\s{1,9})?(?:function\s{0,9}\w{0,30}\s{0,9})?(?:\(?\s{0,9}([\w$]{1,30})(?:\s{0,9}:\s{0,9}\w+)?\s{0,9}\)?\s{0,9}(?:=>|\{)|\(\s{0,9}\{([^{}]{1,200})\}\s{0,9}\)\s{0,9}=>)/
/** Characters of what listens that are read. */
const LISTENING = 600

const givenNames = (behind: string): readonly string[] => {
  const { 0: head = '', 1: name, 2: taken } = GIVEN.exec(behind) ?? []
  if (taken !== undefined) return taken.split(',').flatMap((one) => /^\s*([a-z_]\w{0,30})/i.exec(one)?.[1] ?? [])
  if (name === undefined) return []
  const body = behind.slice(head.length)
  const read = new RegExp(
    `(?<![\\w$.])${name.replaceAll('$', '\\$')}(?:\\??\\.([a-z_]\\w{0,30})(?!\\w|\\s*\\()|\\[\\s*["']([\\w-]{1,30})["']\\s*\\])`,
    'gi',
  )
  return [...body.matchAll(read)].flatMap(([, dotted, quoted]) => dotted ?? quoted ?? [])
}

export const routeNamesIn = (code: string): readonly string[] => {
  const text = code.slice(0, LONGEST)
  const names = new Set<string>()
  for (const { 0: holder, index } of text.matchAll(HOLDERS)) {
    const end = index + holder.length
    for (const name of givenNames(text.slice(end, end + LISTENING))) names.add(name)
    const behind = text.slice(end, end + NEAR)
    const [, dotted, quoted] = MEMBER.exec(behind) ?? []
    const member = dotted ?? quoted
    if (member !== undefined) names.add(member)
    for (const [, asked = ''] of behind.matchAll(READ)) names.add(asked)
    if (names.size >= MOST) break
  }
  return [...names].slice(0, MOST)
}
