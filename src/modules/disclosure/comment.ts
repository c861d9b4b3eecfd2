import { isPlaceholder } from '../../knowledge/secrets/verify.ts'
import type { Check, Finding, FindingDefinition } from '../module.ts'
import type { SiteFacts } from '../site/facts.ts'
import { htmlOf } from './texts.ts'

const credentials: FindingDefinition = {
  id: 'disclosure/comment-credentials',
  title: 'A comment in the page holds a password',
  severity: 'medium',
  cwe: 615,
  cvss: null,
  why: 'Comments are delivered to every visitor. A password in one is published.',
  remediation: 'Change the password, look through the log of the account, and remove the comment from the template.',
  references: ['https://cwe.mitre.org/data/definitions/615.html'],
}

/** `password=…`, `pwd: …`, in the languages that such notes are written in. */
const ASSIGNMENT =
  /\b(?:password|passwd|passwort|kennwort|pwd|passphrase|pass|mot de passe|contraseña)\s{0,3}(?:=|:|\bis\b)\s{0,3}["']?(?<value>[^\s"'<>,;]{5,64})/giu

export const comment: Check<'disclosure', 'site'> = {
  findings: [credentials],
  judge: (_facts, { site }) => {
    const [first, ...others] = sightings(site)
    if (first === undefined) return []
    return [
      {
        definition: credentials,
        confidence: 'firm',
        at: { url: first.url },
        places: others.slice(0, 50).map(({ url }) => ({ url })),
        detail: `A comment of ${first.url} assigns a password (masked here).`,
        proof: { excerpt: first.excerpt, mark: null, replay: `curl -s ${first.url} | grep -n '<!--'` },
      } satisfies Finding,
    ]
  },
}

interface Sighting {
  readonly url: string
  readonly excerpt: string
}

const sightings = (site: SiteFacts): readonly Sighting[] =>
  site.pages.flatMap((page) => {
    const found = htmlOf(page).comments.find((text) => passwordsOf(text).length > 0)
    if (found === undefined) return []
    const passwords = passwordsOf(found)
    const masked = passwords.reduce((text, password) => text.replaceAll(password, '…(masked)'), found)
    return [{ url: page.url, excerpt: `<!--${masked.slice(0, 600)}-->` }]
  })

/** Password hints and code that handles a password are no passwords: one has letters and something else. */
const passwordsOf = (text: string): readonly string[] =>
  [...text.slice(0, 20_000).matchAll(ASSIGNMENT)]
    .map((match) => match.groups?.value ?? '')
    .filter(
      (value) =>
        /[a-z]/i.test(value) && /[^a-z]/i.test(value) && !isPlaceholder(value) && !/[(){}[\]]|^\$|\.\w+$/.test(value),
    )
