/** Words that the reports of all formats share. */
import type { FindingsFile } from '../contract/findings-file.ts'
import type { Tier } from '../contract/run.ts'
import { placeText } from './canonical.ts'
import type { FindingView, Sections } from './model.ts'
import type { Phrase, Words } from './words/words.ts'

export const TRIAGE_NAMES = { accepted: 'Accepted', false_positive: 'False positive' } as const

const METHOD: Phrase =
  'The scan works in two steps. First it collects facts: answers, headers, certificates, pages. Then checks judge these facts, each by a published rule, so that the same facts always give the same findings. Every request went through one controlled way out that keeps to a pace, follows no redirect to a foreign address and records each request in the audit log.'
const ACTIVE: Phrase =
  'An active scan also sends probes: they show that a flaw is there without using it, write nothing that lasts and read no personal data.'

export const methodText = (tier: Tier, w: Words): string =>
  [
    w(METHOD),
    ...(tier === 'active' ? [w(ACTIVE)] : []),
    ...(w.language === 'en' ? [] : [w('What was seen stands as the scanner wrote it, in English.')]),
  ].join(' ')

/** Where every check can be read. */
export const checksPlace = ({ checks }: Sections, w: Words): string =>
  checks === null ? 'findings.json' : w('annex {1}', checks)

/** How a reader learns whether what he holds is what was written; 120 characters of it fit on the cover. */
export const VERIFY_TEXT =
  'sonde verify FOLDER --key FINGERPRINT; the service shows its own at /.well-known/sonde-signing-key'

/** On the cover. */
export const confidentialText = (organisation: string | null, w: Words): string =>
  `${
    organisation === null
      ? w('This report describes weaknesses of a live system.')
      : w('This report describes weaknesses of a live system and was made for {1}.', organisation)
  } ${w('Share it only with people who need it to fix them. It shows what the scan could see at the time stated; it is no proof that nothing else is wrong.')}`

/** Text of a person in paragraphs: an empty line begins one. */
export const paragraphsOf = (text: string): string[] =>
  text
    .split(/\r?\n[ \t]*\r?\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')

/** Whether the list of findings says what became of each since the last scan, or by decision. */
export const isCompared = ({ findings, resolved }: FindingsFile): boolean =>
  findings.some(({ status, triage }) => status === 'recurring' || triage.state !== 'open') || resolved.length > 0

export const statusWord = ({ finding: { status, triage } }: FindingView, w: Words): string =>
  triage.state === 'open' ? w(status) : w(TRIAGE_STATES[triage.state])

const TRIAGE_STATES = { accepted: 'accepted', false_positive: 'false positive' } as const

/** The address without the site's own name, and how many more there are. */
export const shortPlace = ({ finding, places: shown, morePlaces }: FindingView, domain: string, w: Words): string => {
  const url = URL.parse(finding.location.url ?? '')
  const own = url !== null && url.hostname === domain
  const place = placeText(
    own ? { ...finding.location, url: url.pathname + url.search } : finding.location,
    w('parameter'),
  )
  const more = shown.length + morePlaces - 1
  return `${place.length > 60 ? `${place.slice(0, 59).toWellFormed()}…` : place}${more > 0 ? ` ${w('and {1} more', more)}` : ''}`
}

/** Ends at a sentence, else at a part of one, else at a word, and never inside a code span; the finding itself has the whole. `max` characters. */
export const clippedText = (text: string, max: number): string => {
  if (text.length <= max) return text
  const kept = text.slice(0, max)
  const ends = (pattern: RegExp): number | undefined =>
    [...kept.matchAll(pattern)]
      .map(({ index }) => index)
      .findLast((end) => (kept.slice(0, end).split('`').length - 1) % 2 === 0)
  const sentence = ends(/(?<=.{40}\.) /g)
  const part = ends(/(?<=.{40})[:;] /g)
  if (sentence === undefined && part !== undefined) return `${kept.slice(0, part)}.`
  return sentence === undefined ? `${kept.slice(0, ends(/[,;:]? /g) ?? -1).toWellFormed()} …` : kept.slice(0, sentence)
}
