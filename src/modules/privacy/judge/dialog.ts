import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import type { ConsentButton, DialogFacts, PrivacyFacts } from '../facts.ts'
import { isCookielessPing } from './pixels.ts'
import {
  define,
  exceptFor,
  isTracker,
  LAW,
  listOf,
  missedState,
  overVisit,
  replayOf,
  seenIn,
  stateOf,
  vendorName,
} from './shared.ts'
import { isCookielessMeasuring } from './trackers.ts'

const REFERENCES = [LAW.banners, LAW.eprivacy, LAW.gdpr] as const

const absent = define('consent-absent', 'Consent missing: trackers run and nobody is asked', 'high', {
  why: 'The page contacts trackers, and no dialog was found that asks for consent.',
  remediation:
    'Remove the trackers, or ask first: a dialog with "accept" and "reject" of equal weight, before anything loads.',
  references: REFERENCES,
})
const hidden = define('reject-hidden', 'Dark pattern: refusing takes more clicks than agreeing', 'medium', {
  why: 'Consent that is easier to give than to refuse is not free. Most authorities demand "reject" on the first layer.',
  remediation: 'Put "Reject all" beside "Accept all" on the first layer, with the same effect at one click.',
  references: REFERENCES,
})
const weak = define('reject-less-visible', 'Dark pattern: refusing is less visible than agreeing', 'low', {
  why: 'A button in strong colour beside a link in grey steers the choice.',
  remediation: 'Give both the same size, shape and contrast.',
  references: REFERENCES,
})
const ticked = define('pre-ticked', 'Pre-ticked boxes: purposes that need consent are ticked beforehand', 'medium', {
  why: 'A box that the visitor has to untick is no consent (Court of Justice, C-673/17, Planet49).',
  remediation: 'Leave all boxes but the necessary one unticked until the visitor ticks them.',
  references: ['https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:62017CJ0673', LAW.banners, LAW.gdpr],
})
const wall = define('consent-wall', 'Cookie wall: the page can be used only after agreeing', 'low', {
  why: 'Consent is not free where the alternative is to leave, or to pay. Opinions on paying differ.',
  remediation: 'Offer a way to use the page without tracking.',
  references: REFERENCES,
})
const noReturn = define(
  'revisit-absent',
  'Withdrawal of consent: nothing was found that leads back to the choice',
  'low',
  {
    why: 'Withdrawing consent has to be as easy as giving it (GDPR, Article 7(3)).',
    remediation: 'Link the consent settings from every page, in the footer, or keep a small button.',
    references: REFERENCES,
  },
)
const forgotten = define('choice-forgotten', 'Consent choice forgotten: it is not kept', 'low', {
  why: 'A visitor who is asked again on every page gives in. Most often it is the refusal that is forgotten.',
  remediation: 'Keep the choice, a refusal as long as a consent, in a first-party cookie or localStorage.',
  references: REFERENCES,
})
const ineffective = define('reject-ineffective', 'Refusal without effect: it changes nothing', 'high', {
  why: 'The same trackers run after a refusal as after an agreement: the button does nothing.',
  remediation:
    'Connect the consent tool to the tags: each has to wait for its category, and stay out when that is refused.',
  references: REFERENCES,
})
const revoked = define('revoke-ineffective', 'Withdrawal without effect: it changes nothing', 'high', {
  why: 'After withdrawing, trackers still run that ran with consent.',
  remediation: 'On withdrawal, stop the tags, delete their cookies and storage, and reload the page without them.',
  references: REFERENCES,
})

/** WCAG contrast or area of one button over the other's, from which on one is called more visible. */
const RATIO = 1.5
/** Areas differ by the length of a word alone; three times is no word. */
const AREA = 3

export const dialog: Check<'privacy'> = overVisit({
  findings: [absent, hidden, weak, ticked, wall, noReturn, forgotten],
  judge: (facts, _known, { target }): Judgement => {
    if (target.context === 'internal')
      return {
        state: 'not_applicable',
        reason: 'An internal site asks its own staff: consent dialogs are no measure there.',
      }
    const { dialog: shown } = facts
    if (shown === null) return withoutDialog(facts)
    const { clicksToReject, clicksToAccept, preTicked, forgets, revisit, asksToPay } = shown
    const reject = missedState(facts, 'reject', [hidden])
    const noWay = stateOf(facts, 'reject')?.missed?.startsWith('no way to refuse') === true && clicksToAccept !== null
    const findings = [
      ...(noWay ? [one(hidden, facts, 'no button or link was found that refuses.')] : []),
      ...(clicksToReject !== null && clicksToReject > (clicksToAccept ?? 1)
        ? [one(hidden, facts, `agreeing takes ${clicksToAccept ?? 1} click, refusing ${clicksToReject}.`)]
        : []),
      ...lessVisible(shown).map((text) => one(weak, facts, text)),
      ...(preTicked.length > 0 ? [one(ticked, facts, `ticked beforehand: ${listOf(preTicked)}.`)] : []),
      ...(shown.wall || (asksToPay && noWay)
        ? [
            one(
              wall,
              facts,
              asksToPay
                ? 'the choice is to be tracked or to pay.'
                : 'the dialog covers the page and has no way to refuse.',
            ),
          ]
        : []),
      ...(revisit === null && stateOf(facts, 'accept')?.missed === null
        ? [one(noReturn, facts, 'after agreeing, no link or button leads back to the choice.')]
        : []),
      ...(forgets.reject === true
        ? [one(forgotten, facts, 'after refusing and loading the page again, the dialog comes back.')]
        : []),
      ...(forgets.accept === true
        ? [one(forgotten, facts, 'after agreeing and loading the page again, the dialog comes back.')]
        : []),
    ]
    return exceptFor(once(findings), reject && !noWay ? [reject] : [])
  },
})

