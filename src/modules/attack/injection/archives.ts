import type { Check, Finding, FindingDefinition } from '../../module.ts'
import { noFormForFiles } from '../insertion-points/left-alone.ts'
import { codeOf, locationOf, parameterOf } from '../insertion-points/verdict.ts'
import type { ArchiveHit, InjectionFacts } from './facts.ts'

const archiveDefinition: FindingDefinition = {
  id: 'injection/archive-traversal',
  title: 'Zip slip: an archive that a visitor uploads writes files outside of its folder',
  severity: 'high',
  cwe: 22,
  why:
    'The names in an archive are taken as paths, `../` included. Whoever may upload one writes files wherever the application may: ' +
    'pages and programs of the site, its configuration, jobs of the system.',
  remediation:
    'Resolve the path of each entry before it is written (`realpath`, `Path.normalize`, `path.resolve`) and refuse the archive where it ' +
    'does not lie in the folder meant for it; links among the entries too. Or give files names of your own.',
  references: [
    'https://security.snyk.io/research/zip-slip-vulnerability',
    'https://cheatsheetseries.owasp.org/cheatsheets/File_Upload_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/22.html',
  ],
}

const nameDefinition: FindingDefinition = {
  id: 'injection/upload-name-traversal',
  title: 'Path traversal by the name of an upload: a visitor writes files outside of the folder for them',
  severity: 'high',
  cwe: 22,
  why:
    'The name that a file is sent with is taken as a path, `../` included. A visitor writes files wherever the application may, and over ' +
    'those that are there: pages and programs of the site, its configuration, jobs of the system.',
  remediation:
    'Give files names of your own. Where the name is kept, take its last part alone (`basename`, `secure_filename`, `Path.GetFileName`), ' +
    'resolve the whole path and refuse what does not lie in the folder.',
  references: [
    'https://owasp.org/www-community/vulnerabilities/Unrestricted_File_Upload',
    'https://cheatsheetseries.owasp.org/cheatsheets/File_Upload_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/22.html',
  ],
}

/** A pass where each field refuses what is sent, or hands out what was to lie in its folder and nothing of what climbed. */
const climbingCheck = (
  part: 'archives' | 'uploadNames',
  definition: FindingDefinition,
  what: string,
  an: string,
): Check<'injection', 'crawl'> => ({
  findings: [definition],
  judge: (all: InjectionFacts, { crawl }) => {
    const facts = all[part]
    if (!facts) return { state: 'not_tested', reason: 'the run ended before files were uploaded' }
    const { known, asked, told, hits } = facts
    const findings = hits.filter(isProven).map((hit) => findingOf(hit, definition, what))
    if (known === 0) return noFormForFiles(crawl)
    if (asked === 0)
      return { state: 'not_tested', reason: 'uploaded files stay, so none is sent to a production system', findings }
    if (told === known) return findings
    const reason = `of ${known} fields for files ${asked} were asked, and what became of ${an} was seen of ${told}`
    return { state: 'inconclusive', reason, findings }
  },
})

export const archiveTraversal = climbingCheck('archives', archiveDefinition, 'Entries of archives', 'an archive')
export const uploadNameTraversal = climbingCheck('uploadNames', nameDefinition, 'Files', 'a file')

const isProven = ({ entries }: ArchiveHit): boolean =>
  entries.length >= 2 && new Set(entries.map(({ url }) => url)).size === entries.length

const findingOf = ({ at, entries }: ArchiveHit, definition: FindingDefinition, what: string): Finding => {
  const [first] = entries
  const where = entries.map(({ path, url }) => `${path} at ${url}`).join(' and ')
  const isTold = entries.some(({ told }) => told)
  const came = isTold ? 'were written above their folder, as the answer tells' : 'came out above their folder'
  return {
    definition,
    confidence: isTold ? 'firm' : 'confirmed',
    at: locationOf(at),
    ...codeOf(at),
    detail: `${what} sent in ${parameterOf(at)} ${came}: ${where}. They hold a word alone; delete them.`,
    proof: {
      excerpt: `${first?.path}\n${first?.mark}`,
      mark: first?.mark ?? null,
      replay: first?.replay ?? null,
      basis: 'file',
    },
  }
}
