/** A weighed hit as the facts keep it. */

import type { EvidenceRef } from '../../contract/evidence.ts'
import type { Confidence } from '../../contract/finding.ts'
import type { CollectContext } from '../../modules/module.ts'
import { textOfBytes } from '../language/bytes.ts'
import type { Template } from '../language/template.ts'
import type { Hit } from './hit.ts'
import type { ResultKind, TemplateCve, TemplateResult } from './match.ts'

const AROUND = 300
const LONGEST_EXCERPT = 2_000

export interface AssessedHit {
  readonly template: Template
  readonly hit: Hit
  readonly confidence: Confidence
  readonly because: string
}

export const resultOf = (
  { template, hit, confidence, because }: AssessedHit,
  cve: readonly TemplateCve[],
  ctx: Pick<CollectContext, 'evidence'>,
): TemplateResult => {
  const mark = markOf(hit)
  return {
    template: {
      id: template.id,
      name: printable(template.info.name).slice(0, 200),
      file: template.file,
      hash: template.hash,
      severity: template.info.severity,
      description: template.info.description.slice(0, 2_000),
      remediation: template.info.remediation.slice(0, 2_000),
      references: template.info.references.slice(0, 10),
      tags: template.info.tags,
      cvss: template.info.cvss,
    },
    kind: kindOf(template),
    matcher: printable(hit.name).slice(0, 200),
    at: hit.at,
    confidence,
    because,
    extracted: hit.extracted
      .flatMap(({ values }) => values.map((value) => printable(value).slice(0, 200)))
      .slice(0, 20),
    mark,
    excerpt: excerptOf(hit, mark),
    replay: hit.http?.command ?? null,
    cve,
    evidence: evidenceOf(template, hit, ctx),
  }
}

/** By folder first: it is how catalogues sort themselves. */
const kindOf = ({ file, info }: Template): ResultKind => {
  if (info.cve.length > 0 || /(?:^|\/)(?:cves|vulnerabilities|cnvd)\//.test(file)) return 'vulnerability'
  if (/(?:^|\/)exposures?\//.test(file) || info.tags.includes('exposure')) return 'exposure'
  if (info.severity === 'info' || info.severity === 'unknown') return 'detection'
  return 'misconfiguration'
}

const printable = (bytes: string): string => textOfBytes(bytes).replace(/[^\P{C}\n\t]/gu, '·')

/** The first sign that can be read in the response. */
const markOf = (hit: Hit): string | null => {
  const response = printable(hit.response)
  const candidates = [
    ...hit.signs.filter(({ negative, type }) => !negative && type !== 'dsl').flatMap(({ values }) => values),
    ...hit.extracted.flatMap(({ values }) => values),
    ...hit.signs.filter(({ type }) => type === 'dsl').flatMap(({ values }) => values.flatMap(literalsOf)),
  ].map((value) => printable(value).slice(0, 300))
  return candidates.find((value) => value.trim() !== '' && response.includes(value)) ?? null
}

const literalsOf = (expression: string): readonly string[] =>
  [...expression.matchAll(/(['"])((?:\\.|(?!\1).){4,200})\1/g)].map(([, , text = '']) => text)

const excerptOf = (hit: Hit, mark: string | null): string => {
  const response = printable(hit.response)
  const at = mark === null ? -1 : response.indexOf(mark)
  const from = at <= AROUND ? 0 : at - AROUND
  const text = response.slice(from, Math.max(from + LONGEST_EXCERPT, at + (mark?.length ?? 0)))
  const shown = `${from > 0 ? '…' : ''}${text}`
  return shown.trim() === '' ? '(an empty answer)' : shown.slice(0, 8_000)
}

const MOST_BODY = 64 * 1024

const evidenceOf = (template: Template, hit: Hit, ctx: Pick<CollectContext, 'evidence'>): EvidenceRef =>
  ctx.evidence({
    filename: `${template.id
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, '-')
      .slice(0, 60)}.txt`,
    contentType: 'text/plain; charset=utf-8',
    body: [
      `Template: ${template.id} (${template.file}, SHA-256 ${template.hash})`,
      `Matched by: ${hit.signs.map(({ type, part, negative }) => `${negative ? 'not ' : ''}${type} in ${part}`).join(', ') || 'what was extracted'}`,
      '',
      printable(hit.request).slice(0, MOST_BODY),
      '',
      printable(hit.response).slice(0, MOST_BODY),
      '',
    ].join('\n'),
  })
