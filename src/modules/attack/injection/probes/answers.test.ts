import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { escapeLdap, ldapMatches, PEOPLE, xpathMatches } from '../../../../../testbed/web/languages.ts'
import { firstOf } from '../../insertion-points/techniques.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import type { AnswersHit } from '../facts.ts'
import { isProven } from '../proven.ts'
import { questionWays, soonestWays } from './answers.ts'

type Matches = (person: (typeof PEOPLE)[number]) => boolean

/** A page that lists who matches; `silent` says the same of an error as of nobody. */
const listing =
  (matching: (v: string) => Matches, silent = false) =>
  (v: string): { status?: number; text: string } => {
    const none = { text: '<h1>People</h1><p>Nobody of that name</p>' }
    try {
      const names = PEOPLE.filter(matching(v)).map(({ cn }) => `<li>${cn}</li>`)
      return names.length > 0 ? { text: `<h1>People</h1><ul>${names.join('')}</ul>` } : none
    } catch {
      return silent ? none : { status: 500, text: '<h1>Internal error</h1>' }
    }
  }

/** Without elements of that name in the document. */
const inXml = (condition: string): string =>
  condition
    .replace(/not\(\/\/\w+\)|count\(\/\/\w+\)=0/g, '1=1')
    .replace(/boolean\(\/\/\w+\)|count\(\/\/\w+\)=1/g, '1=2')

const asked = async (
  answer: (v: string) => { status?: number; text: string },
  value: string,
): Promise<AnswersHit | null> => firstOf(await questionWays(fakeProbe(answer, { value }).probe))

describe('questions are answered by', () => {
  it.each([
    [
      'xpath',
      'a document, for a value that finds nothing',
      (v: string) => (one) => xpathMatches(inXml(`uid='${v}'`), one),
      'x',
    ],
    ['ldap', 'a filter of one item', (v: string) => (one) => ldapMatches(`(uid=${v})`, one), 'robin'],
    [
      'ldap',
      'a filter in which one of two items is enough, in a program that undoes no numbers of letters',
      (v: string) => (one) => {
        if (v.includes('\\')) throw new Error('no such sign')
        return ldapMatches(`(&(objectClass=person)(|(uid=${v})(cn=${v})))`, one)
      },
      'robin',
    ],
    [
      'ldap',
      'a filter with wildcards around the value',
      (v: string) => (one) => ldapMatches(`(cn=*${v}*)`, one),
      'Hale',
    ],
    ...['robin', 'x'].map(
      (value) =>
        [
          'ldap',
          `a filter that its client has held against the schema, for ${value}`,
          (v: string) => (one: (typeof PEOPLE)[number]) => {
            const filter = `(&(objectClass=person)(uid=${v}))`
            for (const [, name = ''] of filter.matchAll(/objectClass=([^()]*)/g))
              if (name !== '*' && name !== 'person') throw new Error(`there is no class ${name}`)
            return ldapMatches(filter, one)
          },
          value,
        ] as const,
    ),
    [
      'ldap',
      'a filter, for a value that finds nothing',
      (v: string) => (one) => ldapMatches(`(&(uid=${v})(objectClass=person))`, one),
      'x',
    ],
  ] as readonly (readonly [AnswersHit['kind'], string, (v: string) => Matches, string])[])(
    '%s: %s',
    async (kind, _name, matching, value) => {
      for (const silent of [false, true]) {
        const hit = await asked(listing(matching, silent), value)
        expect(hit?.kind).toBe(kind)
        expect(hit && isProven(hit)).toBe(true)
      }
    },
  )
})

describe('nothing is found', () => {
  it.each([
    ['where the value is escaped', (v: string) => (one) => ldapMatches(`(uid=${escapeLdap(v)})`, one), 'robin'],
    [
      'where an asterisk stands for any name',
      (v: string) =>
        ({ cn }) =>
          v === '*' || cn === v,
      'Mika Storm',
    ],
    [
      'where an asterisk does, and nobody is found',
      (v: string) =>
        ({ cn }) =>
          v.startsWith('*') || cn === v,
      'x',
    ],
    [
      'where a page looks for words',
      (v: string) =>
        ({ cn = '' }) =>
          cn.split(' ').some((part) => v.includes(part)),
      'Mika',
    ],
  ] as readonly (readonly [string, (v: string) => Matches, string])[])('%s', async (_name, matching, value) => {
    expect(await asked(listing(matching), value)).toBeNull()
  })
})

