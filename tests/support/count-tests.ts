/**
 * `count-tests.ts RESULTS CODE [all] [AGAIN]`: prints "PASSED FAILED" from vitest's JSON report and exit code. A file that did not
 * load, or whose preparation failed, has no tests that failed and counts as one; so does a report that is missing, and a bad exit without a failed test.
 * `count-tests.ts RESULTS failed-files`: prints the files that are asked again by themselves, one a line; none where too many failed for
 * that to be chance. AGAIN is the report of that: what passed there counts as passed, and is said on stderr as unsteady.
 * Said on stderr: which tests did not run, with what they need where their name says it ("… (needs network namespaces)");
 * in one line how many tests of which files are left to --long; of `all`, which files are left to it, or to --all, as a whole; and which files ask less
 * than with it.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { leftOut } from './left-out.ts'

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

const readReport = (path: string): z.infer<typeof Report> | null => {
  try {
    return Report.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    console.error(`There is no report of the tests: ${error instanceof Error ? error.message : error}`)
    return null
  }
}

/** More files that fail are no chance. */
const MAX_AGAIN = 3

const failedFiles = (path: string): string[] => {
  const failed = readReport(path)?.testResults.filter(({ status }) => status === 'failed') ?? []
  return failed.length > MAX_AGAIN ? [] : failed.map(({ name }) => name)
}

/** How many tests failed beside the others and passed by themselves. A file whose preparation failed is one of them where all of it passes. */
const unsteady = (first: readonly File[], again: readonly File[]): string[] =>
  first
    .filter(({ status }) => status === 'failed')
    .flatMap((file) => {
      const second = again.find(({ name }) => name === file.name)
      if (!second) return []
      if (isBroken(file)) return second.status === 'passed' ? [relative('.', file.name)] : []
      const passed = new Set(second.assertionResults.filter(({ status }) => status === 'passed').map((t) => t.fullName))
      return file.assertionResults
        .filter(({ status, fullName }) => status === 'failed' && passed.has(fullName))
        .map(({ fullName }) => `${relative('.', file.name)}: ${fullName}`)
    })

const count = (path: string, code: number, again: string | undefined): { passed: number; failed: number } => {
  const report = readReport(path)
  if (!report) return { passed: 0, failed: 1 }
  sayIdle(report.testResults.filter((file) => !isBroken(file)))
  const ran = report.testResults.filter((file) => file.assertionResults.some(({ status }) => status === 'passed'))
  const shortened = isLong ? [] : ran.map(({ name }) => name).filter(asksMoreInLong)
  if (shortened.length > 0)
    console.error(`these ask more in ./test --long: ${shortened.map((file) => relative('.', file)).join(', ')}`)
  const broken = report.testResults.filter(isBroken)
  const failed = report.numFailedTests + broken.length
  if (failed === 0 && code !== 0) return { passed: report.numPassedTests, failed: 1 }
  const chances = again ? unsteady(report.testResults, readReport(again)?.testResults ?? []) : []
  for (const one of chances) console.error(`unsteady, failed beside the others and passed by itself: ${one}`)
  return { passed: report.numPassedTests + chances.length, failed: failed - chances.length }
}

const [path = '', code, all, again] = process.argv.slice(2)
if (code === 'failed-files') {
  for (const file of failedFiles(path)) process.stdout.write(`${file}\n`)
} else {
  const whole = all === 'all' ? leftOut(process.env) : []
  for (const { option, files } of whole) console.error(`left to ./test ${option} as a whole: ${files.join(', ')}`)
  const { passed, failed } = count(path, Number(code), again)
  process.stdout.write(`${passed} ${failed}\n`)
}
