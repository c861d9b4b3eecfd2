/** Parameters that scripts read through a router, which asks no URLSearchParams: Angular's maps, the query of Vue's route. */

const LONGEST = 2_000_000
const MOST = 20
/** What a router gives its parameters by, also where a build has shortened all names but those of members. */
const HOLDERS = /\b(?:queryParamMap|queryParams|paramMap|searchParams|(?:\$?route|currentRoute)\.query)\b/g
/** Characters behind it in which they are read, also by what is called with it. */
const NEAR = 240
const READ = /\.(?:get|getAll|has)\(\s*["'`]([\w-]{1,30})["'`]/g
const MEMBER =
  /^\s*(?:\??\.\s*(?!(?:subscribe|pipe|get|getAll|has|keys|snapshot|value)\b)([a-z_]\w{0,30})|\[\s*["']([\w-]{1,30})["']\s*\])/i

export const routeNamesIn = (code: string): readonly string[] => {
  const text = code.slice(0, LONGEST)
  const names = new Set<string>()
  for (const { 0: holder, index } of text.matchAll(HOLDERS)) {
    const behind = text.slice(index + holder.length, index + holder.length + NEAR)
    const [, dotted, quoted] = MEMBER.exec(behind) ?? []
    const member = dotted ?? quoted
    if (member !== undefined) names.add(member)
    for (const [, asked = ''] of behind.matchAll(READ)) names.add(asked)
    if (names.size >= MOST) break
  }
  return [...names].slice(0, MOST)
}
