import type { Check, Finding, FindingDefinition } from '../../module.ts'
import { nothingToAsk, takesObject } from '../insertion-points/left-alone.ts'
import { locationOf } from '../insertion-points/verdict.ts'
import type { PrototypeHit, PrototypesFacts } from './facts.ts'

const definition: FindingDefinition = {
  id: 'prototypes/pollution',
  title: 'Prototype pollution: a visitor gives all objects of the server a property',
  severity: 'high',
  cwe: 1321,
  why:
    'Members of a document are merged into an object of the server by their names, `__proto__` included, and so into what all objects ' +
    'inherit from. A visitor changes settings and decisions everywhere: rights, templates, arguments of programs, up to code of their own.',
  remediation:
    'Merge known members alone, checked against a schema that refuses others; skip `__proto__`, `constructor` and `prototype`. Use ' +
    '`Map` or `Object.create(null)` for what visitors name, and start Node.js with `--disable-proto=delete`.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Prototype_Pollution_Prevention_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/1321.html',
  ],
}

/** A pass where each request with an object of JSON was asked, and neither its own next answer nor another showed the property. */
export const prototypePollution: Check<'prototypes', 'crawl'> = {
  findings: [definition],
  judge: ({ known, asked, hits, failing, short = 0, swallowed = 0, broken = [] }: PrototypesFacts, { crawl }) => {
    const findings = hits.filter(isProven).map(findingOf)
    if (known === 0)
      return nothingToAsk(crawl, takesObject, {
        absent: 'the crawl found no request that takes an object of JSON',
        left: 'what takes an object of JSON was found, and none of it may be sent',
      })
    if (failing !== undefined)
      return {
        state: 'inconclusive',
        reason: `the site answered with errors alone once a property was sent into a prototype in ${failing.method} ${new URL(failing.url).pathname}: start the server anew`,
        findings,
      }
    const [page] = broken
    if (page !== undefined)
      return {
        state: 'inconclusive',
        reason: `pages that answered with errors once properties were sent into a prototype, though no answer showed one: ${broken.length}, for one ${new URL(page).pathname}; start the server anew`,
        findings,
      }
    if (asked === 0 && short === 0)
      return {
        state: 'not_tested',
        reason: 'what is changed so stays changed, so it is not tried on a production system',
        findings,
      }
    if (findings.length < hits.length)
      return {
        state: 'inconclusive',
        reason: 'a property showed in other answers, and also where none was sent',
        findings,
      }
    if (asked === known && swallowed > 0)
      return {
        state: 'inconclusive',
        reason: `of ${known} requests with an object of JSON ${swallowed} take in members that nobody asked for, and no answer tells whether those of the prototype are left out or merged`,
        findings,
      }
    if (asked === known) return findings
    return {
      state: 'inconclusive',
      reason: `of ${known} requests with an object of JSON ${known - asked} were not asked`,
      findings,
    }
  },
}

const isProven = ({ trials, controlShows }: PrototypeHit): boolean =>
  trials.length >= 2 && !controlShows && new Set(trials.map(({ payload }) => payload)).size === trials.length

const findingOf = ({ at, way, trials, undone }: PrototypeHit): Finding => {
  const [first] = trials
  const rest = undone
    ? 'It is set to 0 now, which does nothing, and gone once the server is started anew.'
    : 'It could not be set back: start the server anew.'
  return {
    definition,
    confidence: 'confirmed',
    at: { ...locationOf(at), parameter: way },
    detail: `A property sent in ${way} showed in other answers (${first?.from}), with the number that it was sent with each time. ${rest}`,
    proof: {
      excerpt: `${first?.payload}\n${first?.excerpt}`,
      mark: first?.payload ?? null,
      replay: first?.replay ?? null,
      basis: 'answers',
    },
  }
}
