import { RATINGS } from '../knowledge/ratings/ratings.ts'
import type { FindingDefinition } from '../modules/module.ts'
import { owaspOf } from '../modules/owasp.ts'

/** What the page needs of a module; every scan module has it. */
export interface DocumentedModule {
  readonly id: string
  readonly title: string
  readonly conduct: 'passive' | 'active' | 'privacy'
  readonly checks: readonly { readonly findings: readonly FindingDefinition[] }[]
}

/** docs/findings.md: every problem the scanner can report, by module. Pure. */
export const renderFindingsDoc = (modules: readonly DocumentedModule[]): string => {
  const definitions = modules.flatMap(({ checks }) => checks.flatMap(({ findings }) => findings))
  return `${[
    '# Findings',
    'Every problem that Sonde can report. Generated from the definitions beside the checks: change them there.',
    `${definitions.length} findings in ${modules.length} module${modules.length === 1 ? '' : 's'}.`,
    ['| Module | Kind | Findings |', '|---|---|---|', ...modules.map(row)].join('\n'),
    ...modules.flatMap(section),
  ].join('\n\n')}\n`
}

const row = ({ id, title, conduct, checks }: DocumentedModule): string =>
  `| [${cell(title)}](#${anchor(id)}) | ${conduct} | ${checks.reduce((sum, { findings }) => sum + findings.length, 0)} |`

const section = ({ id, title, conduct, checks }: DocumentedModule): string[] => [
  `<a id="${anchor(id)}"></a>\n\n## ${title}`,
  `Module \`${id}\`, ${conduct}.`,
  ...checks.flatMap(({ findings }) => findings.map(entry)),
]

const entry = (definition: FindingDefinition): string => {
  const { id, title, severity, cwe, group, why, remediation, references } = definition
  const rating = RATINGS.get(id)
  const facts = [
    `**Severity** ${severity === 'from-source' ? 'by the source that names it' : severity}`,
    ...(group === undefined ? [] : [`shifted by context as \`${group}\``]),
    ...(cwe === null ? [] : [`[CWE-${cwe}](https://cwe.mitre.org/data/definitions/${cwe}.html)`]),
    ...(owaspOf(cwe).length === 0 ? [] : [`OWASP ${owaspOf(cwe).join(', ')}`]),
    ...(rating?.standard ? [rating.standard] : []),
  ]
  return [
    `### \`${id}\``,
    `**${title}**`,
    facts.join(' · '),
    ...(rating?.vectors ? [`\`${rating.vectors.v4_0}\` \`${rating.vectors.v3_1}\``] : []),
    ...(rating?.reason ? [`**No CVSS vector.** ${rating.reason}`] : []),
    `**Why it matters.** ${why}`,
    `**How to fix it.** ${remediation}`,
    ...(references.length > 0 ? [references.map((link) => `- <${link}>`).join('\n')] : []),
  ].join('\n\n')
}

const anchor = (id: string): string => `module-${id}`
const cell = (text: string): string => text.replaceAll('|', '\\|')
