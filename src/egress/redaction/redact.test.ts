import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import fc from '../../../tests/support/properties.ts'
import { createRedactor } from './redact.ts'
import { REDACTED } from './redacted.ts'
import { hiddenOf } from './secrets-of.ts'

const SECRET = `s3ss+ion/Va"lue<&>'=tok~en %41;`.replace(';', '')
const cookie = `sid=${SECRET}; theme=dark`
const redactor = createRedactor({ cookie, header: 'Authorization: Bearer eyJhbGciOi.J9-payload_.sig/nature+=' })

const each = (text: string, code: (byte: number) => string) => [...Buffer.from(text)].map(code).join('')
const hex = (byte: number) => byte.toString(16).padStart(2, '0')

const codings: [name: string, code: (text: string) => string][] = [
  ['raw', (text) => text],
  ['percent, as a URI component', encodeURIComponent],
  ['percent, lower case', (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase())],
  ['percent, every byte', (text) => each(text, (byte) => `%${hex(byte)}`)],
  ['percent, twice', (text) => encodeURIComponent(encodeURIComponent(text))],
  ['form', (text) => new URLSearchParams({ v: text }).toString().slice(2)],
  [
    'HTML, named',
    (text) =>
      text.replace(
        /[&<>"']/g,
        (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' })[c] ?? c,
      ),
  ],
  [
    'HTML, PHP quotes',
    (text) =>
      text.replace(
        /[&<>"']/g,
        (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' })[c] ?? c,
      ),
  ],
  ['HTML, decimal', (text) => each(text, (byte) => `&#${byte};`)],
  ['HTML, hexadecimal', (text) => each(text, (byte) => `&#x${hex(byte).toUpperCase()};`)],
  ['JSON', (text) => JSON.stringify(text).slice(1, -1)],
  ['JSON, slashes escaped', (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/')],
  [
    'JSON for HTML',
    (text) =>
      JSON.stringify(text)
        .slice(1, -1)
        .replace(/[<>&']/g, (c) => `\\u00${hex(c.charCodeAt(0))}`),
  ],
  ['JSON within JSON', (text) => JSON.stringify(JSON.stringify(text)).slice(1, -1)],
  ['JavaScript \\x', (text) => each(text, (byte) => `\\x${hex(byte)}`)],
  ['hexadecimal', (text) => Buffer.from(text).toString('hex')],
  ['hexadecimal, upper case', (text) => Buffer.from(text).toString('hex').toUpperCase()],
  ['hexadecimal with colons', (text) => each(text, (byte) => `:${hex(byte)}`)],
  ['base64', (text) => Buffer.from(text).toString('base64')],
  ['base64, one byte before', (text) => Buffer.from(`a${text}`).toString('base64')],
  ['base64, two bytes before', (text) => Buffer.from(`ab${text}`).toString('base64')],
  ['base64, in a longer text', (text) => Buffer.from(`{"cookie":"${text}","x":1}`).toString('base64')],
  ['base64url', (text) => Buffer.from(text).toString('base64url')],
  ['base64, percent-coded', (text) => encodeURIComponent(Buffer.from(text).toString('base64'))],
]

describe.each(codings)('%s', (_, code) => {
  test.each(hiddenOf({ cookie, header: 'Authorization: Bearer eyJhbGciOi.J9-payload_.sig/nature+=' }).secrets)(
    '%s',
    (secret) => {
      const coded = code(secret)
      for (const text of [coded, `<p>before ${coded} after</p>`]) {
        const cleaned = redactor.text(text)
        expect(cleaned).toContain(REDACTED)
        // Nothing of it stays but what base64 mixes with its neighbours.
        expect(cleaned).not.toContain(coded.slice(4, -4))
        expect(redactor.bytes(Buffer.from(text)).toString()).toBe(cleaned)
      }
    },
  )
})

const counted: [trick: string, cookie: string | null, header: string | null, secrets: string[]][] = [
  ['named and random', 'sid=abcdef123; csrf=zyxwvu', null, ['abcdef123', 'zyxwvu']],
  ['random by itself', 'cart=9f86d081884c7d65; theme=dark', null, ['9f86d081884c7d65']],
  ['an ordinary word is none, whatever its name', 'session=medium; theme=headers; token=content', null, []],
  ['a short value is none', 'a=short; sid=abcdef1', null, ['abcdef1']],
  [
    'a quoted and a coded value',
    'sid="quoted-va1ue"; auth=x%2Byz-123',
    null,
    ['quoted-va1ue', 'x%2Byz-123', 'x+yz-123'],
  ],
  ['equals signs within a value', 'sid=a8c=d3f=', null, ['a8c=d3f=']],
  ['a passphrase', 'session=kanarie-vogel-im-keller', null, ['kanarie-vogel-im-keller']],
  ['signs alone', 'session=!$%&/()=', null, ['!$%&/()=']],
  ['bearer', null, 'Authorization: Bearer q1w2.abc', ['q1w2.abc']],
  [
    'basic: the pair as sent, and the password',
    null,
    'authorization: basic YWRtaW46aHVudGVyMjI=',
    ['YWRtaW46aHVudGVyMjI=', 'hunter22'],
  ],
  ['digest parameters', null, 'Authorization: Digest response="6629fae4"', ['response="6629fae4"', '6629fae4']],
  ['no scheme', null, 'X-Api-Key:k3y-123456', ['k3y-123456']],
  ['a term of the product', 'session=ssh-weak-host-key', null, []],
  [
    'a date, a version, an address',
    'session=2026-11-22T10:00:00Z; token=1.2.3; auth=https://shop.test/account',
    null,
    [],
  ],
]
test.each(counted)('what counts: %s', (_, cookieLine, header, secrets) => {
  expect(hiddenOf({ cookie: cookieLine, header }, new Set(['ssh-weak-host-key'])).secrets).toEqual(secrets)
})

const own: [
  trick: string,
  credentials: { cookie: string | null; header: string | null },
  text: string,
  told: string,
][] = [
  [
    'in a header',
    { cookie: 'theme=dark', header: null },
    'Cookie: a=1; theme=dark; b=2',
    'Cookie: a=1; theme=[redacted]; b=2',
  ],
  [
    'set again',
    { cookie: 'theme=dark', header: null },
    'theme=dark; Path=/; Secure',
    'theme=[redacted]; Path=/; Secure',
  ],
  ['coded', { cookie: 'theme=dark', header: null }, 'c=x%3B%20theme%3Ddark%3B', 'c=x%3B%20theme%3Ddark%3B'],
  ['in markup', { cookie: 'theme=dark', header: null }, '<p>theme=dark</p>', '<p>theme=[redacted]</p>'],
  [
    'not elsewhere',
    { cookie: 'theme=dark', header: null },
    '{"dark": "theme", "a": "dark"} darkness',
    '{"dark": "theme", "a": "dark"} darkness',
  ],
  [
    'not as a parameter',
    { cookie: 'theme=dark', header: null },
    '/a?theme=dark&amp;theme=dark&theme=dark',
    '/a?theme=dark&amp;theme=dark&theme=dark',
  ],
  [
    'not in a longer name or value',
    { cookie: 'theme=dark', header: null },
    'my-theme=dark theme=darker',
    'my-theme=dark theme=darker',
  ],
  [
    'a header of an ordinary word',
    { cookie: null, header: 'X-User: admin' },
    'x-user: admin, admin',
    'x-user: [redacted], admin',
  ],
  [
    'a token of an ordinary word',
    { cookie: null, header: 'Authorization: Bearer medium' },
    'bearer medium; medium',
    'bearer [redacted]; medium',
  ],
  [
    'a password of an ordinary word',
    { cookie: null, header: `Authorization: Basic ${btoa('ada:sunshine')}` },
    'http://ada:sunshine@shop.test/ sunshine',
    'http://ada:[redacted]@shop.test/ sunshine',
  ],
]
test.each(own)('in its own place: %s', (_, credentials, text, told) => {
  expect(createRedactor(credentials).text(text)).toBe(told)
})

test('of structures, too: a cookie and a header, no parameter', () => {
  const made = createRedactor({ cookie: 'theme=dark', header: 'X-User: admin' })
  const parameter = { name: 'theme', value: 'dark', place: 'query' }
  expect(made.value([{ name: 'theme', value: 'dark', path: '/' }, ['x-user', 'admin'], parameter])).toEqual([
    { name: 'theme', value: REDACTED, path: '/' },
    ['x-user', REDACTED],
    parameter,
  ])
})

const ID = 'f3Kq9-Zx72_bLm04Tw'
const variants: [variant: string, text: string][] = [
  ['upper case', ID.toUpperCase()],
  ['lower case', ID.toLowerCase()],
  ['reversed', [...ID].reverse().join('')],
  ['reversed, upper case', [...ID].reverse().join('').toUpperCase()],
  ['spaced', [...ID].join(' ')],
  ['spaced with dashes', [...ID].join('-')],
  ['spaced with references', [...ID].join('&nbsp;')],
  ['in groups of four', ID.replace(/.{4}/g, '$& ')],
  ['broken into lines', ID.replace(/.{5}/g, '$&\r\n    ')],
  ['without its signs', ID.replace(/[^a-z0-9]/gi, '')],
  ['zero-width characters', [...ID].join('\u200b')],
  ['UTF-16', [...ID].join('\0')],
  ['upper case in base64', btoa(ID.toUpperCase())],
  ['base64 in lines', btoa(ID).replace(/.{10}/g, '$&\n')],
  ['reversed in hexadecimal', Buffer.from([...ID].reverse().join('')).toString('hex')],
  ['upper case, percent-coded', each(ID.toUpperCase(), (byte) => `%${hex(byte)}`)],
  ['percent-coded reference', encodeURIComponent(each(ID, (byte) => `&#${byte};`))],
  ['cut off', ID.slice(0, 12)],
  ['cut off, with an ellipsis', `${ID.slice(0, 9)}…`],
  ['the end of it', ID.slice(-12)],
]
test.each(variants)('a variant: %s', (_, text) => {
  const made = createRedactor({ cookie: `sid=${ID}`, header: null })
  expect(made.text(text).replaceAll(/\W|redacted/g, '').length).toBeLessThan(3)
  expect(made.text(`"${text}"`)).toMatch(/^"?\[redacted\]…?.{0,2}"$/s)
})

test('a part of a secret made of words, but none of its words alone', () => {
  const made = createRedactor({ cookie: 'session=kanarie-VOGEL/7+8&<9>"x"', header: null })
  expect(made.text('session=kanarie-VOGEL/7+…')).toBe(`session=${REDACTED}+…`)
  expect(made.text('kanarie and VOGEL')).toBe('kanarie and VOGEL')
})

test('the head of a JSON Web Token is nobody’s own', () => {
  const head = btoa('{"alg":"HS256","typ":"JWT"}')
  const made = createRedactor({ cookie: `jwt=${head}.eyJzdWIiOiJhZGEifQ.3q2Xv9Zr71_kLmNb`, header: null })
  const other = `${head}.eyJpZCI6OTkxfQ.Qm8wZk1aVT`
  expect(made.text(other)).toBe(other)
  expect(made.text(`${head}.eyJzdWIiOiJhZGEifQ.3q2Xv9Zr71_kLmNb`)).toBe(REDACTED)
})

test('values: nested, buffers, and what is not text; keys stay', () => {
  const value = {
    [SECRET]: [SECRET, 1, null, true],
    inner: { bytes: Buffer.from(`x${SECRET}y`) },
    when: new Date(0),
  }
  expect(redactor.value(value)).toEqual({
    [SECRET]: [REDACTED, 1, null, true],
    inner: { bytes: Buffer.from(`x${REDACTED}y`) },
    when: new Date(0),
  })
  const clean = { a: [{ b: 'c' }], d: Buffer.from('e') }
  expect(redactor.value(clean)).toBe(clean)
})

test('leaves everything else alone, bytes included', () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index))
  expect(redactor.bytes(bytes)).toBe(bytes)
  const binary = Buffer.concat([bytes, Buffer.from(SECRET), bytes])
  expect(redactor.bytes(binary)).toEqual(Buffer.concat([bytes, Buffer.from(REDACTED), bytes]))
  const idle = createRedactor({ cookie: null, header: null })
  expect(idle.active).toBe(false)
  expect(idle.text('anything')).toBe('anything')
})

test('no secret, in any coding, anywhere, survives', () => {
  const printable = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 8,
    maxLength: 60,
  })
  const secret = printable.map((text) => text.replace(/[;"]/g, '_')).filter((text) => !text.includes('='))
  const noise = fc.string({ maxLength: 30 })
  fc.assert(
    fc.property(secret, noise, noise, fc.constantFrom(...codings), (value, before, after, [, code]) => {
      // What may be a word is none; random ones hardly ever are.
      fc.pre(hiddenOf({ cookie: `session=${value}`, header: null }).secrets.includes(value))
      const made = createRedactor({ cookie: `session=${value}`, header: null })
      const coded = code(value)
      const cleaned = made.text(`${before} ${coded} ${after}`)
      expect(cleaned).toContain(REDACTED)
      expect(cleaned.includes(coded)).toBe(false)
    }),
    { numRuns: 1500 },
  )
})

test('a short secret that holds the coding of a character is hidden however often it is coded', () => {
  const secret = '0!!!!%00'
  const redactor = createRedactor({ cookie: `session=${secret}`, header: null })
  for (let coded = secret, times = 0; times < 4; coded = encodeURIComponent(coded), times += 1)
    expect(redactor.text(`x ${coded} y`)).toBe(`x ${REDACTED} y`)
})

test('codings mixed within one value', () => {
  const forms = [
    (c: string) => c,
    (c: string) => `%${hex(c.charCodeAt(0))}`,
    (c: string) => `&#${c.charCodeAt(0)};`,
    (c: string) => `\\u00${hex(c.charCodeAt(0)).toUpperCase()}`,
  ]
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 3 }), { minLength: SECRET.length, maxLength: SECRET.length }), (choice) => {
      const coded = [...SECRET].map((c, index) => forms[choice[index] ?? 0]?.(c)).join('')
      expect(redactor.text(`a${coded}b`)).toBe(`a${REDACTED}b`)
    }),
  )
})

test('a long value is hidden as far as it was echoed', () => {
  const long = Array.from({ length: 4000 }, (_, index) => (index * 7919).toString(36))
    .join('')
    .slice(0, 4090)
  const made = createRedactor({ cookie: `jwt=${long}; other={"a":"b, c"}`, header: `Authorization: Bearer ${long}` })
  for (const [, code] of codings) {
    expect(made.text(`a ${code(long)} b`)).toMatch(/^a .{0,24}\[redacted\].{0,24} b$/)
    expect(made.text(`a ${code(long.slice(0, 500))} b`).length).toBeLessThan(80)
  }
})

const MIB = 1024 * 1024
const repeated = (unit: string) => Buffer.from(unit.repeat(Math.ceil(MIB / unit.length)))
const hostile: [trick: string, secret: string, page: Buffer][] = [
  ['plain page', SECRET, repeated('<div class="item">The quick brown fox &amp; %20 jumps</div>\n')],
  ['near misses', SECRET, repeated(`${SECRET.slice(0, -1)}!`)],
  ['one character over and over', `${'a'.repeat(4000)}b`, repeated('a')],
  ['backslashes', '\\\\\\s3cr3tX9q', repeated('\\')],
  ['escaped letters', '\\a\\b\\c\\d\\e\\f1x9', repeated('\\\\\\\\\\\\\\\\a\\\\\\\\\\\\\\\\b')],
  ['coded percents', '%25'.repeat(300), repeated('%25')],
  ['percent upon percent', '%%%%s3cr3tX9q', Buffer.concat([Buffer.from('%'), repeated('25')])],
  ['ampersands', '&&&&s3cr3tX9q', Buffer.concat([Buffer.from('&'), repeated('amp;')])],
  ['zeros in a reference', '&&&&s3cr3tX9q', repeated('&#0000000')],
]

// Bounded far above the linear cost (below half a second) and far below the quadratic one (an hour).
test.each(hostile)('a mebibyte in linear time: %s', (_, secret, page) => {
  const made = createRedactor({ cookie: `sid=${secret}`, header: null })
  expect(made.active).toBe(true)
  expect(hiddenOf({ cookie: `sid=${secret}`, header: null }).secrets).toContain(secret)
  const before = process.cpuUsage()
  made.bytes(page)
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(5_000)
})

test('of sessions that are others after each answer the last few are hidden, and those that stay all the time', () => {
  const value = (): string => randomBytes(300).toString('base64url')
  const first = value()
  const redactor = createRedactor({ cookie: `theme=light; app=${first}`, header: null })
  const staying = Array.from({ length: 20 }, value)
  const passing = Array.from({ length: 100 }, value)
  for (const [index, one] of passing.entries()) {
    const stays = index % 5 === 0 ? staying[index / 5] : undefined
    if (stays !== undefined) redactor.learn({ cookie: `theme=light; app=${stays}`, header: null })
    redactor.learn({ cookie: `theme=light; app=${one}`, header: null }, true)
    expect(redactor.text(`of ${one} in hexadecimal ${Buffer.from(one).toString('hex')}`)).not.toContain(
      one.slice(20, 40),
    )
  }
  const left = [first, ...staying, ...passing].filter((one) => redactor.text(`app: ${one}`).includes(one))
  expect(left).toEqual(passing.slice(0, 80))
  expect(redactor.text('theme=light')).toBe('theme=[redacted]')
})
