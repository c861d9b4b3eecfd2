/**
 * `count-tests.ts RESULTS CODE [all]`: prints "PASSED FAILED" from vitest's JSON report and exit code. A file that did not
 * load, or whose preparation failed, has no tests that failed and counts as one; so does a report that is missing, and a bad exit without a failed test.
 * Said on stderr: which tests did not run, with what they need where their name says it ("… (needs network namespaces)");
 * in one line how many tests of which files are left to --long; of `all`, which files are left to it as a whole; and which files ask less
 * than with it.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { LONG_FILES } from './long-files.ts'

const Result = z.object({ fullName: z.string(), status: z.string() })
const Report = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(z.object({ name: z.string(), status: z.string(), assertionResults: z.array(Result) })),
})

const isLong = process.env.SONDE_LONG === '1'

const didNotRun = ({ status }: z.infer<typeof Result>): boolean => status !== 'passed' && status !== 'failed'
const needsOf = ({ fullName }: z.infer<typeof Result>): string | null => /\(needs ([^)]+)\)/.exec(fullName)?.[1] ?? null

type File = z.infer<typeof Report>['testResults'][number]

/** Nothing is left out in silence. */
const sayIdle = (files: readonly File[]): void => {
  const left: string[] = []
  let tests = 0
  for (const { name, assertionResults } of files) {
    const idle = assertionResults.filter(didNotRun)
    // What another test of the file had is there: this one is left for its length.
    const had = new Set(assertionResults.filter((test) => !didNotRun(test)).map(needsOf))
    const lacking = (test: z.infer<typeof Result>): string | null => (had.has(needsOf(test)) ? null : needsOf(test))
    for (const test of idle) {
      const needs = lacking(test)
      if (needs !== null) console.error(`not run, it needs ${needs}: ${test.fullName}`)
      else if (isLong) console.error(`not run here: ${test.fullName}`)
    }
    const later = isLong ? 0 : idle.filter((test) => lacking(test) === null).length
    tests += later
    if (later > 0) left.push(`${relative('.', name)} (${later} of ${assertionResults.length})`)
  }
  if (tests > 0) console.error(`left to ./test --long: ${tests} tests of ${left.length} files: ${left.join(', ')}`)
}

/** Whether the file, or the support beside it, looks at how long the tests may take. */
const asksMoreInLong = (file: string): boolean =>
  [file, join(dirname(file), 'support.ts')].some(
    (each) => existsSync(each) && readFileSync(each, 'utf8').includes('SONDE_LONG'),
  )

/** What all its tests need failed, so that none of them ran and none of them failed. */
const isBroken = ({ status, assertionResults }: File): boolean =>
  status === 'failed' && !assertionResults.some((test) => test.status === 'failed')

const count = (path: string, code: number): { passed: number; failed: number } => {
  let report: z.infer<typeof Report>
  try {
    report = Report.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    console.error(`There is no report of the tests: ${error instanceof Error ? error.message : error}`)
    return { passed: 0, failed: 1 }
  }
  sayIdle(report.testResults.filter((file) => !isBroken(file)))
  const ran = report.testResults.filter((file) => file.assertionResults.some(({ status }) => status === 'passed'))
  const shortened = isLong ? [] : ran.map(({ name }) => name).filter(asksMoreInLong)
  if (shortened.length > 0)
    console.error(`these ask more in ./test --long: ${shortened.map((file) => relative('.', file)).join(', ')}`)
  const broken = report.testResults.filter(isBroken)
  const failed = report.numFailedTests + broken.length
  return { passed: report.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed }
}

if (process.argv[4] === 'all' && !isLong) console.error(`left to ./test --long as a whole: ${LONG_FILES.join(', ')}`)
const { passed, failed } = count(process.argv[2] ?? '', Number(process.argv[3]))
process.stdout.write(`${passed} ${failed}\n`)
