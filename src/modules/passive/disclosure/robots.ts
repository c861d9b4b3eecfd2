import type { Check, FindingDefinition } from '../../module.ts'

const admin: FindingDefinition = {
  id: 'disclosure/robots-paths',
  title: 'robots.txt names paths that are meant to stay unknown',
  severity: 'info',
  cwe: 200,
  group: 'disclosure',
  why: 'robots.txt is read by everybody; a path in it is an invitation to look there.',
  remediation:
    'Protect the paths with a login, take them out of robots.txt, and keep pages out of search engines with `X-Robots-Tag: noindex`.',
  references: ['https://www.rfc-editor.org/rfc/rfc9309#section-3'],
}

const TELLING =
  /(?:^|[/_.-])(?:admin\w*|administrator|backend|backup\w*|bak|old|private|internal|intern|secret\w*|config\w*|dump\w*|database|db|sql|phpmyadmin|staging|test|dev|debug|logs?|cgi-bin|install|setup|\.git|\.env|manager|console|back-?office|hidden|intranet|restricted|confidential|staff|superuser|ops)(?=$|[/_.*$-])/i

/** Where every installation of a product has it, and its own robots.txt says so: whoever knows the product knows it. */
const ANYWHERE = /^\/(?:[\w-]+\/){0,3}wp-(?:admin|includes|content)\/?[*$]?$/i

export const robots: Check<'disclosure', 'site'> = {
  findings: [admin],
  judge: ({ robots: file }) => {
    if (file === null) return { state: 'not_tested', reason: 'The address of robots.txt did not answer.' }
    if (file.status !== 200 || /<(?:!doctype|html)\b/i.test(file.body)) return []
    const paths = [...new Set(disallowed(file.body))].filter((path) => TELLING.test(path) && !ANYWHERE.test(path))
    if (paths.length === 0) return []
    return [
      {
        definition: admin,
        confidence: 'confirmed',
        at: { url: file.url },
        detail: `robots.txt names ${paths.slice(0, 10).join(', ')}${paths.length > 10 ? ` and ${paths.length - 10} more` : ''}.`,
        proof: {
          excerpt: paths
            .slice(0, 40)
            .map((path) => `Disallow: ${path}`)
            .join('\n')
            .slice(0, 4000),
          mark: null,
          replay: `curl -s ${file.url}`,
        },
      },
    ]
  },
}

/** RFC 9309: rules are case-insensitive, a hash begins a comment. */
const disallowed = (body: string): readonly string[] =>
  body.split(/\r?\n|\r/, 5000).flatMap((line) => /^\s*disallow\s*:\s*([^\s#]{1,300})/i.exec(line)?.[1] ?? [])
