import type { Check, Finding, FindingDefinition } from '../../module.ts'
import type { InjectionFacts, NullByteHit } from './facts.ts'
import { printable } from './probes/files.ts'

const definition: FindingDefinition = {
  id: 'injection/null-byte',
  title: 'Null byte in a file name: files that the site refuses are handed out',
  severity: 'medium',
  cwe: 158,
  why:
    'What is handed out is decided by the end of the name, and what opens the file stops at a null byte before it. A visitor reads files ' +
    'of the folder that are kept back: backups, configuration, what belongs to others.',
  remediation:
    'Decode the name once, refuse it where it holds a null byte or a percent sign, and only then look at its ending; better, choose files ' +
    'from a list. Keep what is not meant for visitors out of the folder.',
  references: [
    'https://owasp.org/www-community/attacks/Embedding_Null_Code',
    'https://cwe.mitre.org/data/definitions/158.html',
  ],
}

export const nullByte: Check<'injection', 'crawl'> = {
  findings: [definition],
  judge: ({ nullBytes }: InjectionFacts) => {
    if (!nullBytes) return { state: 'not_tested', reason: 'the run ended before files that are refused were asked for' }
    const { known, asked, hits } = nullBytes
    const findings = hits.filter(isProven).map(findingOf)
    if (known === 0) return { state: 'not_applicable', reason: 'the crawl saw no file that is refused for its name' }
    if (asked === known) return findings
    const reason = `of ${known} files that are refused ${known - asked} were not asked for otherwise`
    return { state: asked === 0 ? 'not_tested' : 'inconclusive', reason, findings }
  },
}

const isProven = ({ files }: NullByteHit): boolean =>
  files.length >= 2 && new Set(files.map(({ target }) => target)).size === files.length

/** One program hands out all files of a folder. */
const findingOf = ({ url, files, excerpt }: NullByteHit): Finding => {
  const [first] = files
  return {
    definition,
    confidence: 'confirmed',
    at: { url, method: 'GET', parameter: 'path' },
    cause: `folder ${new URL('.', url).pathname}`,
    detail: `${new URL(url).pathname} is refused, and handed out as ${files.map(({ target }) => target).join(' and ')}; a name beside it is not.`,
    proof: { excerpt: printable(excerpt), mark: null, replay: first?.replay ?? null, basis: 'file' },
  }
}
