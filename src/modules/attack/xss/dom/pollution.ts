/** Prototype pollution: members that a page's scripts read and nobody sets, set on every object by what the address holds. */
import { withQuery } from '../../insertion-points/compose.ts'
import { namesIn } from './messages.ts'
import { plain, type Source } from './sources.ts'

/** Names of members that are tried, and of parameters that may hold JSON. */
const MOST_MEMBERS = 12
const MOST_PARAMETERS = 3

/** Ways in which parsers of parameters name a member of the prototype. */
const NAMED: readonly ((member: string) => string)[] = [
  (member) => `__proto__[${member}]`,
  (member) => `constructor[prototype][${member}]`,
  (member) => `__proto__.${member}`,
]

/** Code that sets members whose names it does not know. */
const SETS = /\[\s*[a-z_$][\w$.]*\s*\]\s*=[^=]|\b(?:deparam|deepmerge|defaultsDeep)\b|\b(?:extend|merge)\s*\(/i

/** One visit, with all of its sources in the address at once. */
export interface Polluting {
  readonly url: string
  readonly sources: readonly Source[]
}

/** None where the code sets no members by names that come from elsewhere. `names`: parameters that it reads. */
export const pollutingVisits = (
  url: string,
  code: string,
  names: readonly string[],
  word: () => string,
): readonly Polluting[] => {
  if (!SETS.test(code)) return []
  const members = namesIn(code).slice(0, MOST_MEMBERS)
  if (members.length === 0) return []
  const pairs = members.flatMap((member) => NAMED.map((way) => way(member)))
  const queries = pairs.map((name): Source => ({ ...{ kind: 'query', name, word: word() }, with: inQuery(url, name) }))
  const fragments = pairs.map(
    (name): Source => ({ ...{ kind: 'fragment', name, word: word() }, with: inFragment(url, name) }),
  )
  const parsed = names.slice(0, MOST_PARAMETERS)
  const inJson = members.flatMap((member): readonly Source[] => [
    {
      kind: 'fragment',
      name: null,
      word: word(),
      with: (value) => plain(`${url}#${encodeURIComponent(jsonOf([[member, value]]))}`),
    },
    ...parsed.map(
      (name): Source => ({
        ...{ kind: 'query', name, word: word() },
        with: (value) => plain(withQuery(url, name, jsonOf([[member, value]]))),
      }),
    ),
  ])
  const all = (of: (source: Source) => boolean): string =>
    jsonOf(inJson.filter(of).map(({ word: own }, index) => [members[index] ?? '', own]))
  const queried = queries.reduce((so, { name, word: own }) => withQuery(so, name ?? '', own), url)
  const fragment = fragments.map(({ name, word: own }) => `${name}=${own}`).join('&')
  const given = parsed.reduce(
    (so, name) =>
      withQuery(
        so,
        name,
        all((one) => one.name === name),
      ),
    url,
  )
  return [
    { url: `${queried}#${fragment}`, sources: [...queries, ...fragments] },
    { url: `${given}#${encodeURIComponent(all(({ name }) => name === null))}`, sources: inJson },
  ]
}

const inQuery = (url: string, name: string) => (value: string) => plain(withQuery(url, name, value))
const inFragment = (url: string, name: string) => (value: string) =>
  plain(`${url}#${name}=${encodeURIComponent(value)}`)

/** Written by hand: an object of ours would take `__proto__` for its own. */
const jsonOf = (members: readonly (readonly [name: string, value: string])[]): string =>
  `{"__proto__":{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}}`
