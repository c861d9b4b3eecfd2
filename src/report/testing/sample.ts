/** A realistic result for tests, for the picture in the documentation and for the web application's examples. */
import { createHash } from 'node:crypto'
import { type Coverage, type Finding, type Location, SEVERITIES } from '../../contract/finding.ts'
import { FINDINGS_SCHEMA_VERSION, FindingsFile } from '../../contract/findings-file.ts'
import type { OwnTexts } from '../../contract/report.ts'
import type { Counts } from '../../contract/run.ts'
import { UNDECIDED } from '../../contract/triage.ts'
import { SAMPLE_COVERAGE } from './sample-coverage.ts'
import { TEMPLATES, type Template } from './sample-findings.ts'

/** `findings` problems of a shop (default 12); 0 gives a clean site. The same number gives the same file. */
export const sampleFile = ({ findings = TEMPLATES.length }: { readonly findings?: number } = {}): FindingsFile => {
  const list = Array.from({ length: findings }, (_, index) => sampleFinding(index))
  const counts = Object.fromEntries(
    SEVERITIES.map((severity) => [severity, list.filter((finding) => finding.severity === severity).length]),
  ) as Counts
  return FindingsFile.parse({
    schema_version: FINDINGS_SCHEMA_VERSION,
    run: {
      id: uuid('run'),
      tier: 'active',
      context: 'shop',
      options: { active: true, privacy: true, cve_include_possible: false, template_full: false, make_pdf: true },
      scanner: 'Sonde 0.1.0',
      created_at: '2026-11-21T08:59:30.000Z',
      started_at: '2026-11-21T09:00:00.000Z',
      finished_at: '2026-11-21T09:06:12.000Z',
      requests: 2417,
    },
    target: { domain: 'shop.test', url: 'https://shop.test/', addresses: ['192.0.2.17', '2001:db8::17'] },
    grade: findings === 0 ? CLEAN_GRADE : GRADE,
    counts,
    open_counts: counts,
    findings: list,
    coverage: SAMPLE_COVERAGE.map((entry) => verdict(entry, list)),
    resolved: findings === 0 ? [] : RESOLVED,
    tables: TABLES,
    reach: REACH,
    knowledge: { cve: '2026-11-20', fingerprints: '41', kev: '2026-11-20', templates: '2026-11-14' },
  } satisfies FindingsFile)
}

/** With the counts of the findings that it has now. */
export const recounted = (file: FindingsFile): FindingsFile => {
  const counts = Object.fromEntries(
    SEVERITIES.map((severity) => [severity, file.findings.filter((one) => one.severity === severity).length]),
  ) as Counts
  return { ...file, counts, open_counts: counts }
}

/** What owners may write themselves, all of it this text. */
export const ownTexts = (text: string): OwnTexts => ({
  ...{ introduction: text, scope: text, authoriser: text, tester: text },
  history: [{ version: text, date: '2026-11-26', author: text, changes: text }],
})

export const sampleFinding = (index: number): Finding => {
  const template = TEMPLATES[index % TEMPLATES.length] as Template
  const round = Math.floor(index / TEMPLATES.length)
  const location = shifted(template.location ?? {}, round)
  return {
    id: uuid(`finding ${index}`),
    module: template.check_id.split('/')[0] ?? '',
    shift: null,
    owasp: [],
    cvss: null,
    cve: [],
    proof: null,
    status: index % 5 === 4 ? 'new' : 'recurring',
    triage: UNDECIDED,
    ...template,
    location,
    places: [location, ...morePlaces(location, index)],
    evidence: template.proof ? [uuid(`evidence ${index}`)] : [],
    fingerprint: createHash('sha256')
      .update(`${template.check_id} ${JSON.stringify(location)}`)
      .digest('hex'),
  }
}

const GRADE = {
  grade: 'F',
  score: 12,
  provisional: false,
  caps: ['A confirmed critical finding limits the grade to F', 'An expired certificate limits the grade to D'],
  parts: [
    { id: 'headers', title: 'Response headers (HTTP Observatory)', grade: 'D-', score: 25 },
    { id: 'tls', title: 'TLS (SSL Labs)', grade: 'T', score: null },
    { id: 'mail', title: 'Mail and DNS', grade: 'B', score: 82 },
    { id: 'privacy', title: 'Privacy', grade: 'C', score: 66 },
  ],
}

