import type { PolicyKind } from '../../../knowledge/consent/label.ts'
import type { Check, Finding, FindingDefinition, JudgeContext, Judgement, Unjudged } from '../../module.ts'
import type { Party, PolicyLink, PrivacyFacts } from '../facts.ts'
import { define, LAW, listOf, mainPurposeOf, overVisit, replayOf, seenIn, vendorName } from './shared.ts'

const noPolicy = define('policy-absent', 'Privacy policy missing: none is linked', 'medium', {
  why: 'Whoever processes data of visitors has to tell them who, why, how long and with whom (GDPR, Articles 12 and 13).',
  remediation: 'Link the privacy policy from every page, in the footer, with a text that says so.',
  references: [LAW.gdpr],
})
const noImprint = define('imprint-absent', 'Imprint missing: none is linked', 'medium', {
  why: 'Commercial sites in Germany and Austria have to name their provider, easy to find (DDG § 5; ECG § 5).',
  remediation: 'Link the imprint from every page with the text "Impressum".',
  references: ['https://www.gesetze-im-internet.de/ddg/__5.html'],
})
const noTerms = define('terms-absent', 'Terms missing: a shop links none', 'low', {
  why: 'Buyers have to be told the terms of the contract and their right to withdraw before they order (2011/83/EU, Article 6).',
  remediation: 'Link the terms and the information on withdrawal from every page.',
  references: ['https://eur-lex.europa.eu/eli/dir/2011/83/oj'],
})
const broken = define('policy-broken', 'Policy link broken: a policy is linked and not there', 'medium', {
  why: 'A link that leads to an error informs nobody.',
  remediation: 'Correct the address of the link, or put the page back.',
  references: [LAW.gdpr],
})
const unnamed = define(
  'vendor-unnamed',
  'Privacy policy incomplete: companies that get data are not named in it',
  'low',
  {
    why: 'Recipients or their categories have to be named (GDPR, Article 13(1)(e)); for consent each company has to be known.',
    remediation: 'Name each of them with purpose, legal basis and seat, or remove the service.',
    references: [LAW.gdpr],
  },
)

const TITLES: Readonly<Record<PolicyKind, string>> = {
  privacy: 'privacy policy',
  imprint: 'imprint',
  cookies: 'cookie policy',
  terms: 'terms',
}

/** Links of the start page as it is rendered. */
export const policies: Check<'privacy'> = overVisit({
  findings: [noPolicy, broken, unnamed],
  judge: (facts, _known, about): Judgement => {
    const { links, named, read } = facts.policies
    if (about.target.context === 'internal') return INTERNAL
    if (!read) return UNREAD
    const has = (kind: PolicyKind) => links.some((link) => link.kind === kind)
    const gone = links.filter(({ status, error }) => error !== null || (status !== null && status >= 400))
    const findings = [
      ...(has('privacy') ? [] : [one(noPolicy, facts, 'no link of the start page leads to a privacy policy.')]),
      ...gone.map((link) => ({ ...one(broken, facts, saidOf(link)), subject: link.kind, places: [{ url: link.url }] })),
    ]
    const missing = named === null ? [] : unnamedVendors(facts, named)
    return named === null
      ? { state: 'inconclusive', reason: 'The text of no privacy policy could be read.', only: [unnamed.id], findings }
      : [
          ...findings,
          ...(missing.length > 0
            ? [one(unnamed, facts, `not named in the privacy policy: ${listOf(missing, 12)}.`)]
            : []),
        ]
  },
})

const INTERNAL: Unjudged = { state: 'not_applicable', reason: 'An internal site informs its staff elsewhere.' }
const UNREAD: Unjudged = { state: 'inconclusive', reason: 'The links of the start page could not be read.' }

/** A link that only some sites owe. */
const owed = (
  definition: FindingDefinition,
  kind: PolicyKind,
  owes: (facts: PrivacyFacts, about: JudgeContext) => boolean,
  otherwise: string,
): Check<'privacy'> =>
  overVisit({
    findings: [definition],
    judge: (facts, _known, about): Judgement => {
      if (about.target.context === 'internal') return INTERNAL
      if (!owes(facts, about)) return { state: 'not_applicable', reason: otherwise }
      if (!facts.policies.read) return UNREAD
      return facts.policies.links.some((link) => link.kind === kind)
        ? []
        : [one(definition, facts, `no link of the start page leads to ${kind === 'terms' ? 'terms' : 'an imprint'}.`)]
    },
  })

/** Where the law asks for one: by country code and language. A brochure or shop in German is addressed there, too. */
const needsImprint = ({ site, policies: { languages } }: PrivacyFacts, { target }: JudgeContext): boolean =>
  /\.(?:de|at)$/.test(site) ||
  ((target.context === 'brochure' || target.context === 'shop') &&
    languages.some((language) => /^de\b/i.test(language)))

const unnamedVendors = (facts: PrivacyFacts, named: readonly string[]): readonly string[] => [
  ...new Set(
    seenIn(facts, ['before', 'rejected', 'accepted', 'revoked']).flatMap(({ party }) =>
      isRecipient(party) && party.vendor && !named.includes(party.vendor.id) ? [vendorName(party)] : [],
    ),
  ),
]

/** Who serves the site itself may be named by category (Article 13(1)(e)). */
const isRecipient = (party: Party): boolean =>
  party.vendor?.legalEntity != null && mainPurposeOf(party) !== 'consent' && mainPurposeOf(party) !== 'cdn'

const saidOf = ({ kind, label, url, status, error }: PolicyLink): string =>
  `the ${TITLES[kind]} (“${label}”) leads to ${url}, which ${status === null ? `cannot be reached (${error})` : `answers ${status}`}.`

const one = (definition: FindingDefinition, facts: PrivacyFacts, text: string): Finding => ({
  definition,
  confidence: 'firm',
  at: { url: facts.url },
  detail: `Indication: ${text}`,
  proof: {
    excerpt:
      facts.policies.links
        .map(({ kind, label, url, status }) => `${TITLES[kind]}: ${label} → ${url} (${status ?? 'not asked'})`)
        .join('\n')
        .slice(0, 4_000) || 'No such link.',
    mark: null,
    replay: replayOf(facts.url),
  },
})

export const imprint = owed(
  noImprint,
  'imprint',
  needsImprint,
  'An imprint is owed in Germany and Austria; neither the name nor the language of the site says that it is addressed there.',
)
export const terms = owed(
  noTerms,
  'terms',
  (_facts, { target }) => target.context === 'shop',
  'Terms are owed by a shop, and the site is not said to be one.',
)
