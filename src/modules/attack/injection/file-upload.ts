import type { Check, Finding, FindingDefinition } from '../../module.ts'
import { noFormForFiles } from '../insertion-points/left-alone.ts'
import { codeOf, locationOf, parameterOf } from '../insertion-points/verdict.ts'
import type { InjectionFacts, UploadHit } from './facts.ts'

const REMEDIATION =
  'Keep uploaded files outside the folders that the web server delivers, under names of your own, and hand them out by a program with ' +
  '`Content-Disposition: attachment` and `X-Content-Type-Options: nosniff`. Allow endings from a list, check the content, and switch ' +
  'interpreters off for the folder (`php_admin_flag engine off`, `SetHandler none`).'

const REFERENCES = [
  'https://owasp.org/www-community/vulnerabilities/Unrestricted_File_Upload',
  'https://cheatsheetseries.owasp.org/cheatsheets/File_Upload_Cheat_Sheet.html',
  'https://cwe.mitre.org/data/definitions/434.html',
] as const

const programDefinition: FindingDefinition = {
  id: 'injection/file-upload-program',
  title: 'Unrestricted file upload: a program that a visitor uploads runs on the server',
  severity: 'critical',
  cwe: 434,
  why: 'Whoever may upload a file runs programs of their own on the server, with the rights of the application.',
  remediation: REMEDIATION,
  references: REFERENCES,
}

const pageDefinition: FindingDefinition = {
  id: 'injection/file-upload-page',
  title: 'File upload: a page that a visitor uploads is shown as one of the site',
  severity: 'medium',
  cwe: 434,
  why: 'Its scripts run with the rights of whoever opens it, as those of the site do, and its address begins with the name people trust.',
  remediation: REMEDIATION,
  references: REFERENCES,
}

const uploadCheck = (as: UploadHit['as'], definition: FindingDefinition): Check<'injection', 'crawl'> => ({
  findings: [definition],
  judge: ({ uploads }: InjectionFacts, { crawl }) => {
    if (!uploads) return { state: 'not_tested', reason: 'the run ended before files were uploaded' }
    const { known, asked, found, hits } = uploads
    const findings = hits.filter((hit) => hit.as === as).map((hit) => findingOf(hit, definition))
    if (known === 0) return noFormForFiles(crawl)
    if (asked === 0)
      return { state: 'not_tested', reason: 'uploaded files stay, so none is sent to a production system', findings }
    if (found[as] === known) return findings
    const reason = `of ${known} fields for files ${asked} were asked, and the ${as}s of ${found[as]} were found again`
    return { state: 'inconclusive', reason, findings }
  },
})

const findingOf = ({ at, as, files }: UploadHit, definition: FindingDefinition): Finding => {
  const [first] = files
  const where = files.map(({ url }) => url).join(' and ')
  const done = as === 'program' ? 'were run by the server' : 'are shown as pages of the site'
  return {
    definition,
    confidence: 'confirmed',
    at: locationOf(at),
    ...codeOf(at),
    detail: `Files sent in ${parameterOf(at)} ${done}: ${where}. They do nothing; delete them.`,
    proof: { excerpt: first?.excerpt ?? '', mark: first?.expected ?? null, replay: first?.replay ?? null, basis: as },
  }
}

export const uploadedProgram = uploadCheck('program', programDefinition)
export const uploadedPage = uploadCheck('page', pageDefinition)
