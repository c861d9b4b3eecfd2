import type { Check, FindingDefinition } from '../../module.ts'
import type { GraphqlHit } from './facts.ts'
import { findingOf, judged } from './judged.ts'

const SHEET = 'https://cheatsheetseries.owasp.org/cheatsheets/GraphQL_Cheat_Sheet.html'
const RESOURCES = 'https://owasp.org/API-Security/editions/2023/en/0xa4-unrestricted-resource-consumption/'

const aliases: FindingDefinition = {
  id: 'api/graphql-aliases',
  title: 'GraphQL aliases: one request asks the same field fifty times',
  severity: 'low',
  cwe: 770,
  why: 'A limit that counts requests does not see them: guesses at passwords and codes, or costly fields, travel a hundred at a time.',
  remediation:
    'Bound aliases and cost: `maxAliases` and `costLimit` of `@escape.tech/graphql-armor`, `MaxAliases` of the server in use.',
  references: [SHEET, RESOURCES],
}
const depth: FindingDefinition = {
  ...aliases,
  id: 'api/graphql-depth',
  title: 'GraphQL depth: queries may be nested without a bound',
  why: 'Types that lead back to themselves let one small query ask for thousands of records.',
  remediation:
    'Bound depth and cost: `graphql-depth-limit`, `maxDepth` of `@escape.tech/graphql-armor`, graphql-java `MaxQueryDepthInstrumentation`.',
}
const getMutation: FindingDefinition = {
  id: 'api/graphql-get-mutation',
  title: 'GraphQL over GET: mutations are carried out from an address',
  severity: 'low',
  cwe: 352,
  why: 'A link or an image on another site sends such a request with the cookies of a visitor, and addresses end in logs and histories.',
  remediation:
    'Allow queries alone by GET (GraphQL over HTTP, 6.1): Apollo Server 4 and graphql-http do so; remove what allows more.',
  references: [
    SHEET,
    'https://graphql.github.io/graphql-over-http/draft/#sec-Request',
    'https://cwe.mitre.org/data/definitions/352.html',
  ],
}
const formType: FindingDefinition = {
  ...getMutation,
  id: 'api/graphql-form-type',
  title: 'GraphQL CSRF: requests are taken in the type of a form',
  why: 'A form on another site can send text/plain and urlencoded bodies with the cookies of a visitor; it cannot send application/json.',
  remediation:
    'Take application/json alone, and ask for a header that no form sends: Apollo Server `csrfPrevention: true`.',
}
const trace: FindingDefinition = {
  id: 'api/graphql-trace',
  title: 'GraphQL debug output: errors tell where the program failed',
  severity: 'low',
  cwe: 209,
  group: 'disclosure',
  why: 'Paths, versions and code of the server help whoever looks for a way in.',
  remediation:
    'Switch debugging off: Apollo Server `includeStacktraceInErrorResponses: false`, NODE_ENV=production, graphene `DEBUG=False`.',
  references: [SHEET, 'https://cwe.mitre.org/data/definitions/209.html'],
}
const openField: FindingDefinition = {
  id: 'api/graphql-open-field',
  title: 'GraphQL field without authorisation: personal data is answered to nobody',
  severity: 'medium',
  cwe: 862,
  why: 'Other fields of this interface ask who it is, and this one answers anybody with data of people.',
  remediation:
    'Authorise in the resolver, or in the layer below it, for every field: `@auth` directives, graphql-shield with `fallbackRule: deny`.',
  references: [SHEET, 'https://owasp.org/API-Security/editions/2023/en/0xa1-broken-object-level-authorization/'],
}

const OF: Readonly<Record<GraphqlHit['kind'], FindingDefinition>> = {
  ...{ aliases, depth, trace, 'get-mutation': getMutation, 'form-type': formType, 'open-field': openField },
}

export const graphql: Check<'api'> = {
  findings: Object.values(OF),
  judge: ({ graphql: topic }) => {
    const all = judged(
      topic,
      topic.hits.map((hit) =>
        findingOf(OF[hit.kind], hit, {
          confidence: hit.kind === 'depth' || hit.kind === 'open-field' ? 'firm' : 'confirmed',
          ...{ detail: hit.detail, basis: hit.kind },
          ...(hit.kind === 'open-field' ? { subject: hit.mark ?? '' } : {}),
        }),
      ),
      { unit: 'GraphQL interfaces', absent: 'no GraphQL interface was found' },
    )
    const { flat = 0, unguarded = 0 } = topic
    const of = topic.known
    const [first, ...more] = [
      {
        ...{ id: depth.id, count: flat },
        reason: `${flat} of ${of} GraphQL interfaces tell no schema, so that no query could be made deep`,
      },
      {
        ...{ id: openField.id, count: unguarded },
        reason: `${unguarded} of ${of} GraphQL interfaces answer nobody with data of people, and refuse nobody anything`,
      },
    ].filter(({ count }) => count > 0)
    if (first === undefined || 'state' in all) return all
    return {
      state: more.length === 0 && first.count === topic.known ? 'not_tested' : 'inconclusive',
      reason: [first, ...more].map(({ reason }) => reason).join('; '),
      only: [first, ...more].map(({ id }) => id),
      findings: all,
    }
  },
}
