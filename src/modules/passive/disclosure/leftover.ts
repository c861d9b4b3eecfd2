import { markupOf } from '../../../page/pages.ts'
import { withoutComments } from '../../../page/visible.ts'
import { isHandbook } from '../../../safety/safety.ts'
import type { Check, Finding, FindingDefinition } from '../../module.ts'
import type { SiteFacts } from '../site/facts.ts'
import type { DisclosureFacts } from './facts.ts'
import { codeTexts, excerptAround, overAll, places, seenTexts, type Text } from './texts.ts'

const privateAddress: FindingDefinition = {
  id: 'disclosure/private-address',
  title: 'Internal IP address disclosure: the site gives away an address of the internal network',
  severity: 'info',
  cwe: 200,
  group: 'disclosure',
  why: 'Addresses of the inside help to aim at it once something outside has been taken over.',
  remediation: 'Remove the address from the page or header, or let the proxy in front rewrite it.',
  references: ['https://www.rfc-editor.org/rfc/rfc1918', 'https://cwe.mitre.org/data/definitions/200.html'],
}

const email: FindingDefinition = {
  ...privateAddress,
  id: 'disclosure/email-in-code',
  title: 'E-mail addresses in code: comments or scripts hold those of persons',
  cwe: 615,
  why: 'Unlike a contact address they were not meant for visitors; they serve for phishing and as user names.',
  remediation: 'Remove the address from the comment or script.',
  references: ['https://cwe.mitre.org/data/definitions/615.html'],
}

/** RFC 1918, not as a part of a longer number or version. */
const PRIVATE =
  /(?<![\w.-])(?:10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2})(?![\w.-])/g
const EMAIL = /(?<![\w.+-])[A-Za-z0-9][\w.+-]{0,63}@(?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,24}(?![\w-])/gi
/** Addresses of roles are published on purpose; files with an at sign (`logo@2x.png`) are no addresses. */
const ROLES =
  /^(?:info|contact|hello|support|sales|office|press|privacy|security|abuse|webmaster|postmaster|noreply|no-reply|license|licensing)@/i
const FILES = /\.(?:png|jpe?g|gif|webp|svg|js|css|map|avif)$/i

export const leftover: Check<'disclosure', 'site'> = {
  findings: [privateAddress, email],
  judge: (facts, { site }, about) =>
    overAll(facts, about, [
      ...gather(privateAddress, [
        ...addresses(site),
        ...seenTexts(facts).flatMap((text) => addressesIn(text, site.addresses)),
      ]),
      ...gather(email, mails(facts, site)),
    ]),
}

export interface Sighting {
  readonly url: string
  readonly value: string
  readonly text: string
  readonly index: number
}

const addresses = (site: SiteFacts): readonly Sighting[] =>
  site.pages.flatMap((page) => {
    const heads = page.headers.map(([name, value]) => `${name}: ${value}`)
    const body = isOfHandbook(page.url) ? [] : [page.body]
    return [...body, ...heads].flatMap((text) =>
      matches(text, page.url, PRIVATE).filter(({ value }) => isInside(value, site)),
    )
  })

/** Addresses of the inside in an answer, but for the site's own. */
export const addressesIn = ({ url, body }: Pick<Text, 'url' | 'body'>, own: readonly string[]): readonly Sighting[] =>
  isOfHandbook(url) ? [] : matches(body, url, PRIVATE).filter(({ value }) => !own.includes(value) && isAddress(value))

/** A handbook explains by addresses that are nobody's. */
const isOfHandbook = (url: string): boolean => {
  const address = URL.parse(url)
  return address !== null && isHandbook(address)
}

/** The scanned host's own address is no secret to whoever reached it. */
const isInside = (value: string, site: SiteFacts): boolean => !site.addresses.includes(value) && isAddress(value)

/** The first and the last of a network are no machine's. */
const isAddress = (value: string): boolean =>
  value.split('.').every((octet) => Number(octet) <= 255) && !/\.(?:0|255)$/.test(value)

const mails = (facts: DisclosureFacts, site: SiteFacts): readonly Sighting[] => [
  ...site.pages.flatMap((page) => {
    // What the page itself shows is meant to be read.
    const shown = withoutComments(page.body)
    return markupOf(page).comments.flatMap((text) =>
      matches(text, page.url, EMAIL).filter(({ value }) => isPersonal(value) && !shown.includes(value)),
    )
  }),
  ...codeTexts(facts).flatMap(({ url, body }) =>
    matches(body, url, EMAIL).filter((one) => isPersonal(one.value) && !isAuthor(one)),
  ),
]

const isPersonal = (value: string): boolean => !ROLES.test(value) && !FILES.test(value) && !/example\.|@\d/.test(value)

/** Who has written a library stands in its head, and is published with it. */
const isAuthor = ({ text, index }: Sighting): boolean => BY.test(text.slice(Math.max(0, index - NEAR), index))
const BY = /copyright|\(c\)|©|licen[cs]ed?\b|@authors?\b|@licen[cs]e\b|@maintainer\b/i
/** Characters. */
const NEAR = 200

const matches = (text: string, url: string, pattern: RegExp): readonly Sighting[] =>
  [...text.matchAll(pattern).take(20)].map((match) => ({ url, value: match[0], text, index: match.index }))

const gather = (definition: FindingDefinition, found: readonly Sighting[]): Finding[] => {
  const [first] = found
  if (first === undefined) return []
  const values = [...new Set(found.map(({ value }) => value))]
  const urls = [...new Set(found.map(({ url }) => url))]
  const excerpt = excerptAround(first.text, first.index, first.value.length, 80)
  return [
    {
      definition,
      confidence: 'firm',
      at: { url: first.url },
      places: places(urls),
      detail: `Seen: ${values.slice(0, 10).join(', ')}${values.length > 10 ? ` and ${values.length - 10} more` : ''}.`,
      proof: { excerpt, mark: excerpt.includes(first.value) ? first.value : null, replay: `curl -si ${first.url}` },
    },
  ]
}
