import type { Check, Finding, FindingDefinition } from '../../module.ts'
import { locationOf, parameterOf } from '../insertion-points/verdict.ts'
import type { ArchiveHit, InjectionFacts } from './facts.ts'

const definition: FindingDefinition = {
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

/** A pass where each field refuses such an archive, or hands out what lay in its folder and nothing else of it. */
export const archiveTraversal: Check<'injection', 'crawl'> = {
  findings: [definition],
  judge: ({ archives }: InjectionFacts) => {
    if (!archives) return { state: 'not_tested', reason: 'the run ended before files were uploaded' }
    const { known, asked, told, hits } = archives
    const findings = hits.filter(isProven).map(findingOf)
    if (known === 0) return { state: 'not_applicable', reason: 'no form that may be sent takes a file' }
    if (asked === 0)
      return { state: 'not_tested', reason: 'uploaded files stay, so none is sent to a production system', findings }
    if (told === known) return findings
    const reason = `of ${known} fields for files ${asked} were asked, and what became of an archive was seen of ${told}`
    return { state: 'inconclusive', reason, findings }
  },
}

const isProven = ({ entries }: ArchiveHit): boolean =>
  entries.length >= 2 && new Set(entries.map(({ url }) => url)).size === entries.length

const findingOf = ({ at, entries }: ArchiveHit): Finding => {
  const [first] = entries
  const where = entries.map(({ path, url }) => `${path} at ${url}`).join(' and ')
  return {
    definition,
    confidence: 'confirmed',
    at: locationOf(at),
    detail: `Entries of archives sent in ${parameterOf(at)} came out above their folder: ${where}. They hold a word alone; delete them.`,
    proof: {
      excerpt: `${first?.path}\n${first?.mark}`,
      mark: first?.mark ?? null,
      replay: first?.replay ?? null,
      basis: 'file',
    },
  }
}
