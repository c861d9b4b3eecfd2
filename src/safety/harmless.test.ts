import { describe, expect, it } from 'vitest'
import { breakOut } from '../modules/attack/insertion-points/word.ts'
import { DISGUISES } from '../modules/attack/sqli/disguises.ts'
import {
  BOUNDARIES,
  doubled,
  MARKS,
  ordered,
  REVEALING,
  SPLICES,
  UNIONS,
  united,
  WAITING,
} from '../modules/attack/sqli/payloads.ts'
import { randomPredicates } from '../modules/attack/sqli/predicates.ts'
import { harmOf } from './harmless.ts'

const VALUES = ['2', 'name', 'Ridge tent', '']
const predicates = randomPredicates(16).map((one) => one.text)

/** Every payload that sqli can send, by what kind of request it may go into. */
const sqlOf = (v: string): { readonly any: readonly string[]; readonly reading: readonly string[] } => ({
  any: [
    breakOut(v),
    doubled(v),
    ...BOUNDARIES.filter((one) => one.kind === 'narrows').flatMap((one) => predicates.map((text) => one.with(v, text))),
    ...REVEALING.flatMap((way) => SPLICES.map((splice) => splice.with(v, way.expression(12, 34)))),
    ...WAITING.map((one) => one.with(v, '1.4')),
    ...UNIONS.flatMap(({ open }) => MARKS.map((mark) => united(open, [mark(3, 4), 'Null']))),
    ...UNIONS.map(({ open }) => ordered(v, open, 3)),
  ],
  reading: [
    ...BOUNDARIES.filter((one) => one.kind === 'widens').flatMap((one) => predicates.map((text) => one.with(v, text))),
  ],
})

describe('payloads of sqli', () => {
  it.each(VALUES)('do no harm behind "%s"', (v) => {
    const { any, reading } = sqlOf(v)
    for (const payload of any) expect(harmOf(payload, { effect: 'writes', language: 'sql' }), payload).toBeNull()
    for (const { of } of DISGUISES)
      for (const payload of any.map(of))
        expect(harmOf(payload, { effect: 'writes', language: 'sql' }), payload).toBeNull()
    for (const payload of reading) expect(harmOf(payload, { effect: 'reads', language: 'sql' }), payload).toBeNull()
  })

  it('that match every row stay away from requests that write', () => {
    for (const payload of sqlOf('x').reading.filter((one) => /\bOr\b/.test(one)))
      expect(harmOf(payload, { effect: 'writes' }), payload).toBe('could match every row')
  })
})

describe('questions to documents', () => {
  it.each([
    ["x' or not(//qabc) or 'q'='p", null],
    ["x'or(not(//qabc))or'q'='p", null],
    ["x'or(not(//qabc))or(1=1)or'q'='p", 'could match every row'],
    ["x'or(1=1)or'q'='p", 'could match every row'],
    ["x' or not(//qabc) or 1=1 or 'q'='p", 'could match every row'],
    ["x' or 'q'='p", 'could match every row'],
    ["x' or not(1) or 'q'='p", 'could match every row'],
  ])('%s', (payload, reason) => expect(harmOf(payload, { effect: 'unknown' })).toBe(reason))
})

describe('what would do harm is refused', () => {
  it.each([
    ['1; DROP TABLE users', 'changes data'],
    ["1'; update users set a=1-- ", 'changes data'],
    ["1' union select load_file('/etc/passwd')-- ", 'reads or writes files'],
    ["1; exec master..xp_cmdshell 'dir'", 'runs programs'],
    ['1 union select password from users', 'reads data'],
    ['1 and benchmark(9999999,md5(1))', 'is a heavy query'],
    ["1'||utl_inaddr.get_host_name('x')||'", 'makes the server connect'],
    ["1; copy t to program 'id'", 'reads or writes files'],
    ['1; set global general_log=1', 'changes the server'],
  ])('%s', (payload, reason) => expect(harmOf(payload, { effect: 'reads', language: 'sql' })).toBe(reason))

  it.each([
    ['{0.a!s:q>105}', 'makes a file where a shell reads it'],
    ['{0.a!s:q^105}', null],
    ['x->y', 'makes a file where a shell reads it'],
    ['>z0z/z1z', null],
    ['x 2>&1', null],
    ["<?='qv'.(12*34).'vq'?>x", null],
  ])('%s, should it come to a shell', (payload, reason) => expect(harmOf(payload, { effect: 'reads' })).toBe(reason))

  it.each([';rm -rf x', '$(curl x)', ';echo a>b', '|sh', ';touch x'])('%s', (payload) =>
    expect(harmOf(payload, { effect: 'reads', language: 'shell' })).not.toBeNull(),
  )
})
