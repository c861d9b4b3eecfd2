/**
 * Asks whether classes that a visitor names are looked up (CWE-502), in a document of YAML and in what Marshal of Ruby wrote: one more member of a
 * class that every installation has changes nothing, and of one that nobody has ends the reading in an error. What reads no objects refuses
 * both, or takes both for texts. None of the classes does anything when it is built, and none is the application's.
 */
import { randomBytes } from 'node:crypto'
import type { Probe, Reply } from '../../insertion-points/prober.ts'
import { heldAs, YAML } from '../objects.ts'
import type { Way } from './answers.ts'

interface Language {
  readonly flavour: string
  readonly names: readonly [string, ...string[]]
  readonly of: (name: string) => string
}

const LANGUAGES: readonly Language[] = [
  {
    flavour: 'Ruby, YAML',
    names: ['Object', 'StandardError', 'RuntimeError'],
    of: (name) => `!ruby/object:${name} {}`,
  },
  // What takes names of functions alone looks only among those that are loaded (FullLoader of PyYAML); modules are brought by none but unsafe ones.
  { flavour: 'Python, YAML', names: ['operator', 'string', 'numbers'], of: (name) => `!!python/module:${name}` },
  {
    flavour: 'Java, YAML',
    names: ['java.math.BigInteger', 'java.math.BigDecimal', 'java.lang.Long'],
    of: (name) => `!!${name} ["5"]`,
  },
]
const MARSHAL = 'Ruby Marshal object'

export const classNameWays = (probe: Probe): readonly Way[] => [...yamlWays(probe), ...marshalWays(probe)]

/** A name that nobody has, of the same length. */
const noneLike = (name: string): string => `${name.slice(0, -1)}q`

const SCALAR = /^([ \t]*)(- )?[\w"'-]{1,40}:[ \t]+[^\s#|>&*{[][^\n]*$/gm

/** The document with one more member behind its last one that is a text; null where it has none. */
export const withYamlMember = (value: string, member: string): string | null => {
  const last = [...value.matchAll(SCALAR)].at(-1)
  if (last === undefined) return null
  const [line, indent = '', dash = ''] = last
  const end = last.index + line.replace(/\r$/, '').length
  return `${value.slice(0, end)}\n${indent}${dash && '  '}${keyOf()}: ${member}${value.slice(end)}`
}

const keyOf = (): string => `q${randomBytes(3).toString('hex')}x`

const yamlWays = (probe: Probe): readonly Way[] => {
  const { point } = probe
  const send = (member: string): Promise<Reply> => {
    const document = withYamlMember(point.value, member)
    return probe.send((document !== null && heldAs(point, YAML, document)) || point.value)
  }
  if (heldAs(point, YAML, '') === null || withYamlMember(point.value, 'q') === null) return []
  return LANGUAGES.map(({ flavour, names, of }) =>
    wayOf(flavour, names, {
      known: (name) => send(of(name)),
      // The same signs as a text: what refuses them for what they are tells nothing of a class.
      text: (name) => send(`'${of(noneLike(name))}'`),
      none: (name) => send(of(noneLike(name))),
      malformed: () => send('[q'),
    }),
  )
}

/** `{` and `[` with a count of one byte (marshal.c): a map, a list. */
export const withMarshalMember = (stream: Buffer, member: Buffer): Buffer | null => {
  const [major, minor, kind, count = 0] = stream
  const isMap = kind === 0x7b
  if (major !== 4 || minor !== 8 || !(isMap || kind === 0x5b)) return null
  // A number n from 1 to 122 is written as n + 5, and 0 as 0.
  if (count !== 0 && (count < 6 || count > 126)) return null
  const head = Buffer.from([4, 8, kind, count === 0 ? 6 : count + 1])
  return Buffer.concat([head, stream.subarray(4), isMap ? textOf(keyOf()) : Buffer.alloc(0), member])
}

const counted = (type: string, text: string): Buffer =>
  Buffer.concat([Buffer.from(type), Buffer.from([text.length + 5]), Buffer.from(text, 'latin1')])
const textOf = (text: string): Buffer => counted('"', text)
const objectOf = (name: string): Buffer => Buffer.concat([counted('o:', name), Buffer.from([0])])

const marshalWays = (probe: Probe): readonly Way[] => {
  const { point } = probe
  const read = heldAs(point, MARSHAL, '') === null ? null : bytesOf(point.value)
  const valueWith = (member: Buffer): string | null => {
    const stream = read && withMarshalMember(read, member)
    return stream && heldAs(point, MARSHAL, stream)
  }
  if (valueWith(textOf('q')) === null) return []
  const send = (member: Buffer): Promise<Reply> => probe.send(valueWith(member) ?? point.value)
  return [
    wayOf('Ruby, Marshal', ['Object', 'StandardError', 'RuntimeError'], {
      known: (name) => send(objectOf(name)),
      text: (name) => send(textOf(objectOf(noneLike(name)).toString('latin1'))),
      none: (name) => send(objectOf(noneLike(name))),
      // Nothing is allocated of it.
      malformed: () => send(objectOf('Proc')),
    }),
  ]
}

const bytesOf = (value: string): Buffer => Buffer.from(value, 'base64')

interface Members {
  readonly known: (name: string) => Promise<Reply>
  readonly text: (name: string) => Promise<Reply>
  readonly none: (name: string) => Promise<Reply>
  readonly malformed: () => Promise<Reply>
}

/** One name after the other, of each kind of question: what refuses one of them must not be all that was asked. */
const wayOf = (flavour: string, names: Language['names'], members: Members): Way => {
  const asked = { true: 0, false: 0 }
  return {
    kind: 'deserialization',
    flavour: `${flavour}, a class that nobody has`,
    mode: 'narrows',
    ask: async (truth, turn) => {
      asked[`${truth}`] += 1
      const name = names[asked[`${truth}`] % names.length] ?? names[0]
      const none = noneLike(name)
      if (!truth) return { question: `a member of ${none}, which nobody has`, reply: await members.none(name) }
      if (turn % 2 === 0) return { question: `a member of ${name}`, reply: await members.known(name) }
      return { question: `a text like a member of ${none}`, reply: await members.text(name) }
    },
    malformed: members.malformed,
  }
}
