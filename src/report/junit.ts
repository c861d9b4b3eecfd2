import type { Coverage, Finding } from '../contract/finding.ts'
import type { FindingsFile } from '../contract/findings-file.ts'
import { canonical, isOpen, placeText } from './canonical.ts'

/**
 * JUnit XML, as CI systems read it: a suite for each module, a case for each check. An open finding is a failure; one
 * that the owners have decided about, and a check that could not look, is skipped with the reason: "clean" and "not
 * looked at" are two things here too. What is only for information passes.
 * @throws as `canonical` does.
 */
export const renderJunit = (input: FindingsFile): string => {
  const file = canonical(input)
  const modules = [...new Set([...file.coverage, ...file.findings].map(({ module }) => module))].toSorted()
  const suites = modules.map((module) => suite(module, file))
  const seconds = (Date.parse(file.run.finished_at) - Date.parse(file.run.started_at ?? file.run.created_at)) / 1000
  const head = attributes({ name: `Sonde: ${file.target.domain}`, ...total(suites), time: seconds.toFixed(3) })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${head}>\n${suites.map(({ xml }) => xml).join('')}</testsuites>\n`
}

interface Suite {
  readonly xml: string
  readonly cases: readonly Case[]
}
interface Case {
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly xml: string
}

const suite = (module: string, { findings, coverage, run }: FindingsFile): Suite => {
  const found = findings.filter((finding) => finding.module === module)
  const silent = coverage.filter(
    (entry) => entry.module === module && !found.some(({ check_id }) => check_id === entry.check_id),
  )
  const cases = [...found.map(findingCase), ...silent.map(checkCase)]
  const head = attributes({ name: module, ...total([{ cases }]), timestamp: run.finished_at.replace(/\.\d+Z$/, '') })
  return { cases, xml: `  <testsuite${head}>\n${cases.map(({ xml }) => xml).join('')}  </testsuite>\n` }
}

const findingCase = (finding: Finding): Case => {
  const { check_id, title, severity, triage } = finding
  const name = `${title}: ${placeText(finding.location) || finding.module}`
  if (!isOpen(finding)) {
    const decided = triage.state === 'accepted' ? 'Accepted' : 'False positive'
    return skipped(check_id, name, `${decided} (${triage.owner}): ${triage.reason}`)
  }
  if (severity === 'info') return testCase('passed', check_id, name, `<system-out>${text(words(finding))}</system-out>`)
  const head = attributes({ type: severity, message: `${severity}: ${title}` })
  return testCase('failed', check_id, name, `<failure${head}>${text(words(finding))}</failure>`)
}

const checkCase = ({ check_id, title, state, reason }: Coverage): Case =>
  state === 'pass' || state === 'fail'
    ? testCase('passed', check_id, title, '')
    : skipped(check_id, title, `${state.replace('_', ' ')}: ${reason ?? 'no reason was given'}`)

const skipped = (check: string, name: string, message: string): Case =>
  testCase('skipped', check, name, `<skipped${attributes({ message })}/>`)

const testCase = (outcome: Case['outcome'], classname: string, name: string, inner: string): Case => ({
  outcome,
  xml: `    <testcase${attributes({ classname, name })}>${inner}</testcase>\n`,
})

const words = ({ detail, proof, remediation, places }: Finding): string =>
  [
    detail,
    ...places.slice(0, 10).map((place) => placeText(place)),
    ...(proof?.replay ? [`To see it again: ${proof.replay}`] : []),
    `To fix it: ${remediation}`,
  ].join('\n')

const total = (suites: readonly Pick<Suite, 'cases'>[]): Readonly<Record<string, string>> => {
  const cases = suites.flatMap((each) => each.cases)
  const count = (outcome: Case['outcome']): string => String(cases.filter((each) => each.outcome === outcome).length)
  return { tests: String(cases.length), failures: count('failed'), errors: '0', skipped: count('skipped') }
}

const attributes = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(
      ([name, value]) =>
        ` ${name}="${text(value)
          .replaceAll('"', '&quot;')
          .replaceAll(/[\t\n\r]/g, ' ')}"`,
    )
    .join('')

/** Only characters that XML 1.0 has (section 2.2), and no markup. */
const text = (raw: string): string =>
  raw
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML does not have
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
