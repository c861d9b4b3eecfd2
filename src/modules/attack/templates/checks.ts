import { compareSeverity, type Severity } from '../../../contract/finding.ts'
import type { ResultKind, TemplateResult } from '../../../templates/run/match.ts'
import { faultReason } from '../../faults.ts'
import type { Check, Finding, Unjudged } from '../../module.ts'
import { DEFINITIONS } from './definitions.ts'
import type { TemplatesFacts } from './facts.ts'

const checkOf = (kind: ResultKind): Check<'templates'> => {
  const definition = DEFINITIONS[kind]
  return {
    findings: [definition],
    judge: (facts) => {
      const findings = facts.results.filter((result) => result.kind === kind).map(findingOf)
      const gap = gapOf(facts)
      return gap === null ? findings : { ...gap, findings }
    },
  }
}

export const TEMPLATE_CHECKS: readonly Check<'templates'>[] = (
  ['vulnerability', 'misconfiguration', 'exposure', 'detection'] as const
).map(checkOf)

/** Why the absence of a finding says little; null where the selection was run. */
const gapOf = ({ catalogue, own, counts, faults }: TemplatesFacts): Unjudged | null => {
  if (faults !== undefined) {
    const { templates, fault } = faults
    return { state: 'inconclusive', reason: `${templates} of the templates: ${faultReason(fault)}`, fault }
  }
  if (catalogue === null) {
    return {
      state: 'not_tested',
      reason: `no template catalogue is imported (sonde feeds import); ${own} of the product's own were run`,
    }
  }
  if (counts.selected > 0 && counts.run === 0) {
    return { state: 'not_tested', reason: `none of ${counts.selected} templates got an answer` }
  }
  if (counts.late > 0) {
    return { state: 'inconclusive', reason: `time ran out before ${counts.late} of ${counts.selected} templates` }
  }
  if (counts.failed * 10 > counts.selected) {
    return { state: 'inconclusive', reason: `${counts.failed} of ${counts.selected} templates got no answer` }
  }
  return null
}

const findingOf = (result: TemplateResult): Finding => {
  const { template, matcher, at, confidence, because, extracted, cve } = result
  const severity = severityOf(result)
  const named = matcher === '' ? template.name : `${template.name}: ${matcher}`
  const found = extracted.length === 0 ? '' : ` It holds ${extracted.slice(0, 5).join(', ').slice(0, 300)}.`
  return {
    definition: DEFINITIONS[result.kind],
    severity,
    ...(template.cvss !== null && severity === template.severity ? { cvss: template.cvss } : {}),
    title: named.slice(0, 200),
    confidence,
    at,
    subject: matcher === '' ? template.id : `${template.id}: ${matcher}`,
    detail: `Template ${template.id} matches: ${because}.${found}${aboutOf(result)}`.slice(0, 2_000),
    proof: { excerpt: result.excerpt, mark: result.mark, replay: result.replay, basis: 'matched' },
    evidence: result.evidence === null ? [] : [result.evidence],
    cve: cve.map(({ id, epss, kev }) => ({
      id,
      match: confidence === 'confirmed' ? 'certain' : 'possible',
      epss,
      kev,
    })),
  }
}

/** What the template's author says about it. */
const aboutOf = ({ template }: TemplateResult): string => {
  const parts = [template.description, template.remediation].filter((text) => text !== '')
  const references = template.references.slice(0, 3).join(' ')
  return `${parts.map((text) => ` ${text.replace(/\s+/g, ' ').slice(0, 600)}`).join('')}${references === '' ? '' : ` See ${references}`}`
}

/** No more than the confidence bears: a hint is information, what has no counter-proof is high at most. */
const severityOf = ({ template, confidence }: TemplateResult): Severity => {
  const said = template.severity === 'unknown' ? 'info' : template.severity
  if (confidence === 'tentative') return 'info'
  return confidence === 'firm' && compareSeverity(said, 'high') < 0 ? 'high' : said
}
