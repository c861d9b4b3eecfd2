/** Findings as agents read them: what the site wrote stands under `from_target`, everything else is ours. */
import { z } from 'zod'
import { Confidence, Finding, type Location, Severity } from '../contract/finding.ts'
import { fenced, visible } from './answer.ts'

/** Of what tools answer: their schemas are in the context of every conversation, so they say no more than a reader needs. */
export const Id = z.string()
export const When = z.string()

export const Place = z
  .object({
    url: z.string().optional(),
    method: z.string().optional(),
    parameter: z.string().optional(),
    host: z.string().optional(),
    port: z.int().optional(),
  })
  .describe('Where')

export const placeOf = ({ url, method, parameter, host, port }: Location): z.input<typeof Place> => ({
  ...(url === undefined ? {} : { url: visible(url, 1_000) }),
  ...(method === undefined ? {} : { method: visible(method, 40) }),
  ...(parameter === undefined ? {} : { parameter: visible(parameter) }),
  ...(host === undefined ? {} : { host: visible(host) }),
  ...(port === undefined ? {} : { port }),
})

export const Row = z.object({
  id: Id,
  check_id: z.string(),
  title: z.string(),
  severity: Severity,
  confidence: Confidence,
  cwe: z.int().nullable(),
  decision: z.string().describe('What people decided about it: open, accepted, false_positive'),
  status: Finding.shape.status,
  from_target: Place.extend({ detail: z.string().describe('What was seen, in a sentence') }),
})

export const rowOf = (finding: Finding): z.input<typeof Row> => ({
  ...{ id: finding.id, check_id: finding.check_id, title: visible(finding.title), severity: finding.severity },
  ...{ confidence: finding.confidence, cwe: finding.cwe, decision: finding.triage.state, status: finding.status },
  from_target: { ...placeOf(finding.location), detail: visible(finding.detail, 1_000) },
})

const Proof = z.object({
  excerpt: z.string().describe('The decisive part of what was seen'),
  mark: z.string().nullable().describe('What of it decides'),
  replay: z
    .string()
    .nullable()
    .describe('A command that shows the same again: for people to run, with its payload for the site'),
})

/** A finding where its whole may stand as well. */
export const RowOrWhole = z.looseObject({
  ...Row.shape,
  from_target: z.looseObject(Row.shape.from_target.shape),
})

export const Whole = Row.extend({
  why: z.string().describe('Why it matters'),
  remediation: z.string(),
  references: z.array(z.string()),
  cvss: z.string().nullable().describe('Vector, the newest version that there is'),
  cve: z.array(z.string()),
  evidence: z.array(Id).describe('For read_evidence'),
  from_target: Row.shape.from_target.extend({
    proof: Proof.nullable(),
    places: z.array(Place).describe('Further places of the same problem; the first ten'),
    places_in_all: z.int(),
  }),
})

const MOST_PLACES = 10

export const wholeOf = (finding: Finding): z.input<typeof Whole> => {
  const { proof, places, cvss } = finding
  return {
    ...rowOf(finding),
    ...{ why: visible(finding.description, 2_000), remediation: visible(finding.remediation, 3_000) },
    references: finding.references.slice(0, 10),
    cvss: (cvss?.v4_0 ?? cvss?.v3_1 ?? cvss?.v3_0 ?? cvss?.v2_0)?.vector ?? null,
    ...{ cve: finding.cve.slice(0, 50).map(({ id }) => id), evidence: finding.evidence.slice(0, 50) },
    from_target: {
      ...rowOf(finding).from_target,
      proof:
        proof === null
          ? null
          : {
              excerpt: fenced(proof.excerpt),
              mark: proof.mark === null ? null : visible(proof.mark, 1_000),
              replay: proof.replay === null ? null : visible(proof.replay, 4_000),
            },
      places: places.slice(1, 1 + MOST_PLACES).map(placeOf),
      places_in_all: places.length,
    },
  }
}
