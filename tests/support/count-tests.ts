/**
 * `count-tests.ts RESULTS CODE`: prints "PASSED FAILED" from vitest's JSON report and exit code. A file that did not
 * load has no tests to fail and counts as one; so does a report that is missing, and a bad exit without a failed test.
 * Tests that did not run are named on stderr, with what they need where their name says it: "… (needs network namespaces)".
 */
import { readFileSync } from 'node:fs'
import { z } from 'zod'

const Result = z.object({ fullName: z.string(), status: z.string() })
const Report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(Result) })),
})

const whyNot = (name: string): string => {
  const [, needs] = /\(needs ([^)]+)\)/.exec(name) ?? []
  return needs !== undefined && process.env.SONDE_LONG === '1'
    ? `not run, this machine has no ${needs}`
    : 'not run, left to ./test --long'
}

const count = (path: string, code: number): { passed: number; failed: number } => {
  let report: z.infer<typeof Report>
  try {
    report = Report.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    console.error(`There is no report of the tests: ${error instanceof Error ? error.message : error}`)
    return { passed: 0, failed: 1 }
  }
  const all = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  for (const { fullName } of all.filter(({ status }) => status !== 'passed' && status !== 'failed'))
    console.error(`${whyNot(fullName)}: ${fullName}`)
  const broken = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  const failed = report.numFailedTests + broken.length
  return { passed: report.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed }
}

const { passed, failed } = count(process.argv[2] ?? '', Number(process.argv[3]))
process.stdout.write(`${passed} ${failed}\n`)
