/** Texts that are taken where a description gives none: by format, pattern and length, else by what they are called. */
import { exampleOfPattern } from '../page/pattern.ts'
import { type Json, number, string } from './json.ts'

const BY_FORMAT: Readonly<Record<string, string>> = {
  ...{ date: '2024-01-01', 'date-time': '2024-01-01T00:00:00Z', time: '12:00:00Z', duration: 'P1D' },
  ...{
    email: 'test@example.org',
    'idn-email': 'test@example.org',
    hostname: 'example.org',
    'idn-hostname': 'example.org',
  },
  ...{
    uri: 'https://example.org/',
    url: 'https://example.org/',
    iri: 'https://example.org/',
    'uri-reference': '/test',
  },
  ...{ uuid: '00000000-0000-4000-8000-000000000000', guid: '00000000-0000-4000-8000-000000000000' },
  ...{
    ipv4: '192.0.2.1',
    ip: '192.0.2.1',
    ipv6: '2001:db8::1',
    byte: 'dGVzdA==',
    base64: 'dGVzdA==',
    password: 'Test-1234',
  },
  ...{ phone: '+4930123456', 'json-pointer': '/test', regex: 'test', int32: '1', int64: '1' },
}
const BY_NAME: readonly (readonly [pattern: RegExp, value: string])[] = [
  [/e-?mail/i, 'test@example.org'],
  [/phone|mobile/i, '+4930123456'],
  [/password|passwd/i, 'Test-1234'],
  [/(?:^|[_-])date$|[a-z]Date$|birthday/, '2024-01-01'],
  [/(?:url|uri|website|homepage)$/i, 'https://example.org/'],
  // Parts of an address: together they make one that leads somewhere.
  [/^(?:ur[li]_?)?(?:scheme|protocol)$/i, 'http'],
  [/^(?:(?:remote|target|server)_?)?(?:host|host_?name)$|^domain$/i, 'example.org'],
  [/^(?:(?:remote|target|server)_?)?port$/i, '80'],
  [/^(?:ur[li]_?)?path$/i, '/test'],
  [/zip_?code|postal_?code|postcode/i, '10115'],
  [/country_?code/i, 'DE'],
  [/^currency/i, 'EUR'],
  [/^(?:locale|lang|language)$/i, 'en'],
  [/(?:^|[_-])(?:id|number|num|count|page|limit|offset|size|year|quantity|amount)$|[a-z]Id$/i, '1'],
]

/** What a number is taken for that nothing bounds. */
export const numberByName = (name: string): number => (/^(?:(?:remote|target|server)_?)?port$/i.test(name) ? 80 : 1)

/** `own`: format, pattern and length as JSON Schema has them; `name`: of the parameter or property. */
export const textOf = (own: Json, name: string): string => {
  const most = number(own.maxLength) ?? Number.POSITIVE_INFINITY
  const least = Math.min(number(own.minLength) ?? 0, 200)
  const fits = (text: string | null | undefined): text is string =>
    typeof text === 'string' && text.length >= least && text.length <= most
  const patterned = exampleOfPattern(string(own.pattern) ?? '')
  if (own.pattern !== undefined && fits(patterned) && patterned !== '') return patterned
  const formatted = BY_FORMAT[String(own.format)]
  if (fits(formatted)) return formatted
  const called = BY_NAME.find(([pattern]) => pattern.test(name))?.[1]
  if (fits(called)) return called
  return 'test'.padEnd(least, 'test').slice(0, Math.max(most, 0))
}
