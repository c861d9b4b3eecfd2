/** Privacy policy, imprint, cookie policy and terms: where they are linked, whether they answer, whom those name that were read. */

import { type Egress, EgressError } from '../../../egress/door/egress.ts'
import { targetFailure } from '../../../egress/door/target-failure.ts'
import type { ConsentWords, PolicyKind } from '../../../knowledge/consent/label.ts'
import type { Party, PolicyFacts, PolicyLink } from '../facts.ts'
import type { PageLink } from './pages.ts'

const LONGEST = 64 * 1024
/** Characters below which a page is an error or an empty shell, no policy. */
const SHORTEST = 150

export const readPolicies = async (
  links: readonly PageLink[] | null,
  /** Text of pages that the browser read, by address. */
  texts: ReadonlyMap<string, string>,
  parts: {
    readonly words: ConsentWords
    readonly egress: Pick<Egress, 'http'>
    readonly parties: readonly Party[]
    readonly languages: readonly string[]
  },
): Promise<PolicyFacts> => {
  const found = new Map<PolicyKind, PageLink>()
  for (const link of links ?? []) {
    const kind = parts.words.policyOf(link.label, link.url)
    if (kind !== null && !found.has(kind)) found.set(kind, link)
  }
  const answers = await Promise.all([...found].map(async ([kind, link]) => ask(kind, link, texts, parts.egress)))
  const read = answers.filter(
    ({ link, text }) => (link.kind === 'privacy' || link.kind === 'cookies') && text.length > SHORTEST,
  )
  const said = read.map(({ text }) => text.toLowerCase()).join('\n')
  return {
    read: links !== null,
    links: answers.map(({ link }) => link),
    named:
      read.length === 0
        ? null
        : [
            ...new Set(
              parts.parties.flatMap(({ vendor, domain }) =>
                vendor && isNamed(vendor.name, vendor.legalEntity, domain, said) ? [vendor.id] : [],
              ),
            ),
          ],
    languages: parts.languages,
  }
}

const ask = async (
  kind: PolicyKind,
  { url, label }: PageLink,
  texts: ReadonlyMap<string, string>,
  egress: Pick<Egress, 'http'>,
): Promise<{ readonly link: PolicyLink; readonly text: string }> => {
  const link = { kind, url: url.slice(0, 500), label: label.slice(0, 100) }
  const address = url.split('#')[0] ?? url
  const shown = texts.get(address) ?? ''
  if (!/^https?:/.test(url)) return { link: { ...link, status: null, error: null }, text: shown }
  try {
    const { status } = await egress.http({ url: address, maxBody: LONGEST, authenticated: false })
    return { link: { ...link, status, error: null }, text: shown }
  } catch (error) {
    const failure = targetFailure(error)
    // Terms on somebody else's host that the guard refuses are not asked, and not missing.
    if (failure === null && !(error instanceof EgressError)) throw error
    return { link: { ...link, status: null, error: failure?.message.slice(0, 200) ?? null }, text: shown }
  }
}

/** As a policy may name a vendor: product, its brand, the company without form and seat, the domain. */
export const isNamed = (name: string, legalEntity: string | null, domain: string, said: string): boolean =>
  [
    name,
    ...name.split(/[()]/).map((part) => part.replace(PRODUCT, '')),
    ...(legalEntity === null ? [] : [legalEntity.replace(FORM, '').replace(SEAT, '')]),
    domain,
  ]
    .map((text) => text.trim().toLowerCase())
    .some(
      (text) =>
        text.length > 2 && new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(text)}(?![\\p{L}\\p{N}])`, 'u').test(said),
    )

const PRODUCT = /\s+(?:insight\s+)?(?:tag|pixel|ads|conversions?)$/i
const FORM =
  /[,\s]+(?:inc|llc|ltd|limited|gmbh|ag|se|sa|s\.a|sas|sarl|srl|spa|s\.p\.a|bv|b\.v|nv|ab|oy|oyj|as|a\.s|aps|co|corp|corporation|plc|pte|pty)\b.*$/i
const SEAT = /\s+(?:ireland|europe|emea|international|global|deutschland|france|uk|us|usa)$/i
