import type { Check, Finding, FindingDefinition, Judgement } from '../../module.ts'
import { withShortfall } from '../insertion-points/verdict.ts'
import type { FolderHit, InjectionFacts } from './facts.ts'
import { BY_LENGTH } from './paths.ts'
import { isProven, provenCheck } from './proven.ts'

const traversalDefinition: FindingDefinition = {
  severity: 'high',
  id: 'injection/path-traversal',
  title: 'Path traversal: a visitor can read files of the server',
  cwe: 22,
  why:
    'The value chooses a file and can leave the folder meant for it. An attacker reads configuration, keys and source ' +
    'code; where the file is included as code, also runs it.',
  remediation:
    'Choose files by an identifier from a fixed list. Where a name is needed, resolve it (`realpath`), compare the result ' +
    'with the folder and refuse what is outside, after decoding and not before.',
  references: [
    'https://owasp.org/www-community/attacks/Path_Traversal',
    'https://cwe.mitre.org/data/definitions/22.html',
  ],
}

const existenceDefinition: FindingDefinition = {
  severity: 'medium',
  id: 'injection/path-existence',
  title: 'Path traversal, blind: a visitor learns which files the server has',
  cwe: 22,
  why:
    'The value names a file and can leave the folder meant for it. The page shows nothing of what it finds there, and tells whether it is there: ' +
    'an attacker learns which programs, accounts and backups a machine has.',
  remediation: traversalDefinition.remediation,
  references: [...traversalDefinition.references, 'https://cwe.mitre.org/data/definitions/204.html'],
}

const openedDefinition: FindingDefinition = {
  severity: 'high',
  id: 'injection/path-outside',
  title: 'Path traversal: a name that a visitor sends leads out of the folder for it',
  cwe: 22,
  why:
    'The program opens what the name says, `../` included. A visitor reads files elsewhere, or writes over them, as the program may: ' +
    'configuration, code of the site, jobs of the system.',
  remediation: traversalDefinition.remediation,
  references: [...traversalDefinition.references, 'https://cwe.mitre.org/data/definitions/209.html'],
}

const xxeDefinition: FindingDefinition = {
  severity: 'high',
  id: 'injection/xml-external-entity',
  title: 'XML external entity (XXE): a visitor’s XML document can include files of the server',
  cwe: 611,
  why: 'The XML parser follows external entities. An attacker reads files and makes the server call addresses inside the network.',
  remediation:
    'Switch document types off in the parser: `disallow-doctype-decl` in Java, `resolve_entities=False` in lxml, ' +
    '`XmlResolver = null` in .NET, no `LIBXML_NOENT` in PHP.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/XML_External_Entity_Prevention_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/611.html',
  ],
}

const paths = provenCheck(
  'traversal',
  traversalDefinition,
  { definition: existenceDefinition, is: ({ proof }) => proof === 'answers' },
  { definition: openedDefinition, is: ({ proof }) => proof === 'opened' },
)

export const pathTraversal: Check<'injection', 'crawl'> = {
  findings: paths.findings,
  judge: (facts, known, about) => {
    const { withoutPaths = 0 } = facts
    const judgement = withFolders(paths.judge(facts, known, about), facts)
    if (withoutPaths === 0) return judgement
    return withShortfall(judgement, `${withoutPaths} places that may write files were asked for none`)
  },
}

/** A site without places for values has folders all the same. */
const withFolders = (judgement: Judgement, { folders }: InjectionFacts): Judgement => {
  // Where the run ended before, its places say so.
  if (!folders) return judgement
  const proven = folders.hits.filter(isProven)
  const known = ('state' in judgement ? (judgement.findings ?? []) : judgement).map((one) => ofServer(one, proven))
  // What hands out a document by its name in the path hands out the folder that it lies in.
  const told = (hit: FolderHit): boolean =>
    known.some((one) => one.at?.url?.startsWith(hit.folder) && isSegment(one) && one.cause !== causeOf(hit))
  const hits = proven.filter((hit) => !told(hit)).map(ofFolder)
  const left = folders.known - folders.asked
  const reason = `of ${folders.known} folders ${left} were not asked for files outside of them`
  if (!('state' in judgement)) {
    const findings = [...known, ...hits]
    return left === 0 ? findings : { state: 'inconclusive', reason, findings }
  }
  const findings = [...known, ...hits]
  if (judgement.state === 'not_applicable' && folders.known > 0) {
    if (left === 0) return findings
    return folders.asked === 0 ? { state: 'not_tested', reason } : { state: 'inconclusive', reason, findings }
  }
  return { ...judgement, findings }
}

const isSegment = ({ at }: Finding): boolean => at?.parameter?.startsWith('path segment') ?? false

/** Where the server of the whole site hands out what lies outside, a part of a path that does so below is the same flaw. */
const ofServer = (finding: Finding, hits: readonly FolderHit[]): Finding => {
  const root = hits.find(({ folder }) => new URL(folder).pathname === '/' && finding.at?.url?.startsWith(folder))
  return root && isSegment(finding) ? { ...finding, cause: causeOf(root) } : finding
}

/** Whichever of the kernel's files has proven it. */
const causeOf = ({ flavour }: FolderHit): string => `folder ${flavour.replace(BY_LENGTH, '')}`

/** One server hands out all that it hands out in one way. */
const ofFolder = (hit: FolderHit): Finding => {
  const [first] = hit.files
  const paths = [...new Set(hit.files.map(({ path }) => path))]
  const shown = paths.length > 1 ? 'were shown' : 'was shown twice, and a name beside it not at all,'
  return {
    definition: traversalDefinition,
    confidence: 'confirmed',
    at: { url: hit.folder, method: 'GET', parameter: 'path' },
    cause: causeOf(hit),
    detail: `${paths.join(' and ')} ${shown} below ${new URL(hit.folder).pathname} (${hit.flavour}).`,
    proof: {
      ...{ excerpt: first?.excerpt ?? '', mark: first?.mark ?? null, replay: first?.replay ?? null },
      basis: 'file',
    },
  }
}

const shown = provenCheck('xxe', xxeDefinition)

/** Documents that are not shown again tell only by a call. */
export const xmlExternalEntity: Check<'injection', 'crawl'> = {
  findings: shown.findings,
  judge: (facts, known, about) => {
    const judgement = shown.judge(facts, known, about)
    const blind = facts.listened !== true && facts.points.some(({ at }) => at.place === 'xml')
    if (!blind || 'state' in judgement) return judgement
    const reason = 'only documents that are shown again: nothing listens for calls from the target'
    return { state: 'inconclusive', reason, findings: judgement }
  },
}
