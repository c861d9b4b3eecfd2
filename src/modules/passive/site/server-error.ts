import type { Check, FindingDefinition } from '../../module.ts'

const serverErrorFinding: FindingDefinition = {
  id: 'site/server-error',
  title: 'Server error on the start page: it answers with a status of 500 or above',
  severity: 'info',
  cwe: null,
  why: 'Visitors see an error instead of the site, and every check of this run saw the error page. What it says about the site itself is limited until the page works again.',
  remediation:
    "Look for the cause in the error log of the web server or application at the time of this run, fix it, and start the run again. If only the scanner gets this answer, allow its requests in the site's protection rules.",
  references: ['https://www.rfc-editor.org/rfc/rfc9110.html#name-server-error-5xx'],
}

export const serverError: Check<'site'> = {
  findings: [serverErrorFinding],
  judge: ({ pages, reloads, absent }) => {
    const start = pages.find((page) => page.depth === 0)
    if (!start) return { state: 'not_tested', reason: absent ?? 'the host shows no page of its own' }
    if (start.status < 500) return []
    const loads = [start, ...reloads]
    const failed = loads.filter((page) => page.status >= 500)
    return [
      {
        definition: serverErrorFinding,
        confidence: failed.length === loads.length ? 'confirmed' : 'firm',
        at: { url: start.url, method: 'GET' },
        detail: `${failed.length} of ${loads.length} loads of ${start.url} were answered with status ${start.status}.`,
        proof: { excerpt: `HTTP ${start.status}`, mark: String(start.status), replay: `curl -si '${start.url}'` },
        evidence: failed.flatMap((page) => page.evidence ?? []),
      },
    ]
  },
}
