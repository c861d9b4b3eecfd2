import type { Check } from '../../module.ts'
import type { Seen } from './shared.ts'
import {
  byVendor,
  define,
  isTracker,
  listOf,
  MOMENTS,
  mainPurposeOf,
  overVisit,
  purposesOf,
  seenIn,
  vendorFinding,
  vendorKey,
  whoIs,
} from './shared.ts'

const manager = define(
  'tag-manager-before-consent',
  'Tag manager before consent: it loads before any choice',
  'medium',
  {
    why:
      'A tag manager decides in the browser which trackers run, and its provider learns of each visit. The administrative court ' +
      'of Hannover held in 2025 (10 A 5385/22) that it needs consent itself; whether that stands is open, so it is a risk.',
    remediation: 'Load the tag manager after consent, or serve the few tags that need none without it.',
    references: ['https://eur-lex.europa.eu/eli/dir/2002/58/oj', 'https://eur-lex.europa.eu/eli/reg/2016/679/oj'],
  },
)
const google = define('google-fonts', 'Google Fonts before consent: fonts are loaded from Google', 'medium', {
  why:
    'Each visitor’s address goes to Google although the fonts could lie on the own server. The regional court of Munich ' +
    'awarded damages for it in 2022 (3 O 17493/20).',
  remediation:
    'Put the font files on your own server and refer to them with @font-face; drop fonts.googleapis.com and fonts.gstatic.com.',
})
const fonts = define(
  'fonts-third-party',
  'Third-party fonts before consent: they are loaded from another company',
  'info',
  {
    why: 'Each visitor’s address goes to the font service although the fonts could lie on the own server.',
    remediation:
      'Put the font files on your own server where the licence allows it; else name the service in the privacy policy.',
  },
)
const embed = define(
  'embed-before-consent',
  'Third-party embed before consent: content of another company loads before a click',
  'medium',
  {
    why:
      'Videos, maps, captchas and social widgets contact their provider as soon as they load, mostly with cookies. The visitor ' +
      'has not asked for them yet.',
    remediation:
      'Show a picture with a button in its place and load the content on click (two-click solution); for videos, the ' +
      'provider’s address without cookies is only half of it.',
  },
)

const DEMANDED = 'in a first look without any click'

export const tagManager: Check<'privacy'> = overVisit({
  findings: [manager],
  judge: (facts) =>
    groups(facts, (seen) => mainPurposeOf(seen.party) === 'tag-management' && seen.contact.type === 'script').map(
      (group) =>
        vendorFinding(
          manager,
          group,
          `${whoIs(group[0].party)} loads ${MOMENTS[group[0].contact.moment]}: ${group[0].contact.url.slice(0, 200)}.`,
        ),
    ),
})

export const thirdPartyFonts: Check<'privacy'> = overVisit({
  findings: [google, fonts],
  judge: (facts) =>
    groups(facts, ({ party }) => purposesOf(party).includes('fonts')).map((group) => {
      const [{ contact, party }] = group
      const hosts = listOf([...new Set(group.map((one) => one.contact.host))])
      return vendorFinding(
        isGoogle(group[0]) ? google : fonts,
        group,
        `${contact.page} loads fonts from ${whoIs(party)} (${hosts}) ${DEMANDED}.`,
      )
    }),
})

const isGoogle = ({ contact, party }: Seen): boolean =>
  vendorKey(party) === 'google-fonts' || /^fonts\.(?:googleapis|gstatic)\.com$/.test(contact.host)

const EMBEDS: readonly string[] = ['video', 'maps', 'captcha', 'social']

export const embeds: Check<'privacy'> = overVisit({
  findings: [embed],
  judge: (facts) =>
    groups(
      facts,
      (seen) => EMBEDS.includes(mainPurposeOf(seen.party) ?? '') && !(isTracker(seen) && seen.contact.pixel !== null),
    ).map((group) => {
      const [{ contact, party }] = group
      return vendorFinding(
        embed,
        group,
        `${contact.page} loads ${mainPurposeOf(party)} content of ${whoIs(party)} ${DEMANDED}: ${contact.url.slice(0, 200)}.`,
      )
    }),
})

const groups = (facts: Parameters<typeof seenIn>[0], which: (seen: Seen) => boolean) =>
  byVendor(seenIn(facts, ['before', 'rejected']).filter(which))