export const effect: Check<'privacy'> = overVisit({
  findings: [ineffective, revoked],
  judge: (facts): Judgement => {
    const missed = [missedState(facts, 'reject', [ineffective]), missedState(facts, 'revoke', [revoked])]
    const accepted = trackersAt(facts, 'accepted')
    const after = trackersAt(facts, 'rejected')
    const withdrawn = [...trackersAt(facts, 'revoked')].filter((name) => accepted.has(name))
    const same = accepted.size > 0 && [...accepted].every((name) => after.has(name))
    return exceptFor(
      [
        ...(same
          ? [one(ineffective, facts, `the trackers after refusing are those after agreeing: ${listOf([...after])}.`)]
          : []),
        ...(withdrawn.length > 0
          ? [one(revoked, facts, `still contacted after withdrawing: ${listOf(withdrawn)}.`)]
          : []),
      ],
      missed.filter((part) => part !== null),
    )
  },
})

const withoutDialog = (facts: PrivacyFacts): Judgement => {
  const names = [...trackersAt(facts, 'before')]
  return {
    state: 'not_applicable',
    reason: 'No consent dialog was found.',
    only: [hidden, weak, ticked, wall, noReturn, forgotten].map(({ id }) => id),
    findings:
      names.length === 0 ? [] : [one(absent, facts, `no dialog was found, and the page contacts ${listOf(names)}.`)],
  }
}

const trackersAt = (facts: PrivacyFacts, moment: 'before' | 'rejected' | 'accepted' | 'revoked'): ReadonlySet<string> =>
  new Set(
    seenIn(facts, [moment])
      // What says "no consent" and carries no cookie has a finding of its own; the refusal was heard.
      .filter((seen) => isTracker(seen) && !isCookielessPing(seen) && !isCookielessMeasuring(facts, [seen]))
      .map(({ party }) => vendorName(party)),
  )

/** Sentences, one for each way in which the refusal is weaker. */
const lessVisible = ({ buttons }: DialogFacts): readonly string[] => {
  const accept = buttons.find(({ role }) => role === 'accept')
  const reject = buttons.find(({ role }) => role === 'reject')
  if (!accept || !reject) return []
  const texts = `(“${accept.text}” and “${reject.text}”)`
  if (accept.look === 'button' && reject.look === 'link') return [`agreeing is a button, refusing a link ${texts}.`]
  const area = areaOf(accept) / Math.max(1, areaOf(reject))
  if (area >= AREA || accept.fontSize / Math.max(1, reject.fontSize) >= RATIO)
    return [`agreeing is ${area.toFixed(1)} times as large as refusing ${texts}.`]
  const [strong, dim] = [accept.prominence, reject.prominence]
  if (strong !== null && dim !== null && strong / dim >= RATIO)
    return [`agreeing stands out from the dialog by ${strong}:1, refusing by ${dim}:1 ${texts}.`]
  const [dark, pale] = [accept.contrast, reject.contrast]
  return dark !== null && pale !== null && pale < 4.5 && dark / pale >= RATIO
    ? [`the text of agreeing has a contrast of ${dark}:1, that of refusing of ${pale}:1 ${texts}.`]
    : []
}

/** Whether anything was seen, at any moment, for which somebody has to be asked. */
const asksForSomething = (facts: PrivacyFacts): boolean =>
  (['before', 'rejected', 'accepted', 'revoked'] as const).some((moment) => trackersAt(facts, moment).size > 0)

const NO_TRACKER = ' No tracker was seen, neither before nor after a choice.'

const areaOf = ({ width, height }: ConsentButton): number => width * height

/** A definition once: both sentences say the same of the same dialog. */
const once = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter((one, index) => findings.findIndex(({ definition }) => definition === one.definition) === index)

const one = (definition: FindingDefinition, facts: PrivacyFacts, text: string): Finding => {
  const shown = facts.dialog
  // A notice of cookies that the page needs anyway asks for nothing that could be refused.
  const isNotice = shown !== null && !asksForSomething(facts)
  const pictures = facts.states.flatMap(({ presses }) => presses.flatMap(({ screenshot }) => screenshot ?? []))
  const pressed = facts.states.flatMap(({ name, presses }) =>
    presses.map((press) => `${name}: pressed “${press.text}” (${press.selector}), layer ${press.layer}`),
  )
  return {
    definition,
    confidence: isNotice ? 'tentative' : 'firm',
    at: { url: facts.url },
    detail: `Indication: ${text}${isNotice ? NO_TRACKER : ''}`,
    proof: {
      excerpt: [
        shown?.text.slice(0, 800) ?? text,
        ...(shown?.buttons ?? []).map(({ role, text: label, look }) => `[${label}] ${role}, ${look}`),
        ...pressed,
      ]
        .join('\n')
        .slice(0, 4_000),
      mark: null,
      replay: replayOf(facts.url),
    },
    evidence: [...(shown?.screenshot ? [shown.screenshot] : []), ...pictures].slice(0, 6),
  }
}
