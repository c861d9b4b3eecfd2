import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { FindingsFile } from '../contract/findings-file.ts'
import { countFindings, renderFindingsJson } from './canonical.ts'
import { renderDefectDojo } from './defectdojo.ts'
import { renderHtml } from './html/page.ts'
import { renderMarkdown } from './markdown/page.ts'
import { NO_EXTRAS, reportModel } from './model.ts'
import { renderTex } from './pdf/layout.ts'
import { renderSarif } from './sarif.ts'
import { renderFindingsSchema } from './schema.ts'
import { sampleFile } from './testing/sample.ts'

const file = sampleFile({ findings: 40 })
const published = new URL('../../docs/findings.schema.json', import.meta.url)

describe('findings.json', () => {
  test('is valid by the contract and by the published schema', () => {
    const parsed = JSON.parse(renderFindingsJson(file))
    expect(FindingsFile.parse(parsed).findings).toHaveLength(40)
    const ajv = new Ajv2020({ allErrors: true, strict: false })
    addFormats.default(ajv)
    const validate = ajv.compile(JSON.parse(readFileSync(published, 'utf8')))
    expect(validate(parsed), JSON.stringify(validate.errors)).toBe(true)
    expect(validate({ ...parsed, counts: { critical: -1 } })).toBe(false)
  })
  test('the published schema is the one of the contract', () => {
    expect(readFileSync(published, 'utf8')).toBe(renderFindingsSchema())
  })
  test('does not depend on the order of keys and findings', () => {
    const shuffled = Object.fromEntries(
      Object.entries({ ...file, findings: file.findings.toReversed() }).toReversed(),
    ) as unknown as FindingsFile
    expect(renderFindingsJson(shuffled)).toBe(renderFindingsJson(file))
  })
})

describe('every format shows the same findings', () => {
  test('with the same counts', () => {
    const json: FindingsFile = JSON.parse(renderFindingsJson(file))
    const sarif = JSON.parse(renderSarif(file)).runs[0]
    const dojo = JSON.parse(renderDefectDojo(file))
    const model = reportModel(file, NO_EXTRAS)
    const tex = renderTex(file)
    const expected = json.counts
    expect(countFindings(json.findings)).toEqual(expected)
    expect(countFindings(sarif.results.map(({ properties }: { properties: never }) => properties))).toEqual(expected)
    expect(
      countFindings(
        dojo.findings.map(({ severity }: { severity: string }) => ({ severity: severity.toLowerCase() as never })),
      ),
    ).toEqual(expected)
    expect(Object.fromEntries(model.groups.map(({ severity, findings }) => [severity, findings.length]))).toEqual(
      expected,
    )
    expect(
      countFindings(
        [...renderHtml(file).matchAll(/<\w+ class="(?:finding|instance) (\w+)" id="f\d+"/g)].map(([, severity]) => ({
          severity: severity as never,
        })),
      ),
    ).toEqual(expected)
    expect(
      countFindings(
        [...renderMarkdown(file).matchAll(/^\*\*Finding \d+\*\* \((\w+),/gm)].map(([, severity]) => ({
          severity: severity?.toLowerCase() as never,
        })),
      ),
    ).toEqual(expected)
    expect(
      countFindings([...tex.matchAll(/\\finding\{(\w+)\}/g)].map(([, severity]) => ({ severity: severity as never }))),
    ).toEqual(expected)
  })
  test('in the same order', () => {
    const order = JSON.parse(renderFindingsJson(file)).findings.map(
      ({ fingerprint }: { fingerprint: string }) => fingerprint,
    )
    const sarif = JSON.parse(renderSarif(file)).runs[0].results
    expect(
      sarif.map(
        (entry: { partialFingerprints: Record<string, string> }) => entry.partialFingerprints['sondeFingerprint/v1'],
      ),
    ).toEqual(order)
    expect(
      JSON.parse(renderDefectDojo(file)).findings.map(
        (entry: { unique_id_from_tool: string }) => entry.unique_id_from_tool,
      ),
    ).toEqual(order)
  })
})
