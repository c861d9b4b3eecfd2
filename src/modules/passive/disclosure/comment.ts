import { markupOf } from '../../../page/pages.ts'
import { findPasswords } from '../../../page/passwords.ts'
import type { Check, Finding, FindingDefinition } from '../../module.ts'
import type { SiteFacts } from '../site/facts.ts'
import { conceal, overAll, seenTexts, type Text } from './texts.ts'

const credentials: FindingDefinition = {
  id: 'disclosure/comment-credentials',
  title: 'Credentials in a comment: a page’s source holds a password',
  severity: 'medium',
  cwe: 615,
  why: 'Comments are delivered to every visitor. A password in one is published.',
  remediation: 'Change the password, look through the log of the account, and remove the comment from the template.',
  references: ['https://cwe.mitre.org/data/definitions/615.html'],
}

export const comment: Check<'disclosure', 'site'> = {
  findings: [credentials],
  judge: (facts, { site }, about) => {
    const [first, ...others] = [...sightings(site), ...seenTexts(facts).flatMap(sightingIn)]
    if (first === undefined) return overAll(facts, about, [])
    return overAll(facts, about, [
      {
        definition: credentials,
        confidence: 'firm',
        at: { url: first.url },
        places: others.slice(0, 50).map(({ url }) => ({ url })),
        detail: `A comment of ${first.url} assigns a password (masked here).`,
        proof: { excerpt: first.excerpt, mark: null, replay: `curl -s ${first.url} | grep -n '<!--'` },
      } satisfies Finding,
    ])
  },
}

interface Sighting {
  readonly url: string
  readonly excerpt: string
}

const sightings = (site: SiteFacts): readonly Sighting[] =>
  site.pages.flatMap((page) => {
    const found = markupOf(page).comments.find((text) => findPasswords(text).length > 0)
    return found === undefined ? [] : [{ url: page.url, excerpt: `<!--${conceal(found).slice(0, 600)}-->` }]
  })

const COMMENTS = /<!--(?!\[if)([\s\S]{1,5000}?)-->/g

/** Of an answer whose markup nobody has read otherwise. */
export const sightingIn = ({ url, body }: Pick<Text, 'url' | 'body'>): readonly Sighting[] => {
  const found = [...body.matchAll(COMMENTS).take(200)].find(([text]) => findPasswords(text).length > 0)
  return found === undefined ? [] : [{ url, excerpt: conceal(found[0]).slice(0, 600) }]
}
