/** Privacy policy, imprint, cookie policy and terms: where they are linked, whether they answer, whom those name that were read. */

import type { Egress } from '../../../egress/egress.ts'
import type { ConsentWords, PolicyKind } from '../../../knowledge/consent/label.ts'
import { targetFailure } from '../../refusal.ts'
import type { Party, PolicyFacts, PolicyLink } from '../facts.ts'
import type { PageLink } from './pages.ts'

const LONGEST = 64 * 1024

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
    ({ link, text }) => (link.kind === 'privacy' || link.kind === 'cookies') && text.length > 300,
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
    if (failure === null && !(error instanceof Error && error.name === 'EgressError')) throw error
    return { link: { ...link, status: null, error: failure?.message.slice(0, 200) ?? null }, text: shown }
  }
}

/** By product name, legal entity without its form, or domain. */
const isNamed = (name: string, legalEntity: string | null, domain: string, said: string): boolean =>
  [
    name,
    legalEntity?.replace(
      /[,\s]+(?:inc|llc|ltd|limited|gmbh|ag|sa|sas|bv|b\.v|ab|oy|as|co|corp|corporation|plc|pte)\.?(?=\s|$|,).*$/i,
      '',
    ),
    domain,
  ]
    .filter((text): text is string => typeof text === 'string' && text.length > 2)
    .some((text) => said.includes(text.toLowerCase()))
