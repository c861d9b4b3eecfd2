import { isSafe } from '../../../safety/effect.ts'
import { changesPasswordAt } from '../../../safety/form-effect.ts'
import type { Check, FindingDefinition, Judgement } from '../../module.ts'
import { besideUnread } from '../insertion-points/unread.ts'
import type { CrawlFacts, RequestTemplate } from './facts.ts'

const inAddress: FindingDefinition = {
  id: 'crawl/password-in-address',
  title: 'Password in URL: a script of the site sends it in the address',
  severity: 'medium',
  cwe: 598,
  why: 'Addresses end in logs of servers and proxies, in histories and in the Referer header. Whoever reads one of them has the password; and a link alone may change it.',
  remediation:
    'Send it in the body, `{ method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ current, password }) }`, and refuse GET at its address. To change a password demand the current one.',
  references: [
    'https://cwe.mitre.org/data/definitions/598.html',
    'https://www.rfc-editor.org/rfc/rfc9110#section-17.9',
  ],
}

/** Of requests that scripts make; forms are those of the module markup. */
export const passwordInAddress: Check<'crawl'> = {
  findings: [inAddress],
  judge: (facts) => besideUnread(judged(facts), facts),
}

const judged = ({ requests, cut }: CrawlFacts): Judgement => {
  // What a page has drawn and not sent is a form, whose script may send it otherwise.
  const scripted = requests.filter(({ source, sent }) => source === 'script' || (source === 'browser' && sent))
  if (scripted.length === 0) return { state: 'not_applicable', reason: 'no request of a script was found' }
  const told = scripted.flatMap((request) => {
    const names = passwordsIn(request)
    return names.length === 0 ? [] : [{ request, names }]
  })
  const findings = [...Map.groupBy(told, ({ request }) => new URL(request.url).pathname).values()].flatMap(([first]) =>
    first === undefined ? [] : [findingOf(first.request, first.names)],
  )
  return cut === null || findings.length > 0
    ? findings
    : { state: 'inconclusive', reason: `the crawl ended early: ${cut}` }
}

const PASSWORD =
  /^(?:(?:new|old|current|repeat(?:ed)?|confirm\w*|user)_?)?(?:pass(?:word|wd|phrase)?|pwd|passwort|kennwort)(?:_?(?:new|old|again|repeat|confirm\w*|\d))?$/i
/** What stands for it where the path says that a password is set. */
const PART = /^(?:new|old|current|repeat|confirm|actual|neu|alt|aktuell)$/i

const passwordsIn = ({ method, url }: RequestTemplate): readonly string[] => {
  if (!isSafe(method)) return []
  const names = [...new Set(new URL(url).searchParams.keys())]
  const parts = changesPasswordAt(url, names) ? names.filter((name) => PART.test(name)) : []
  return [...new Set([...names.filter((name) => PASSWORD.test(name)), ...parts])]
}

const findingOf = ({ url, method, source, seenOn }: RequestTemplate, names: readonly string[]) => {
  const { origin, pathname } = new URL(url)
  const address = `${origin}${pathname}?${names.map((name) => `${name}=…`).join('&')}`
  return {
    definition: inAddress,
    // A script was read, or a page has sent it.
    confidence: source === 'browser' ? ('confirmed' as const) : ('firm' as const),
    at: { url: `${origin}${pathname}`, method, parameter: names[0] ?? '' },
    subject: pathname,
    detail: `A script sends ${names.join(', ')} in the query of ${pathname}.`,
    proof: {
      excerpt: [`${method} ${address}`, ...seenOn.slice(0, 3).map((page) => `by ${page}`)].join('\n'),
      mark: null,
      replay: null,
    },
  }
}
