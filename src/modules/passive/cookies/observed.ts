/** Cookies of a run, grouped by what the browser would store as one, and turned into findings. */

import type { Cookie } from '../../../page/cookies/set-cookie.ts'
import { clip, maskCookie, shellQuoted, weightiest } from '../../evidence/pages.ts'
import type { Finding, FindingDefinition, JudgeContext, Unjudged } from '../../module.ts'
import type { CookieObservation, CookiesFacts } from './facts.ts'
import { type Seen, seenCookies } from './facts-seen.ts'

/** No answer looked at and no cookie in them are two things. */
export const withoutCookies = (facts: CookiesFacts, { now }: JudgeContext): Unjudged | null => {
  if (facts.answers === 0) return { state: 'not_tested', reason: 'No answer of the site could be fetched.' }
  return seenCookies(facts, now).length === 0
    ? { state: 'not_applicable', reason: `None of the ${facts.answers} answers looked at sets a cookie.` }
    : null
}

/** One finding for each cookie name that has the problem, at every address that set it so; names that a number alone tells apart are set by one line. */
export const perCookie = (
  definition: FindingDefinition,
  seen: readonly Seen[],
  problem: (seen: Seen) => string | null,
): readonly Finding[] => {
  const groups = new Map<string, { readonly seen: Seen; readonly says: string }[]>()
  for (const one of seen) {
    const says = problem(one)
    if (says === null) continue
    const subject = numberless(nameOf(one.cookie))
    groups.set(subject, [...(groups.get(subject) ?? []), { seen: one, says }])
  }
  return [...groups].flatMap(([subject, group]) => findingOf(definition, subject, group))
}

const findingOf = (
  definition: FindingDefinition,
  subject: string,
  group: readonly { readonly seen: Seen; readonly says: string }[],
): readonly Finding[] => {
  const [first] = group
  if (first === undefined) return []
  const { observation } = first.seen
  const [name, ...others] = new Set(group.map(({ seen }) => nameOf(seen.cookie)))
  const also = others.length === 0 ? '' : ` The same holds for ${listed(others)}.`
  const urls = [...new Set(group.map(({ seen }) => seen.observation.url))]
  const excerpt = `Set-Cookie: ${maskCookie(observation.line)}`
  return [
    {
      definition,
      confidence: 'confirmed',
      at: { url: observation.url },
      places: urls.slice(1).map((url) => ({ url })),
      detail: `The cookie ${name} of ${observation.url} ${first.says}.${also}`,
      proof: {
        excerpt,
        mark: null,
        replay: replayOf(observation),
      },
      evidence: group.flatMap(({ seen }) => seen.observation.evidence ?? []).slice(0, 5),
      page: weightiest(group.map(({ seen }) => seen.observation.kind)),
      subject,
    },
  ]
}

export const nameOf = ({ name }: Cookie): string => (name === '' ? '(without name)' : stableName(clip(name, 100)))

/** `settings-2` and `settings-31`: of two visitors, of two lists. */
const numberless = (name: string): string => name.replace(/\d+/g, '#')

const MOST_LISTED = 5
const listed = (names: readonly string[]): string =>
  names.length > MOST_LISTED
    ? `${names.slice(0, MOST_LISTED).join(', ')} and ${names.length - MOST_LISTED} more`
    : names.join(', ').replace(/, (?=[^,]*$)/, ' and ')

/** Some servers append random characters to the name (ASPSESSIONIDxxxxxxxx): they would make a new finding every run. */
const stableName = (name: string): string =>
  name.replace(/^(ASPSESSIONID)[A-Z]{8}$/, '$1…').replace(/^(wordpress_(?:logged_in|sec)_)[0-9a-f]{32}$/, '$1…')

/** Null of what a sign-in has set: its request holds a password. */
const replayOf = ({ replay, url }: CookieObservation): string | null =>
  replay === null ? null : `${replay ?? `curl -sS -o /dev/null -D - ${shellQuoted(url)}`} | grep -i '^set-cookie:'`
