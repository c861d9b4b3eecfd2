import { expect, test } from 'vitest'
import { NO_EXTRAS, reportModel } from '../model.ts'
import { problemsOf } from '../plan.ts'
import { recounted, sampleFile } from '../testing/sample.ts'
import { printedCures } from './repeated.ts'

const LONG = `Set it in the settings: \`a = 1; B = 2\`. ${'Then look at the answer again and again. '.repeat(4)}`.trim()

const printed = (...cures: readonly string[]) => {
  const file = sampleFile({ findings: cures.length })
  const findings = file.findings.map((one, index) => ({
    ...one,
    severity: 'high' as const,
    check_id: `headers/c${index}`,
    remediation: cures[index] ?? '',
  }))
  const model = reportModel(recounted({ ...file, findings }), NO_EXTRAS)
  const views = model.groups.flatMap((group) => group.findings)
  const cureOf = printedCures(problemsOf(views))
  return views.map(({ number, finding }) => [finding.check_id, cureOf.get(number)] as const).toSorted()
}

test('the same cure is said once, and the others name the finding that says it', () => {
  const [a, b] = printed(LONG, LONG).toSorted((one, other) => Number(one[1]?.rest ?? 0) - Number(other[1]?.rest ?? 0))
  expect(a?.[1]).toEqual({ own: LONG, rest: null })
  expect(b?.[1]).toEqual({ own: '', rest: 1 })
})

test('what is its own stays, and only whole sentences are left out', () => {
  const cures = printed(LONG, `Name the hosts. ${LONG}`).map(([, cure]) => cure)
  const short = cures.find((cure) => cure?.rest !== null)
  expect([short?.own, short?.rest]).toEqual(['Name the hosts.', 1])
})

test.each([
  ['short', 'Send it. Then look.', 'Send it. Then look.'],
  ['with a listing', `Send:\n\`\`\`\nA: b\n\`\`\`\n\n${LONG}`, LONG],
  ['different', LONG, `${LONG} Once more.`],
])('nothing is left out of cures that are %s', (_, one, other) => {
  expect(printed(one, other).map(([, cure]) => cure?.rest)).toEqual([null, null])
})
