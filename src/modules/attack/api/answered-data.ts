/** Excessive data exposure: what answers hold beyond what who asks needs. */
import type { Check, FindingDefinition } from '../../module.ts'
import type { DataHit, GraphqlHit } from './facts.ts'
import { findingOf, judged } from './judged.ts'

const REFERENCES = [
  'https://owasp.org/API-Security/editions/2023/en/0xa3-broken-object-property-level-authorization/',
] as const
const ONLY_NAMED =
  'Build answers from a list of the properties that the page needs (a serializer, a DTO), never from the record of the database as it is.'

const secret: FindingDefinition = {
  id: 'api/secret-in-answer',
  title: 'Excessive data exposure: an answer holds password hashes or keys',
  severity: 'high',
  cwe: 200,
  why: 'Hashes of passwords are guessed offline, and keys and seeds need not even be guessed. No page needs them.',
  remediation: `${ONLY_NAMED} Then change what was shown.`,
  references: [...REFERENCES, 'https://cwe.mitre.org/data/definitions/200.html'],
}

const personal: FindingDefinition = {
  id: 'api/personal-data',
  title: 'Excessive data exposure: an answer holds personal data of several people',
  severity: 'medium',
  cwe: 359,
  why: 'Addresses, numbers and dates of many people can be copied with one request, for fraud and phishing, and the law asks for more care.',
  remediation: `${ONLY_NAMED} Ask for a sign-in, and answer each person with their own record alone.`,
  references: [...REFERENCES, 'https://cwe.mitre.org/data/definitions/359.html'],
}

const undocumented: FindingDefinition = {
  id: 'api/undocumented-property',
  title: 'Excessive data exposure: an answer has properties that its description does not name',
  severity: 'info',
  cwe: 213,
  group: 'disclosure',
  why: 'What nobody described nobody has decided to show: internal prices, notes and flags leave the server this way.',
  remediation: `${ONLY_NAMED} Or describe the properties, where they are meant.`,
  references: [...REFERENCES, 'https://cwe.mitre.org/data/definitions/213.html'],
}

const to = ({ open }: DataHit): string => (open ? 'to anybody' : "to the run's account")
const namesOf = ({ names }: DataHit): string =>
  `${names.slice(0, 8).join(', ')}${names.length > 8 ? ` and ${names.length - 8} more` : ''}`

const TOLD = { unit: 'operations that read', absent: 'no operation of an interface was found that reads' }

/** A field that answers nobody is told of by its name. */
const isNotTold =
  (fields: readonly GraphqlHit[]) =>
  ({ kind, url }: DataHit): boolean =>
    kind !== 'personal' || !fields.some((field) => field.kind === 'open-field' && field.url === url)

/** Records of one folder that are called by words, and show the same at the same places: one piece of code writes them. */
const causeOf = (hit: DataHit, all: readonly DataHit[]): { readonly cause?: string; readonly subject?: string } => {
  const cause = recordOf(hit)
  const alike = new Set(all.filter((one) => recordOf(one) === cause).map(({ url }) => url.split('?')[0]))
  return hit.procedure === undefined && alike.size >= RECORDS
    ? { cause, subject: `${hit.method} ${folderOf(hit.url)}` }
    : {}
}
const RECORDS = 3
const folderOf = (url: string): string => new URL('.', url).pathname
const recordOf = ({ kind, method, url, what, names, open }: DataHit): string =>
  JSON.stringify([kind, method, folderOf(url), what, names, open])

export const answeredData: Check<'api'> = {
  findings: [secret, personal, undocumented],
  judge: ({ data, graphql }) =>
    judged(
      data,
      data.hits.filter(isNotTold(graphql.hits)).map((hit) => {
        if (hit.kind === 'undocumented')
          return findingOf(undocumented, hit, {
            ...{ confidence: 'confirmed', basis: namesOf(hit).slice(0, 250) },
            detail: `It answers ${to(hit)} with ${namesOf(hit)}, which its description does not name.`,
          })
        const definition = hit.kind === 'secret' ? secret : personal
        const certain = hit.what.some((one) => /hash|private key/.test(one))
        return findingOf(definition, hit, {
          ...{ confidence: certain ? 'confirmed' : 'firm', basis: hit.what.join(', ').slice(0, 250) },
          ...causeOf(hit, data.hits),
          detail: `It answers ${to(hit)} with ${hit.what.join(', ')}, in ${namesOf(hit)}.`,
        })
      }),
      TOLD,
    ),
}
