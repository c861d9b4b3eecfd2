import type { Check, Finding, FindingDefinition } from '../../module.ts'
import type { PrivacyFacts, ScriptUse, StateFacts } from '../facts.ts'
import { define, harsOf, listOf, MOMENTS, overVisit, replayOf, vendorName } from './shared.ts'

const WHY =
  'Differences between devices recognise a visitor without storing anything, so deleting cookies does not help. Reading ' +
  'them needs consent like a cookie does, but for security that the visitor asked for.'
const FIX =
  'Find out which script does it (named below) and why. Load it after consent only; a script against fraud belongs on the ' +
  'pages where fraud can happen, and into the privacy policy.'
const REFERENCES = [
  'https://www.w3.org/TR/fingerprinting-guidance/',
  'https://www.edpb.europa.eu/our-work-tools/our-documents/guidelines/guidelines-22023-technical-scope-art-53-eprivacy-directive_en',
] as const
const method = (noun: string, title: string) =>
  define(noun, title, 'medium', { why: WHY, remediation: FIX, references: REFERENCES })

const canvas = method('fingerprint-canvas', 'Canvas fingerprinting: a script reads back what it drew')
const fonts = method('fingerprint-fonts', 'Font fingerprinting: a script tries out fonts')
const webgl = method('fingerprint-webgl', 'WebGL fingerprinting: a script reads out the graphics unit')
const audio = method('fingerprint-audio', 'Audio fingerprinting: a script reads back computed sound')
const browser = method(
  'fingerprint-browser',
  'Browser fingerprinting: a script reads many properties that tell browsers apart',
)

/** Thresholds of the measurements by Englehardt and Narayanan (CCS 2016), as Blacklight uses them. */
const SIDE = 16
const TEXT = 10
const COLOURS = 2
const FONTS = 50
const PARAMETERS = 10
const PROPERTIES = 12

const isCanvas = ({ canvas: used }: ScriptUse): boolean =>
  used?.readBack === true &&
  !used.interactive &&
  used.width >= SIDE &&
  used.height >= SIDE &&
  (used.textLength >= TEXT || (used.colours >= COLOURS && used.textLength > 0))

const RULES: readonly {
  readonly definition: FindingDefinition
  readonly holds: (use: ScriptUse) => boolean
  readonly says: (use: ScriptUse) => string
}[] = [
  {
    definition: canvas,
    holds: isCanvas,
    says: ({ canvas: used }) =>
      `draws ${used?.textLength} different characters in ${used?.colours} colours on ${used?.width}×${used?.height} pixels and reads them back`,
  },
  { definition: fonts, holds: (use) => use.fonts >= FONTS, says: (use) => `measures text in ${use.fonts} fonts` },
  {
    definition: webgl,
    holds: ({ webgl: used }) => used !== null && used.parameters >= PARAMETERS && (used.pixels || used.renderer),
    says: ({ webgl: used }) =>
      `asks for ${used?.parameters} parameters of WebGL${used?.renderer ? ', the name of the graphics unit among them' : ''}${used?.pixels ? ', and reads pixels back' : ''}`,
  },
  {
    definition: audio,
    holds: ({ audio: used }) => used?.offline === true && used.read,
    says: () => 'computes sound that nobody hears and reads its samples',
  },
  {
    definition: browser,
    holds: ({ properties }) => properties.length >= PROPERTIES,
    says: ({ properties }) => `reads ${properties.length} telling properties (${listOf(properties, 14)})`,
  },
]

/** One finding a method and script; without consent alone, since with it the visitor was asked. */
export const fingerprint: Check<'privacy'> = overVisit({
  findings: RULES.map(({ definition }) => definition),
  judge: (facts) =>
    RULES.flatMap(({ definition, holds, says }) => {
      const uses = facts.states.flatMap((state) =>
        state.calls.filter((use) => use.moment !== 'accepted' && holds(use)).map((use) => ({ state, use })),
      )
      return [...Map.groupBy(uses, ({ use }) => use.script).values()].flatMap((group) => {
        const [first] = group
        return first ? [finding(definition, first.state, first.use, says(first.use), facts)] : []
      })
    }),
})

const finding = (
  definition: FindingDefinition,
  state: StateFacts,
  use: ScriptUse,
  says: string,
  facts: PrivacyFacts,
): Finding => {
  const host = URL.parse(use.script.replace(/^blob:/, ''))?.hostname ?? ''
  const party = facts.parties.find((one) => one.host === host)
  const note = party?.vendor?.purposes.some((purpose) => purpose === 'fraud-prevention' || purpose === 'captcha')
    ? ' Its vendor is known for protection against fraud, which may justify it where fraud can happen.'
    : ''
  const owner = party ? ` of ${vendorName(party)}` : ''
  return {
    definition,
    confidence: 'firm',
    at: { url: use.page },
    subject: use.script.slice(0, 300),
    detail: `Indication: the script ${use.script}${owner} ${says}, ${MOMENTS[use.moment]}.${note}`,
    proof: { excerpt: `${use.script}\n${says}`, mark: says, replay: replayOf(use.page) },
    evidence: harsOf([state]),
  }
}
