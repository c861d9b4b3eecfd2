/** Values that a form takes as it stands: its own, and where it has none, such as its rules and its fields' names ask for. */
import type { HtmlInput } from '../../../page/html.ts'
import { controlName } from '../../../page/names.ts'
import { exampleOfPattern } from '../../../page/pattern.ts'
import { sampleFor } from '../../sample-files.ts'

/** By what a field is called. */
const BY_NAME: readonly (readonly [pattern: RegExp, value: string])[] = [
  [/mail/i, 'test@example.org'],
  [/phone|tel|mobile/i, '+4930123456'],
  [/date|day|birth/i, '2024-01-01'],
  [/year/i, '2024'],
  [/url|website|link|homepage/i, 'https://example.org/'],
  [/zip|postal|plz/i, '10115'],
  // No messages and images, no accounts and countries.
  [/(?:^|[^A-Za-z])[Aa]ge(?![a-z])|[a-z]Age(?![a-z])/, '1'],
  [/(?<!ac|dis)count(?!r?y|er)|amount|quantity|qty|number|num|page|limit|offset|size|id$/i, '1'],
  [/user|login|name/i, 'test'],
]
const BY_TYPE: Readonly<Record<string, string>> = {
  email: 'test@example.org',
  tel: '+4930123456',
  url: 'https://example.org/',
  date: '2024-01-01',
  'datetime-local': '2024-01-01T12:00',
  month: '2024-01',
  week: '2024-W01',
  time: '12:00',
  color: '#000000',
  checkbox: 'on',
  radio: 'on',
}
const NUMBERS: readonly string[] = ['number', 'range']
const TIMES: readonly string[] = ['date', 'datetime-local', 'month', 'week', 'time']

/**
 * A password for the forms that are sent to one path, and for no other: what makes an account must not give it the password that
 * the sign-in is asked with, or the run signs in as its own account, and its session is over.
 */
export const passwordFor = (path: string): string => {
  const sum = [...path].reduce((so, character) => (so * 31 + (character.codePointAt(0) ?? 0)) % 9_000, 0)
  return `Test-${1_000 + sum}`
}

const WORDS_OF_NAMES: readonly (readonly [pattern: RegExp, value: string])[] = [
  [/(?:^|[_-])e?-?mail(?:$|[_-])|[a-z]Email$|^email/i, 'test@example.org'],
  [/(?:^|[_-])(?:phone|telephone|mobile)(?:$|[_-])|Phone(?:Number)?$/i, '+4930123456'],
  [/(?:^|[_-])(?:date|birthday|birthdate)(?:$|[_-])|Date$/i, '2024-01-01'],
  [/(?:^|[_-])(?:url|website|homepage)(?:$|[_-])|Url$/i, 'https://example.org/'],
  // What a server is told to call.
  [
    /(?:^|[_-])(?:uri|api|web_?hook|endpoint)$|[a-z](?:[_-]callback|Uri|Api|Web[hH]ook|Callback|Endpoint)$/,
    'https://example.org/',
  ],
  [/(?:^|[_-])(?:zip|postal_?code|plz)(?:$|[_-])|(?:Zip|PostalCode|ZipCode)$/i, '10115'],
  [/(?:^|[_-])(?:user_?name|login|name|title|message|comment|text)(?:$|[_-])|Name$/i, 'test'],
]

const NUMBERS_OF_NAMES =
  /(?:^|[_-])(?:amount|quantity|qty|count|number|port|price|size|id)$|[a-z](?:Amount|Quantity|Count|Number|Price|Id)$/

/** For a field that takes any text, by its name, as text and flags of patterns: for code that runs in a page. */
export const TYPED_BY_NAME: readonly (readonly [pattern: string, flags: string, value: string])[] = [
  ...WORDS_OF_NAMES,
  [NUMBERS_OF_NAMES, '1'] as const,
].map(([{ source, flags }, value]) => [source, flags, value])

/** For a field of which a script tells the name alone. Null where its name says nothing of what it takes. */
export const exampleByName = (name: string, path: string): string | null => {
  if (/pass(?:word|wd|phrase)?(?:$|[_-])|password/i.test(name)) return passwordFor(path)
  return WORDS_OF_NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? null
}

/** What a person would leave or put there: its own value, else one that its page accepts. `path`: where its form is sent. */
export const exampleFor = (input: Omit<HtmlInput, 'checked' | 'autocomplete' | 'label'>, path: string): string => {
  const { name, type, value, tag, options, attributes } = input
  if (type === 'file') return sampleFor(attributes.accept ?? '', name)
  if (value !== '' || type === 'hidden') return value
  const offered = options.find((one) => one !== '')
  // Without options, scripts put them there.
  if (tag === 'select') return offered ?? 'test'
  if (offered !== undefined) return offered
  if (NUMBERS.includes(type)) return numberFor(input)
  const made = attributes.pattern === undefined ? null : exampleOfPattern(attributes.pattern)
  if (made !== null && made !== '') return made
  if (type === 'password') return ofLength(passwordFor(path), attributes)
  const own = controlName(name)
  const example = BY_TYPE[type] ?? BY_NAME.find(([pattern]) => pattern.test(own))?.[1] ?? 'test'
  return TIMES.includes(type) ? within(example, attributes) : ofLength(example, attributes)
}

/** Of a number with bounds and steps; the middle matters to nobody, so it is the lowest above zero. */
const numberFor = ({ attributes }: Pick<HtmlInput, 'attributes'>): string => {
  const [low, high, step] = ['min', 'max', 'step'].map((name) => numeric(attributes[name]))
  const from = low ?? 0
  const by = step !== undefined && step > 0 ? step : 1
  const above = from >= 1 ? from : from + Math.ceil((1 - from) / by) * by
  const value = high !== undefined && above > high ? (low ?? high) : above
  return String(Number(value.toFixed(6)))
}

const numeric = (text: string | undefined): number | undefined => {
  const value = Number.parseFloat(text ?? '')
  return Number.isFinite(value) ? value : undefined
}

/** Dates and times of one type are in the order of their texts. */
const within = (example: string, { min = '', max = '' }: Readonly<Record<string, string>>): string => {
  if (min !== '' && example < min) return min
  return max !== '' && example > max ? max : example
}

const ofLength = (example: string, attributes: Readonly<Record<string, string>>): string => {
  const [least, most] = [numeric(attributes.minlength) ?? 0, numeric(attributes.maxlength)]
  const long = example.length < least && least <= 200 ? example.padEnd(least, 'test') : example
  return most !== undefined && most > 0 ? long.slice(0, most) : long
}