it('a page that shows what was stored in it before, questions among it, answers none', async () => {
  const stored = ['*)(objectClass=*', '*)(!(objectClass=*)', 'Boots', 'Rain']
  const notes = (): { text: string } => ({ text: `<ul>${stored.map((title) => `<li>${title}`).join('')}</ul>` })
  // By chance one in thirty was taken for an answer.
  for (let time = 0; time < 300; time += 1) expect(await asked(notes, 'en')).toBeNull()
})

it('a page that shows the value in a coding of its own answers none', async () => {
  const filler = Array.from({ length: 150 }, (_, index) => `word${index}`).join(' ')
  const page = (v: string): { text: string } =>
    v.startsWith('0') ? { text: `<p>${filler} ${v.match(/[()]/g)?.length ?? 0}` } : { text: '<p>Nothing' }
  // By chance one in some hundred was taken for an answer.
  for (let time = 0; time < 1_000; time += 1) expect(await asked(page, '0')).toBeNull()
})

describe('operators', () => {
  const login = (wanted: unknown, has: string): boolean => {
    if (typeof wanted === 'string') return wanted === has
    const [[name, operand] = ['', '']] = Object.entries(wanted as Record<string, unknown>)
    const list = Array.isArray(operand) ? operand : [operand]
    if (name === '$eq' || name === '$in') return list.includes(has)
    if (name === '$ne' || name === '$nin') return !list.includes(has)
    if (name === '$regex') return new RegExp(String(operand)).test(has)
    throw new Error('unknown operator')
  }
  /** Name and password are looked up together, and the example is nobody's. */
  const probed = (effect: 'reads' | 'unknown', strict: boolean, secret = 'password') => {
    const page = (body: string): { status?: number; text: string } => {
      const { user, [secret]: password } = JSON.parse(body) as Record<string, unknown>
      if (strict && (typeof user !== 'string' || typeof password !== 'string'))
        return { status: 400, text: 'Bad request' }
      try {
        const known = login(user, 'robin') && login(password, 'hunter2')
        return { text: known ? '<p>Welcome, Robin</p><a href="/orders">Your orders</a>' : '<p>Unknown name</p>' }
      } catch {
        return { status: 500, text: 'Internal error' }
      }
    }
    const body = JSON.stringify({ user: 'ann', [secret]: 'x' })
    const request = { method: 'POST', signsIn: true, body, effect }
    const plain = (user: string): string => JSON.stringify({ user, [secret]: 'x' })
    const point = { place: 'json' as const, name: '/user', value: 'ann', request }
    return fakeProbe((v, changed) => page(changed ? String(changed.body) : plain(v)), point).probe
  }

  it.each(['password', 'pin'])(
    'other than equality are proven where a form that reads asks for a %s',
    async (secret) => {
      const hit = await firstOf(await questionWays(probed('reads', false, secret)))
      expect(hit?.flavour).toContain('any other value')
      expect(hit && isProven(hit)).toBe(true)
    },
  )

  it.each([
    ['unknown', false],
    ['reads', true],
  ] as const)('are not where it %s, or takes texts alone: %s', async (effect, strict) =>
    expect(await firstOf(await questionWays(probed(effect, strict)))).toBeNull(),
  )

  it('are proven where the record shows the value itself', async () => {
    const answer = (body: string): { status?: number; text: string } => {
      try {
        const { mail } = JSON.parse(body) as { mail: unknown }
        const rows = login(mail, 'ann@shop.test') ? [{ mail: 'ann@shop.test', says: 'Fine' }] : []
        return { text: JSON.stringify({ rows }) }
      } catch {
        return { status: 500, text: 'Internal error' }
      }
    }
    const body = JSON.stringify({ mail: 'ann@shop.test' })
    const request = { method: 'POST', body, effect: 'reads' as const }
    const point = { place: 'json' as const, name: '/mail', value: 'ann@shop.test', request }
    const { probe } = fakeProbe(
      (mail, changed) => answer(changed ? String(changed.body) : JSON.stringify({ mail })),
      point,
    )
    expect(await firstOf(soonestWays(probe))).toMatchObject({ flavour: 'operator object' })
  })
})

