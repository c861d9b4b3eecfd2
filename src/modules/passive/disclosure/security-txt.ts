import { headerOf } from '../../../page/exchange.ts'
import type { Check, FindingDefinition } from '../../module.ts'
import type { DisclosureFacts, Fetched } from './facts.ts'

const absent: FindingDefinition = {
  id: 'disclosure/security-txt-absent',
  title: 'security.txt missing: nobody is told where to report a vulnerability',
  severity: 'info',
  cwe: null,
  group: 'good-practice',
  why: 'Who finds a flaw does not learn where to report it, and reports get lost or published.',
  remediation:
    'Publish `/.well-known/security.txt` with `Contact: mailto:…` and `Expires:` (at most a year ahead) as text/plain over https.',
  references: ['https://www.rfc-editor.org/rfc/rfc9116', 'https://securitytxt.org/'],
}

const invalid: FindingDefinition = {
  ...absent,
  id: 'disclosure/security-txt-invalid',
  title: 'security.txt invalid: it breaks its standard (RFC 9116)',
  severity: 'low',
  why: 'Tools and people that rely on the standard cannot use it, or must take it for outdated.',
  remediation: 'Correct what is named here, and renew the file before the date in `Expires`.',
}

const LARGEST = 100 * 1024
const DAY = 86_400_000

export const securityTxt: Check<'disclosure', 'site'> = {
  findings: [absent, invalid],
  judge: (facts, _known, { now }) => {
    if (facts.securityTxt === null)
      return { state: 'not_tested', reason: 'The address of security.txt did not answer.' }
    const file = publishedFile(facts)
    if (file === null) {
      const { url, status } = facts.securityTxt
      return [
        {
          definition: absent,
          confidence: 'confirmed',
          at: { url },
          detail: `${url} answers ${status} and no such file.`,
        },
      ]
    }
    const faults = faultsOf(file, now)
    if (faults.length === 0) return []
    return [
      {
        definition: invalid,
        confidence: 'confirmed',
        at: { url: file.url },
        detail: `${faults.join('; ')}.`,
        proof: { excerpt: file.body.slice(0, 2000).trim() || '(empty)', mark: null, replay: `curl -si ${file.url}` },
      },
    ]
  },
}

/** A page that answers every address is no security.txt. */
const publishedFile = ({ securityTxt: first, securityTxtAtRoot: second }: DisclosureFacts): Fetched | null =>
  [first, second].find(
    (file) => file !== null && file.status === 200 && !/<(?:!doctype|html|head|body)\b/i.test(file.body),
  ) ?? null

/** What of RFC 9116 the file does not keep, as phrases. */
export const faultsOf = (file: Fetched, now: number): readonly string[] => {
  const fields = readFields(file.body)
  const values = (name: string) => fields.filter(([field]) => field === name).map(([, value]) => value)
  const type = headerOf(file, 'content-type') ?? ''
  const contacts = values('contact')
  const expires = values('expires')
  return [
    ...(file.url.includes('/.well-known/') ? [] : ['it lies at the top level instead of /.well-known/']),
    ...(file.url.startsWith('https:') ? [] : ['it is not served over https']),
    ...(/^text\/plain\s*(?:;|$)/i.test(type) ? [] : [`its type is “${type.slice(0, 80)}” instead of text/plain`]),
    ...(/charset=(?!"?utf-8"?)/i.test(type) ? ['its charset is not UTF-8'] : []),
    ...(file.truncated || file.body.length > LARGEST ? ['it is larger than 100 KiB'] : []),
    ...(contacts.length === 0 ? ['it names no Contact'] : []),
    ...(contacts.every(isContact) ? [] : ['a Contact is no mailto:, tel: or https: address']),
    ...expiryFaults(expires, now),
    ...(values('preferred-languages').length > 1 ? ['Preferred-Languages occurs twice'] : []),
    ...[...values('policy'), ...values('encryption'), ...values('acknowledgments'), ...values('hiring')]
      .filter((value) => value.startsWith('http:'))
      .map((value) => `${value.slice(0, 200)} is not https`),
  ]
}

const expiryFaults = (expires: readonly string[], now: number): readonly string[] => {
  if (expires.length === 0) return ['it has no Expires']
  if (expires.length > 1) return ['Expires occurs twice']
  const time = RFC3339.test(expires[0] ?? '') ? Date.parse(expires[0] ?? '') : Number.NaN
  if (Number.isNaN(time)) return ['Expires is no RFC 3339 date and time']
  if (time < now) return [`it expired on ${new Date(time).toISOString().slice(0, 10)}`]
  return time > now + 398 * DAY ? ['Expires is more than a year ahead'] : []
}

const RFC3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/

const isContact = (value: string): boolean =>
  /^(?:mailto:[^\s@]+@[^\s@]+|tel:\+?[\d() .-]{3,}|https:\/\/\S+)$/i.test(value)

/** Fields with lower-case names. Comments, blank lines and the frame of an OpenPGP signature are left out. */
const readFields = (body: string): readonly (readonly [string, string])[] =>
  body
    .slice(0, LARGEST)
    .replace(/^\ufeff/, '')
    .replace(/-----BEGIN PGP SIGNATURE-----[\s\S]*$/, '')
    .replace(/^-----BEGIN PGP SIGNED MESSAGE-----\r?\n(?:Hash: .*\r?\n)*/, '')
    .split(/\r?\n/)
    .flatMap((line) => {
      const match = /^([A-Za-z-]{1,64}):[ \t]*(.*)$/.exec(line.trimEnd())
      return match === null ? [] : [[(match[1] ?? '').toLowerCase(), match[2] ?? ''] as const]
    })
