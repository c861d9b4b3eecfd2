/** Objects as the libraries of Python read them, built by Python itself. */
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import type { HttpRequest } from '../../../../egress/door/egress.ts'
import { harmOf } from '../../../../safety/harmless.ts'
import { firstOf } from '../../insertion-points/techniques.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { isProven } from '../proven.ts'
import { BUILT, builtWays } from './built.ts'

const python = (code: string, text: string): string => {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', code], { input: text, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout.trim()
}
const LOADS = 'import sys,pickle,base64\nprint(pickle.loads(base64.b64decode(sys.stdin.read())))'
/** {'rows': 20}, as protocol 4 writes it. */
const PREFS = Buffer.from('8004950d000000000000007d948c04726f7773944b14732e', 'hex').toString('base64')

const shows = (load: (value: string) => string) => (value: string) => {
  try {
    return { text: `<p>Your settings: ${load(value)}</p>` }
  } catch {
    return { text: '<p>Your settings: none</p>' }
  }
}

it('a pickle is built, and its product shown', async () => {
  const { probe } = fakeProbe(
    shows((value) => python(LOADS, value)),
    { place: 'cookie', name: 'prefs', value: PREFS },
  )
  const hit = await firstOf(builtWays(probe))
  expect(hit).toMatchObject({ kind: 'deserialization', proof: 'computed', flavour: 'Python, pickle' })
  expect(hit && isProven(hit)).toBe(true)
})

it('one of several cookies that are asked together is built, too', async () => {
  const { point: member } = fakeProbe(() => ({ text: '' }), { place: 'cookie', name: 'prefs', value: PREFS }).probe
  const other = { ...member, name: 'theme', value: 'dark' }
  const page = (_value: string, changed?: HttpRequest) => {
    const cookie = changed?.headers?.find(([name]) => name === 'Cookie')?.[1] ?? ''
    return shows((value) => python(LOADS, value))(/prefs=([^;]*)/.exec(cookie)?.[1] ?? '')
  }
  const { probe } = fakeProbe(page, { place: 'cookie', name: '', value: '', members: [other, member] })
  expect(await firstOf(builtWays(probe))).toMatchObject({ kind: 'deserialization', flavour: 'Python, pickle' })
})

it('a document of YAML, likewise', async () => {
  const load = (value: string): string => {
    const [, a, b] = /^!!python\/object\/apply:operator\.mul \[(\d+), (\d+)\]$/.exec(value) ?? []
    return a ? String(Number(a) * Number(b)) : value
  }
  const { probe } = fakeProbe(shows(load), { place: 'form', name: 'text', value: '- subject: Heating is cold' })
  expect(await firstOf(builtWays(probe))).toMatchObject({ kind: 'deserialization', flavour: 'Python, YAML' })
})

/** As the libraries write what they have built of a scalar; as it is for a data reader. */
const LIBRARIES: Readonly<Record<string, (scalar: string) => string | undefined>> = {
  'Ruby, YAML': (scalar) => {
    const [, down, up] = /^!ruby\/object:Rational \{denominator: (\d+), numerator: (\d+)\}$/.exec(scalar) ?? []
    return down && `${Number(up) / Number(down)}/1`
  },
  'Java, YAML': (scalar) => {
    const [, digits, radix] = /^!!java\.math\.BigInteger \["(\w+)", (\d+)\]$/.exec(scalar) ?? []
    return digits && String(Number.parseInt(digits, Number(radix)))
  },
  'Node.js, YAML': (scalar) => {
    const [, a, b] =
      /^\{toString: &q !!js\/function 'function\(\)\{return (\d+)\*(\d+)\}', toJSON: \*q\}$/.exec(scalar) ?? []
    return a && String(Number(a) * Number(b))
  },
}

it.each(Object.entries(LIBRARIES))(
  '%s: a scalar of a mapping that a program takes apart is built',
  async (flavour, write) => {
    const size = (value: string): string => {
      const [, scalar] = /^---\nsize: (.*)\n$/.exec(value) ?? []
      if (scalar === undefined) throw new Error('no mapping')
      return write(scalar) ?? (scalar.startsWith('!') || scalar.startsWith('{') ? 'normal' : scalar)
    }
    const { probe } = fakeProbe(shows(size), { place: 'cookie', name: 'prefs', value: '---\nsize: normal\n' })
    const hit = await firstOf(builtWays(probe))
    expect(hit).toMatchObject({ kind: 'deserialization', proof: 'computed', flavour })
    expect(hit && isProven(hit)).toBe(true)
  },
)

it('a mapping whose scalars are shown as they were sent proves nothing', async () => {
  const { probe } = fakeProbe(
    shows((value) => value),
    { place: 'cookie', name: 'prefs', value: '---\nsize: normal\nrows: 20\n' },
  )
  expect(await firstOf(builtWays(probe))).toBeNull()
})

it('what reads data as data shows none, and neither does a place that holds no objects', async () => {
  const safe = fakeProbe(
    shows((value) => value),
    { place: 'form', name: 'text', value: '- subject: Heating is cold' },
  )
  expect(await firstOf(builtWays(safe.probe))).toBeNull()
  expect(safe.sent.length).toBeLessThanOrEqual(9)
  expect(builtWays(fakeProbe(() => ({ text: '' }), { value: 'tent' }).probe)).toEqual([])
})

describe.each(BUILT)('$flavour', ({ product, wait }) => {
  it('is no deed of any other language', () => {
    for (const payload of [product(1_234, 5_678), ...(wait ? [wait('1.400')] : [])])
      for (const effect of ['reads', 'unknown', 'writes'] as const) expect(harmOf(payload, { effect })).toBeNull()
  })
})