const CLEAN_GRADE = {
  grade: 'A+',
  score: 100,
  provisional: false,
  caps: [],
  parts: [{ id: 'headers', title: 'Response headers (HTTP Observatory)', grade: 'A+', score: 105 }],
}

const RESOLVED: FindingsFile['resolved'] = [
  {
    check_id: 'headers/x-frame-options',
    title: 'Other sites can frame the pages',
    severity: 'medium',
    location: { url: 'https://shop.test/checkout' },
    fingerprint: createHash('sha256').update('resolved').digest('hex'),
  },
]

const TABLES: FindingsFile['tables'] = [
  {
    id: 'headers-response',
    module: 'headers',
    title: 'Response headers of the start page',
    columns: ['Header', 'Value'],
    rows: [
      ['Server', 'nginx/1.22.1'],
      ['Content-Type', 'text/html; charset=utf-8'],
      ['Cache-Control', 'private, no-store, max-age=0, must-revalidate, stale-while-revalidate=60'],
      ['X-Powered-By', 'Express'],
      ['Referrer-Policy', 'unsafe-url'],
      ['ETag', 'W/"47a6-1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90"'],
    ],
  },
  {
    id: 'tls-protocols',
    module: 'tls',
    title: 'TLS protocol versions',
    columns: ['Version', 'Accepted', 'Cipher suites', 'Note'],
    rows: [
      ['SSL 3.0', 'no', '0', ''],
      ['TLS 1.0', 'yes', '4', 'retired by RFC 8996'],
      ['TLS 1.1', 'yes', '4', 'retired by RFC 8996'],
      ['TLS 1.2', 'yes', '11', ''],
      ['TLS 1.3', 'yes', '3', ''],
    ],
  },
]

const REACH: FindingsFile['reach'] = {
  kinds: [
    { kind: 'insertion_point', known: 412, asked: 388, merged: 0, left_out: 20, cut_off: 4, in_part: 18 },
    { kind: 'address', known: 260, asked: 141, merged: 97, left_out: 22, cut_off: 0 },
    { kind: 'form', known: 19, asked: 17, merged: 0, left_out: 2, cut_off: 0 },
    { kind: 'browser_page', known: 31, asked: 31, merged: 0, left_out: 0, cut_off: 0 },
  ],
  reasons: [
    { kind: 'address', reason: 'one of many alike', count: 22 },
    { kind: 'insertion_point', reason: 'it changes what belongs to the account', count: 20 },
    { kind: 'insertion_point', reason: 'the time for it was over', count: 4 },
    { kind: 'form', reason: 'it deletes', count: 2 },
  ],
  rows: [
    {
      ...{ kind: 'form', method: 'POST', url: 'https://shop.test/account/delete', fate: 'left_out' },
      reason: 'it deletes',
    },
    {
      ...{ kind: 'insertion_point', method: 'GET', url: 'https://shop.test/search', parameter: 'q', fate: 'asked' },
      reason: null,
    },
  ],
}

const verdict = (entry: Coverage, findings: readonly Finding[]): Coverage =>
  findings.some((finding) => finding.check_id === entry.check_id)
    ? { ...entry, state: 'fail', reason: null }
    : entry.state === 'fail'
      ? { ...entry, state: 'pass', reason: null }
      : entry

const shifted = (location: Location, round: number): Location =>
  round === 0 || location.url === undefined
    ? { ...location, ...(round > 0 && location.port !== undefined && { port: location.port + round }) }
    : { ...location, url: location.url.replace('shop.test/', `shop.test/area-${round}/`) }

const morePlaces = (location: Location, index: number): Location[] =>
  location.url === undefined || index % 3 !== 2
    ? []
    : Array.from({ length: 4 + (index % 17) }, (_, number) => ({ url: `https://shop.test/category/${number + 1}` }))

const uuid = (seed: string): string => {
  const hex = createHash('sha256').update(seed).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