describe('operators where a sign-in says where it leads on', () => {
  const page = (body: string): { status?: number; text: string } => {
    const { mail, password, back } = Object.fromEntries(
      [...new URLSearchParams(body)].map(([name, value]) => [
        name.replace(/\[.*/, ''),
        name.includes('[$ne]') ? null : value,
      ]),
    )
    const isAny = mail === null && password === null
    return isAny
      ? { status: 302, text: '' }
      : {
          text: `<form><p>Wrong password.</p><input type=hidden name=back value="${back === null ? '[object Object]' : back}"></form>`,
        }
  }
  const body = 'mail=ann%40shop.test&back=%2Fhome&password=x'
  const request = { method: 'POST', signsIn: true, body, effect: 'reads' as const }

  it('leave that as it is', async () => {
    const point = { place: 'form' as const, name: 'password', value: 'x', request }
    const { probe } = fakeProbe((_v, changed) => page(changed ? String(changed.body) : body), point)
    expect(await firstOf(await questionWays(probe))).toMatchObject({
      kind: 'nosql',
      flavour: 'operator object, any other value',
    })
  })
})

describe('operators for a number of an address', () => {
  const ROOMS = [4, 8]
  const page = (address: string, isOpen: boolean): { text: string } => {
    const [name = '', value = ''] = [...new URL(address).searchParams][0] ?? []
    const operator = /\[(\$\w+)\]/.exec(name)?.[1]
    const seats = Number(value)
    const found = ROOMS.filter((one) => (operator ? isOpen && operator === '$ne' : one === seats))
    return {
      // The field shows a text again, and no object.
      text: `<h1>Rooms</h1><input name=seats value="${operator ? '' : value}">${found.map((one) => `<li>A room for ${one}, by the window</li>`).join('') || 'None'}`,
    }
  }
  it.each([
    ['are proven where an object goes as it is', true],
    ['are not where none does', false],
  ])('%s', async (_what, isOpen) => {
    const request = { url: 'http://shop.test/rooms?seats=4' }
    const { probe } = fakeProbe(
      (v, changed) => page(changed ? changed.url : `http://shop.test/rooms?seats=${encodeURIComponent(v)}`, isOpen),
      { name: 'seats', value: '4', request },
    )
    const hit = await firstOf(await questionWays(probe))
    expect(hit && [hit.flavour, isProven(hit)]).toEqual(isOpen ? ['operator object, any other value', true] : null)
  })
})

describe('operators for a number of JSON', () => {
  /** Reads what is not equal as few languages as it may: numbers are no texts, and one operator in four is known. */
  const rows = [
    { product: 1, says: 'Fine tent, dry in the rain' },
    { product: 2, says: 'Too small for two' },
  ]
  const matches = (wanted: unknown, has: number, strict: boolean): boolean => {
    if (typeof wanted !== 'object' || wanted === null) return wanted === has
    if (strict) return false
    return Object.entries(wanted).every(([name, operand]) => {
      if (name === '$in') return (operand as unknown[]).includes(has)
      if (name === '$ne') return operand !== has
      throw new Error(`unknown operator: ${name}`)
    })
  }
  const probeOf = (strict: boolean) => {
    const answer = (body: string): { status?: number; text: string } => {
      try {
        const { product } = JSON.parse(body) as { product: unknown }
        return { text: JSON.stringify({ rows: rows.filter((row) => matches(product, row.product, strict)) }) }
      } catch {
        return { status: 500, text: 'Internal error' }
      }
    }
    const body = JSON.stringify({ page: 1, product: 1 })
    const request = { method: 'POST', body, effect: 'reads' as const }
    const point = { place: 'json' as const, name: '/product', value: '1', request }
    const typed = (value: string): unknown => (value === '1' ? 1 : value)
    return fakeProbe(
      (value, changed) => answer(changed ? String(changed.body) : JSON.stringify({ product: typed(value) })),
      point,
    ).probe
  }

  it('are proven', async () => {
    const hit = await firstOf(soonestWays(probeOf(false)))
    expect(hit).toMatchObject({ kind: 'nosql', flavour: 'operator object' })
    expect(hit && isProven(hit)).toBe(true)
  })

  it('are not where the value is compared alone', async () => {
    expect(await firstOf([...soonestWays(probeOf(true)), ...(await questionWays(probeOf(true)))])).toBeNull()
  })
})

it('a condition of JavaScript behind a number is answered', async () => {
  const rows = [1, 2, 2, 3]
  const answer = (v: string): { status?: number; text: string } => {
    try {
      const found = rows.filter((id) => runInNewContext(`id == ${v}`, { id }))
      return { text: JSON.stringify(found.map((id) => ({ id, name: `Tent ${id}`, size: 'two persons' }))) }
    } catch {
      return { status: 500, text: 'Internal error' }
    }
  }
  expect(await asked(answer, '2')).toMatchObject({ kind: 'nosql', flavour: 'JavaScript, number' })
})

describe('code that shows nothing of what it works out', () => {
  const evaluating = (put: (v: string) => string) => (v: string) => {
    try {
      runInNewContext(put(v), {}, { timeout: 1_000 })
      return { text: '<h1>Thank you</h1><p>We have your order.</p>' }
    } catch {
      return { status: 422, text: '<h1>Sorry</h1><p>We can not read that.</p>' }
    }
  }

  it.each([
    ['as a whole', (v: string) => `(${v})`, '[{sku:"A1",qty:2}]'],
    ["within '", (v: string) => `var note = '${v}'`, 'tent'],
    ['within "', (v: string) => `var note = "${v}"`, 'tent'],
  ])('is told %s', async (_where, put, value) => {
    const hit = await asked(evaluating(put), value)
    expect(hit).toMatchObject({ kind: 'code', malformed: 'false' })
    expect(hit && isProven(hit)).toBe(true)
  })

  it.each([
    ['worked on before it is shown', (v: string) => `(${v})*25`],
    ['the last of what is worked out', (v: string) => `Math.max(2, ${v})`],
  ])('is told of a number, %s', async (_what, put) => {
    const menu = Array.from({ length: 150 }, (_, index) => `<a href="/part-${index}">part ${index}</a>`).join(' ')
    const counting = (v: string) => {
      try {
        const total = runInNewContext(put(v), { Math }, { timeout: 1_000 })
        return { text: `${menu}<h1>Estimate</h1><p>Together ${total}</p>` }
      } catch {
        return { text: `${menu}<h1>Estimate</h1><p>Please enter numbers.</p>` }
      }
    }
    const hit = await asked(counting, '3')
    expect(hit).toMatchObject({ kind: 'code', flavour: 'JavaScript, number' })
    expect(hit && isProven(hit)).toBe(true)
  })

  it.each([
    ['reads a number and leaves the rest', (v: string) => String(Number.parseInt(v, 10) * 25)],
    [
      'takes a number alone',
      (v: string) => (Number.isNaN(Number(v)) ? 'Please enter numbers.' : String(Number(v) * 25)),
    ],
    ['adds up', (v: string) => (/^[\d+-]+$/.test(v) ? String(runInNewContext(v)) : 'Please enter numbers.')],
  ])('a page that %s evaluates nothing, and is asked little', async (_what, says) => {
    const { probe, sent } = fakeProbe((v) => ({ text: `<h1>Estimate</h1><p>${says(v)}</p>` }), { value: '3' })
    expect(await firstOf(await questionWays(probe))).toBeNull()
    expect(sent.filter((value) => value.includes('qz')).length).toBeLessThanOrEqual(8)
  })

  it.each([
    [
      'a calculator',
      (v: string) => (/^[\d+*/() .-]+$/.test(v) ? { text: 'Fine' } : { status: 422, text: 'No formula' }),
      '(7+5)*2',
    ],
    [
      'a page that refuses quotes',
      (v: string) => (/['"]/.test(v) ? { status: 400, text: 'No quotes' } : { text: 'Fine' }),
      'tent',
    ],
    ['a page that shows the value in capitals', (v: string) => ({ text: `<h1>${v.toUpperCase()}</h1>` }), 'tent'],
  ])('%s evaluates nothing', async (_what, answer, value) => {
    expect(await asked(answer, value)).toBeNull()
  })

  it('a page that cares for no quotes is asked little', async () => {
    const { probe, sent } = fakeProbe((v) => ({ text: `<h1>${v.slice(0, 12)}</h1>` }), { value: 'tent' })
    await firstOf(await questionWays(probe))
    expect(sent.filter((value) => value.includes('qz.qz') || value.includes('qz()')).length).toBeLessThanOrEqual(4)
  })
})
