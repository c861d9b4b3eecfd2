import type { Check, FindingDefinition } from '../../module.ts'

const soft404Finding: FindingDefinition = {
  id: 'site/soft-404',
  title: 'Soft 404: pages that do not exist are answered with success',
  severity: 'info',
  cwe: null,
  why: 'Monitoring, search engines and scanners cannot tell a missing page from a real one. Exposed files are harder to find for the owner, and broken links stay unnoticed.',
  remediation:
    'Answer unknown paths with status 404 and keep the friendly page as its body. In nginx: `try_files $uri $uri/ =404;` with `error_page 404 /404.html;`. In a single-page application, let the server answer 404 for every path that the application does not route.',
  references: ['https://www.rfc-editor.org/rfc/rfc9110.html#name-404-not-found'],
}

export const soft404: Check<'site'> = {
  findings: [soft404Finding],
  judge: ({ missing, absent }) => {
    if (missing.length === 0) return { state: 'not_tested', reason: absent ?? 'no path of the host could be asked for' }
    const answered = missing.filter((page) => page.status >= 200 && page.status < 300)
    const [first] = answered
    if (!first || answered.length < missing.length) return []
    return [
      {
        definition: soft404Finding,
        confidence: 'firm',
        // The random path changes with every run; the problem is the host's.
        at: { host: new URL(first.url).hostname },
        detail: `${answered.length} random paths were answered with status ${first.status}.`,
        proof: {
          excerpt: answered.map((page) => `GET ${new URL(page.url).pathname} → ${page.status}`).join('\n'),
          mark: String(first.status),
          replay: `curl -so /dev/null -w '%{http_code}\\n' '${first.url}'`,
        },
        evidence: answered.flatMap((page) => page.evidence ?? []),
      },
    ]
  },
}
