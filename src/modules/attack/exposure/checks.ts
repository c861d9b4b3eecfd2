import type { Check, Finding, FindingDefinition } from '../../module.ts'
import { DEFINITIONS, type DefinitionText, type ExposureKind } from './definitions.ts'
import type { Exposed, ExposureFacts } from './facts.ts'
import { fileCalled, proofOf } from './files.ts'
import { IN_FOLDERS } from './folders.ts'

/** More than this share of refused answers means that somebody stands in the way. */
const BLOCKED_SHARE = 0.9

const definitionOf = (kind: ExposureKind, text: DefinitionText): FindingDefinition => ({
  id: `exposure/${kind}`,
  ...text,
})

const checkOf = (kind: ExposureKind, text: DefinitionText): Check<'exposure'> => {
  const definition = definitionOf(kind, text)
  return {
    findings: [definition],
    judge: ({ asked, refused, unanswered, excluded = [], blocked = [], unasked = [], candidates, cut }) => {
      const findings = candidates
        .filter((one) => one.kind === kind && isReal(one))
        .map((one) => findingOf(definition, one))
      if (findings.length > 0) return findings
      if (asked === 0 && unasked.length === 0 && excluded.length > 0)
        return { state: 'not_tested', reason: 'the run excludes all addresses that would be asked for' }
      if (unanswered === asked && (asked > 0 || unasked.length === 0))
        return { state: 'not_tested', reason: 'the site answered none of the requests' }
      if (refused > 0 && refused >= asked * BLOCKED_SHARE)
        return { state: 'blocked', reason: `${refused} of ${asked} requests were refused` }
      if (excluded.includes(kind))
        return { state: 'inconclusive', reason: 'the run excludes addresses where such a file may lie' }
      if (blocked.includes(kind))
        return { state: 'blocked', reason: 'the firewall in front refused to be asked for it' }
      if (unasked.includes(kind))
        return {
          state: 'inconclusive',
          reason: 'the site was slow, and the time was over before all files were asked for',
        }
      if (cut && IN_FOLDERS.includes(kind)) return { state: 'inconclusive', reason: CUT[cut] }
      const doubtful = candidates.some((one) => one.kind === kind && one.again === null)
      return doubtful ? { state: 'inconclusive', reason: 'an answer could not be had a second time' } : []
    },
  }
}

const CUT: Readonly<Record<NonNullable<ExposureFacts['cut']>, string>> = {
  time: 'the time was over before folders were looked for',
  unanswered: 'most folders that were asked for did not answer',
  many: 'more folders and files were found than are looked into',
  crawl: 'the crawl was cut off before all folders were known',
}

/** Twice the same, and not from a path that cannot exist. */
const isReal = ({ kind, name, first, again, sibling }: Exposed): boolean => {
  const file = fileCalled(kind, name)
  if (file === null || again === null) return false
  return (
    proofOf(file, first) !== null &&
    proofOf(file, again) !== null &&
    (sibling === null || proofOf(file, sibling) === null)
  )
}

const findingOf = (definition: FindingDefinition, exposed: Exposed): Finding => {
  const { url, first, name, evidence } = exposed
  const file = fileCalled(exposed.kind, name)
  const mark = file === null ? null : proofOf(file, first)
  const printable = first.text.replace(/[^\P{C}\n\t]/gu, '·').slice(0, 1_200)
  const isText = mark !== null && mark !== '' && printable.includes(mark)
  return {
    definition,
    confidence: 'confirmed',
    at: { url, method: 'GET' },
    subject: new URL(url).pathname,
    detail: `${url} is ${name}.`,
    proof: {
      excerpt: isText ? printable : `${first.hex} (the first bytes of ${url}, in hexadecimal)`,
      mark: isText ? mark.slice(0, 300) : first.hex.slice(0, 16),
      replay: isText ? `curl -s '${url}' | head -c 1000` : `curl -s '${url}' | head -c 16 | xxd`,
    },
    evidence: [evidence],
  }
}

export const EXPOSURE_CHECKS: readonly Check<'exposure'>[] = (Object.keys(DEFINITIONS) as ExposureKind[]).map((kind) =>
  checkOf(kind, DEFINITIONS[kind]),
)
