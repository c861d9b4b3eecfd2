import { describe, expect, test } from 'vitest'
import type { FindingsFile } from '../contract/findings-file.ts'
import { countFindings } from './canonical.ts'
import { renderDefectDojo } from './defectdojo.ts'
import { sampleFile } from './testing/sample.ts'

type Item = Readonly<Record<string, unknown>>
const items = (file: FindingsFile): Item[] => JSON.parse(renderDefectDojo(file)).findings

/** The keys that DefectDojo's parser knows (dojo/tools/generic/json_parser.py); any other is refused. */
const KNOWN =
  'title severity description date cwe cve epss_score epss_percentile cvssv3 cvssv3_score cvssv4 cvssv4_score mitigation impact steps_to_reproduce severity_justification references active verified false_p param component_name component_version static_finding dynamic_finding scanner_confidence unique_id_from_tool vuln_id_from_tool nb_occurences service kev_date known_exploited ransomware_used fix_available fix_version endpoints tags vulnerability_ids'.split(
    ' ',
  )

describe('DefectDojo', () => {
  const file = sampleFile({ findings: 25 })

  test('only known keys, and the required ones', () => {
    for (const item of items(file)) {
      expect(KNOWN).toEqual(expect.arrayContaining(Object.keys(item)))
      expect(item).toMatchObject({
        title: expect.stringMatching(/./),
        description: expect.stringMatching(/./),
        severity: expect.stringMatching(/^(?:Critical|High|Medium|Low|Info)$/),
      })
    }
  })

  test('title, CWE and description are the same in the next run', () => {
    const later: FindingsFile = {
      ...file,
      run: { ...file.run, id: '11111111-1111-4111-8111-111111111111', finished_at: '2027-01-01T00:00:00.000Z' },
      findings: file.findings.map((finding) => ({
        ...finding,
        id: '22222222-2222-4222-8222-222222222222',
        status: 'recurring',
        detail: `${finding.detail} (41 days later)`,
        proof: null,
        evidence: [],
      })),
    }
    const hashed = ({ title, cwe, description, unique_id_from_tool }: Item) => ({
      title,
      cwe,
      description,
      unique_id_from_tool,
    })
    expect(items(later).map(hashed)).toEqual(items(file).map(hashed))
  })

  test('two places of one check are two findings', () => {
    const hashes = items(file).map(({ title, cwe, description }) => JSON.stringify([title, cwe, description]))
    expect(new Set(hashes).size).toBe(25)
  })

  test('known vulnerabilities carry EPSS and KEV', () => {
    expect(items(file).find((item) => item.vuln_id_from_tool === 'cve/vulnerable-component')).toMatchObject({
      vulnerability_ids: ['CVE-2020-11022', 'CVE-2020-11023'],
      epss_score: 0.3381,
      known_exploited: true,
      ransomware_used: false,
      kev_date: '2025-01-23',
      scanner_confidence: 4,
      verified: false,
    })
  })

  test('endpoints are taken apart', () => {
    const all = items(file).flatMap((item) => item.endpoints)
    expect(all).toContainEqual({ protocol: 'https', host: 'shop.test', path: 'search', query: 'q=tea' })
    expect(all).toContainEqual({ host: 'shop.test', port: 443 })
  })

  test('evidence cannot end its block', () => {
    const [finding] = file.findings
    const proof = { excerpt: 'a\n```\n# heading', mark: null, replay: null }
    const counts = finding ? countFindings([finding]) : file.counts
    const one = finding ? items({ ...file, findings: [{ ...finding, proof }], counts, open_counts: counts }) : []
    expect(one[0]?.steps_to_reproduce).toContain('````\na\n```\n# heading\n````')
  })
})
