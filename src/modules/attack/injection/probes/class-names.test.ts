/** Documents of YAML and what Marshal of Ruby wrote: read with the classes that they name, read as data alone, or not read at all. */
import { describe, expect, it } from 'vitest'
import { firstOf } from '../../insertion-points/techniques.ts'
import { fakeProbe } from '../../insertion-points/testing/fake-probe.ts'
import { isProven } from '../proven.ts'
import { objectWays } from './answers.ts'
import { withMarshalMember, withYamlMember } from './class-names.ts'

const READ = { text: '<h1>Import</h1><p>2 suppliers were read, and none of them is new.</p>' }
const REFUSED = { status: 422, text: '<h1>Import</h1><p>This document cannot be read.</p>' }
const DOCUMENT = '- name: Kugel\n  city: Kiel\n- name: Dichtwerk\n  city: Graz\n'

/** Members that stand there as such, and not in a text. */
const TAG = /^\s*(?:- )?[\w-]+: (!\S+)/gm
const tagsOf = (value: string): readonly string[] => [...value.matchAll(TAG)].map(([, tag = '']) => tag)

/** `known`: what this language has; a tag of another language means nothing to it, or is refused. */
const reading = (known: RegExp, own: RegExp, others: 'refused' | 'read') => (value: string) => {
  if (!/^- name: /.test(value) || /\[q$/m.test(value)) return REFUSED
  const isRead = (tag: string): boolean => (own.test(tag) ? known.test(tag) : others === 'read')
  return tagsOf(value).every(isRead) ? READ : REFUSED
}
const RUBY = reading(/:(?:Object|StandardError|RuntimeError)$/, /^!ruby/, 'read')
const PYTHON = reading(/:(?:operator|string|numbers)$/, /^!!python/, 'refused')
const JAVA = reading(/\.(?:BigInteger|BigDecimal|Long)$/, /^!!java/, 'refused')

const ask = async (answer: Parameters<typeof fakeProbe>[0], point: Parameters<typeof fakeProbe>[1]) =>
  firstOf(objectWays(fakeProbe(answer, point).probe))

describe('YAML', () => {
  const at = { place: 'form', value: DOCUMENT } as const
  it.each([
    ['Ruby', RUBY],
    ['Python', PYTHON],
    ['Java', JAVA],
  ])('that %s builds objects of is proven though nothing of it is shown', async (language, answer) => {
    const hit = await ask(answer, at)
    expect(hit).toMatchObject({ kind: 'deserialization', flavour: expect.stringContaining(language) })
    expect(hit && isProven(hit)).toBe(true)
  })

  it.each([
    ['is read without classes', (value: string) => (tagsOf(value).length > 0 ? REFUSED : READ)],
    ['is read for tags that mean nothing', () => READ],
    ['is refused once it was changed', (value: string) => (value === DOCUMENT ? READ : REFUSED)],
    ['is refused for the words it holds', (value: string) => (/[Ee]rroq|Objecq|!!/.test(value) ? REFUSED : READ)],
  ])('that %s is not', async (_how, answer) => {
    expect(await ask(answer, at)).toBeNull()
  })

  it('gets the member behind its last text, as far in as that stands', () => {
    const added = withYamlMember('a:\n  - b: 1\n    c: two\nd:\n  - 5\n', '!q {}') ?? ''
    expect(added.replace(/q\w+x/, 'q')).toBe('a:\n  - b: 1\n    c: two\n    q: !q {}\nd:\n  - 5\n')
    expect((withYamlMember('- name: Kugel', '!q {}') ?? '').replace(/q\w+x/, 'q')).toBe('- name: Kugel\n  q: !q {}')
    expect(withYamlMember('just a text', '!q {}')).toBeNull()
  })
})

/** {"rows"=>20, "view"=>"list"} */
const PREFERENCES = 'BAh7B0kiCXJvd3MGOgZFVGkZSSIJdmlldwY7AFRJIglsaXN0BjsAVA=='

/** As `Marshal.load` reads it: texts are passed over. */
const unmarshal = (builds: boolean) => (value: string) => {
  const bytes = Buffer.from(value, 'base64').toString('latin1')
  if (!bytes.startsWith('\x04\x08{')) return REFUSED
  const named = /"[\s\S]q\w{7}(?!")o:[\s\S](\w+)\0$/.exec(bytes)?.[1]
  if (named === undefined) return READ
  return builds && /^(?:Object|StandardError|RuntimeError)$/.test(named) ? READ : REFUSED
}

describe('Marshal', () => {
  const at = { place: 'cookie', value: PREFERENCES } as const
  it('that builds objects is proven', async () => {
    const hit = await ask(unmarshal(true), at)
    expect(hit).toMatchObject({ kind: 'deserialization', flavour: expect.stringContaining('Marshal') })
    expect(hit && isProven(hit)).toBe(true)
  })

  it.each([
    ['takes no objects', unmarshal(false)],
    ['is refused once it was changed', (value: string) => (value === PREFERENCES ? READ : REFUSED)],
    ['is not read', () => READ],
  ])('what %s is not', async (_how, answer) => {
    expect(await ask(answer, at)).toBeNull()
  })

  it('counts the member that comes in', () => {
    const member = Buffer.from('i\x06', 'latin1')
    expect(withMarshalMember(Buffer.from('\x04\x08[\x06i\x07', 'latin1'), member)?.toString('latin1')).toBe(
      '\x04\x08[\x07i\x07i\x06',
    )
    expect(withMarshalMember(Buffer.from('\x04\x08[\0', 'latin1'), member)?.toString('latin1')).toBe(
      '\x04\x08[\x06i\x06',
    )
    expect(withMarshalMember(Buffer.from('\x04\x08i\x06', 'latin1'), member)).toBeNull()
  })
})
