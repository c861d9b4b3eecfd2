/** Questions to each language, read by its own interpreter: what is true leaves a value as it is, what is false ends in an error. */
import { spawnSync } from 'node:child_process'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { harmOf } from '../../../safety/harmless.ts'
import { firstOf } from '../insertion-points/techniques.ts'
import { fakeProbe } from '../insertion-points/testing/fake-probe.ts'
import { expressionWays, questionWays } from './probes/answers.ts'
import { QUESTIONERS } from './questions.ts'

/** A program that evaluates its argument. */
const INTERPRETERS: Readonly<Record<string, (code: string) => readonly [string, readonly string[]]>> = {
  JavaScript: (code) => [process.execPath, ['-e', 'process.stdout.write(String(eval(process.argv[1])))', code]],
  PHP: (code) => ['php', ['-r', 'eval($argv[1]);', '--', `echo ${code};`]],
  Python: (code) => ['python3', ['-c', 'import sys; sys.stdout.write(str(eval(sys.argv[1])))', code]],
  // The one method by which a text of Java differs here from one of JavaScript.
  'SpEL or OGNL': (code) => [
    process.execPath,
    ['-e', "process.stdout.write(String(eval(process.argv[1].replaceAll('.length()', '.length'))))", code],
  ],
  Perl: (code) => ['perl', ['-e', 'my $x = eval($ARGV[0]); die $@ if $@; print $x', '--', code]],
}
const WORDS = ['qabcx', 'qabcxe']

const ran = (language: string, code: string): { readonly failed: boolean; readonly said: string } => {
  const [program, args] = INTERPRETERS[language]?.(code) ?? ['', []]
  const { status, stdout, error } = spawnSync(program, [...args], { timeout: 20_000, encoding: 'utf8' })
  if (error) throw error
  return { failed: status !== 0, said: stdout }
}

/** A part of a language that no interpreter has as a whole. */
const isPart = (flavour: string): boolean => flavour.includes('JSONPath')

describe.each(QUESTIONERS.filter(({ kind, flavour }) => kind === 'code' && !isPart(flavour)))(
  '$flavour',
  ({ flavour, within, with: put, ask, malformed }) => {
    const [language = ''] = flavour.split(',')
    const value = within === undefined ? '7+5' : 'held'
    const code = (question: string): string => `${within ?? ''}${put(value, question)}${within ?? ''}`

    it('keeps the value where it holds, and fails where it does not', () => {
      for (const word of WORDS) {
        expect(ran(language, code(ask(true, word, value)))).toEqual({ failed: false, said: within ? 'held' : '12' })
        expect(ran(language, code(ask(false, word, value))).failed).toBe(true)
      }
      expect(ran(language, code(malformed)).failed).toBe(true)
    })

    it('is no deed of any other language', () => {
      for (const word of WORDS)
        for (const truth of [true, false])
          for (const effect of ['reads', 'unknown', 'writes'] as const)
            expect(harmOf(put(value, ask(truth, word, value)), { effect })).toBeNull()
    })
  },
)

describe('a path into a document, whose filter is', () => {
  const parts = ['chain', 'brake', 'bell']
  const asked = async (filter: (code: string) => boolean) => {
    const { probe } = fakeProbe(
      (path) => {
        const code = /^\$\[\?\((.*)\)\]\.name$/s.exec(path)?.[1]
        const found = code === undefined ? (path === '$[*].name' ? parts : []) : parts.filter(() => filter(code))
        return { text: JSON.stringify(found), contentType: 'application/json' }
      },
      { name: 'path', value: '$[*].name' },
    )
    return (await firstOf(expressionWays(probe)))?.flavour ?? null
  }

  const evaluated = (code: string): boolean => {
    try {
      return Boolean(runInNewContext(code))
    } catch {
      return false // What is no JavaScript keeps nothing.
    }
  }

  it('code, is asked by code that keeps all or none', async () => {
    expect(await asked(evaluated)).toBe('JavaScript, in a filter of JSONPath')
  })

  it.each([
    ['a language of its own', (code: string) => /^1==1$/.test(code)],
    ['kept from what is inherited', (code: string) => !/constructor/.test(code) && evaluated(code)],
    ['read for nothing', () => true],
  ])('%s, is not', async (_how, filter) => {
    expect(await asked(filter)).toBeNull()
  })
})

describe('a number of a form that shows it again', () => {
  const asked = async (result: (number: string) => unknown) => {
    const { probe } = fakeProbe(
      (number) => ({ text: `<form><input name="b" value="${number}"></form><b>${result(number)}</b>` }),
      { name: 'b', value: '3' },
    )
    return (await firstOf(await questionWays(probe, new Set(['code']))))?.flavour ?? null
  }

  it('and is evaluated, is code', async () => {
    const evaluated = (number: string): unknown => {
      try {
        return runInNewContext(`2+${number}`)
      } catch {
        return '?'
      }
    }
    expect(await asked(evaluated)).toBe('JavaScript, number')
  })

  it.each([
    ['read as one', (number: string) => 2 + Number.parseInt(number, 10)],
    ['of a calculator without names', (number: string) => (/^[\d+-]+$/.test(number) ? 5 : '?')],
    ['shown alone', () => 5],
  ])('and is %s, is none', async (_how, result) => {
    expect(await asked(result)).toBeNull()
  })
})

it('is asked of what is more than a word, or whose name speaks of code', () => {
  const fits = QUESTIONERS.find(({ kind, within }) => kind === 'code' && within === undefined)?.fits
  expect(fits?.('lines', '[{sku:"A1"}]')).toBe(true)
  expect(fits?.('formula', '5')).toBe(true)
  for (const value of ['5', 'apple', '2026-11-03', 'https://a.test/?b=(c)', '/a/b', 'me@a.test', ''])
    expect(fits?.('name', value), value).toBe(false)
})

it.each(['1', '3', '12'])('a number that code works out is none that a document database compares: %s', (value) => {
  const one = QUESTIONERS.find(({ flavour }) => flavour === 'JavaScript, number')
  const asked = [true, false].map((truth) => one?.with(value, one.ask(truth, 'qabcx', value)) ?? '')
  const rows = [{ n: Number(value) }, { n: 77 }]
  const found = asked.map((text) => rows.filter((row) => new Function('row', `return row.n == ${text}`)(row)))
  expect(found).toEqual([[rows[0]], []])
  for (const text of asked) expect(ran('JavaScript', text).said).not.toBe(value)
})
