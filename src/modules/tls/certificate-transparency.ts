import type { Check, Finding, FindingDefinition } from '../module.ts'
import type { CheckedTimestamp } from './facts.ts'
import { certificateProof, NO_TLS, placeOf, type Served, servedChains } from './served.ts'

const DAY = 86_400_000

const tooFew: FindingDefinition = {
  id: 'tls/certificate-transparency',
  title: 'The certificate is recorded in too few transparency logs',
  severity: 'high',
  cwe: 295,
  cvss: null,
  why: 'Chrome and Safari refuse a public certificate that does not prove with enough signed timestamps that it was logged.',
  remediation:
    'Have the certificate issued again by an authority that embeds the timestamps of enough logs, as all large ones do.',
  references: [
    'https://googlechrome.github.io/CertificateTransparency/ct_policy.html',
    'https://www.rfc-editor.org/rfc/rfc6962',
  ],
}

const forged: FindingDefinition = {
  ...tooFew,
  id: 'tls/timestamp-invalid',
  title: 'A timestamp of the certificate is not signed by the log that it names',
  severity: 'low',
  cwe: 347,
  why: 'Browsers do not count it. It tells that the certificate was altered after logging, or that its authority makes mistakes.',
  remediation: 'Have the certificate issued again, and tell the authority about the timestamp.',
}

export const certificateTransparency: Check<'tls', 'site'> = {
  findings: [tooFew, forged],
  judge: (facts) => {
    const served = servedChains(facts)
    if (served.length === 0) return NO_TLS
    const publicOnes = served.filter((one) => one.trust.state === 'public')
    if (publicOnes.length === 0)
      return { state: 'not_applicable', reason: 'The policy holds for certificates of public authorities only.' }
    const findings = publicOnes.flatMap((one): Finding[] => {
      const timestamps = timestampsOf(one)
      const proof = (line: string) => certificateProof(facts, one, [line, ...timestamps.map(showTimestamp)], line)
      const invalid = timestamps.filter(({ state }) => state === 'invalid')
      const lacks = timestamps.length === 0 ? null : lackOf(one.leaf, timestamps)
      const line = `${countOf(timestamps)} of ${timestamps.length} timestamps count`
      const bad = `${invalid.length} of ${timestamps.length} timestamps not signed by their log`
      return [
        ...(lacks === null
          ? []
          : [
              {
                definition: tooFew,
                confidence: timestamps.every(isDecided) ? ('confirmed' as const) : ('firm' as const),
                at: placeOf(facts),
                detail: `${lacks}.`,
                proof: proof(line),
              },
            ]),
        ...(invalid.length === 0
          ? []
          : [
              {
                definition: forged,
                confidence: 'confirmed' as const,
                at: placeOf(facts),
                detail: `${bad}: ${invalid.map(({ name, log }) => name ?? log).join(', ')}.`,
                proof: proof(bad),
              },
            ]),
      ]
    })
    if (!publicOnes.some((one) => timestampsOf(one).length === 0)) return findings
    return {
      state: 'inconclusive',
      reason: 'The certificate embeds no timestamps; they may come in the handshake, which this check does not see.',
      findings,
    }
  },
}

/** What counts by Chrome's policy; unknown logs count as long as nobody shows otherwise. */
const counted = (timestamps: readonly CheckedTimestamp[]): readonly CheckedTimestamp[] =>
  timestamps.filter(({ state }) => state !== 'invalid' && state !== 'retired-log')

const countOf = (timestamps: readonly CheckedTimestamp[]): number =>
  new Set(counted(timestamps).map(({ log }) => log)).size

const isDecided = ({ state }: CheckedTimestamp): boolean => state !== 'unknown-log' && state !== 'unchecked'

/**
 * What Chrome's policy misses in the timestamps, null where nothing: two logs up to 180 days, three above, of two
 * operators.
 */
export const lackOf = (
  { notBefore, notAfter }: { readonly notBefore: number; readonly notAfter: number },
  timestamps: readonly CheckedTimestamp[],
): string | null => {
  const needed = notAfter - notBefore > 180 * DAY ? 3 : 2
  const logs = countOf(timestamps)
  if (logs < needed)
    return `The certificate proves timestamps of ${logs} log${logs === 1 ? '' : 's'}; its lifetime asks for ${needed}`
  const operators = new Set(counted(timestamps).map(({ operator }) => operator))
  const [only] = operators
  return operators.size === 1 && only ? `All ${logs} logs are run by one operator, ${only}; two are asked for` : null
}

/** In facts of older runs nothing was checked. */
const timestampsOf = ({ timestamps, leaf }: Served): readonly CheckedTimestamp[] =>
  timestamps ??
  (leaf.timestamps ?? []).map((one) => ({
    ...one,
    source: 'certificate',
    operator: null,
    name: null,
    state: 'unchecked',
  }))

const SAYS: Readonly<Record<CheckedTimestamp['state'], string>> = {
  valid: 'signed by the log',
  invalid: 'NOT signed by the log',
  'retired-log': 'signed by a log that was retired before',
  'unknown-log': 'of a log that is not listed',
  unchecked: 'not checked',
}

export const showTimestamp = ({ name, log, time, source, state }: CheckedTimestamp): string =>
  `${name ?? `log ${log.slice(0, 16)}…`}, ${new Date(time).toISOString()}, by ${source}: ${SAYS[state]}`
