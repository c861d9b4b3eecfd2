/**
 * Asks whether a serialised value is built into objects (CWE-502). Of PHP with one more member of a class that PHP itself has and that cannot
 * be built of nothing, which ends the program (`DateTime`, PHP 5.3 to 8.4), and of one that nobody has, which does nothing. Of Java with an
 * object that nothing refers to, of a class that each Java has: of its own version it changes nothing, of another one reading ends in an
 * error (`InvalidClassException`), and the same version of a class that nobody has is never looked at. No class of the application is built.
 */
import { randomBytes } from 'node:crypto'
import type { Probe, Reply } from '../../insertion-points/prober.ts'
import { withIgnored } from '../java-stream.ts'
import { heldAs } from '../objects.ts'
import type { Way } from './answers.ts'

/** Members of an array or an object: the head, how many there are, and what they are. */
const SERIALIZED = /^(O:\d{1,3}:"[\w\\]{1,100}":|a:)(\d{1,4}):\{([\s\S]*)\}$/
const CLASSES = ['DateTime', 'DateTimeZone', 'DateTimeImmutable'] as const

/** The value with one more member; null where it is none that PHP has written. */
const withMember = (value: string, key: string, member: string): string | null => {
  const [, head, count, members] = SERIALIZED.exec(value) ?? []
  if (head === undefined) return null
  return `${head}${Number(count) + 1}:{${members}s:${key.length}:"${key}";${member}}`
}

const objectOf = (of: string): string => `O:${of.length}:"${of}":0:{}`
const textOf = (text: string): string => `s:${text.length}:"${text}";`

export const withObject = (value: string, of: string, key: string): string | null =>
  withMember(value, key, objectOf(of))

/** Small classes of java.base with their `serialVersionUID`, which `serialver` prints: equal in all versions of Java from 8 on. */
const JAVA_CLASSES: readonly [JavaClass, ...JavaClass[]] = [
  ['java.util.UUID', -4856846361193249489n],
  ['java.util.EventObject', 5516075349620653480n],
  ['java.util.concurrent.atomic.AtomicBoolean', 4654671469794556979n],
]
type JavaClass = readonly [name: string, version: bigint]
const JAVA = 'Java object'

export const serializedWays = (probe: Probe): readonly Way[] => [...phpWays(probe), ...javaWays(probe)]

/** One after the other, of each kind of question: what refuses one of their names must not be all that was asked. */
const inTurn = <One>(all: readonly [One, ...One[]]): ((truth: boolean) => One) => {
  const asked = { true: 0, false: 0 }
  return (truth) => {
    asked[`${truth}`] += 1
    return all[asked[`${truth}`] % all.length] ?? all[0]
  }
}

/** Bytes of a value that begins as Java's streams do. */
const streamOf = (value: string): Buffer => Buffer.from(value, /^aced0005/i.test(value) ? 'hex' : 'base64')

/** The value with an object beside its own, coded alike; null where it is none of Java. */
export const withJavaObject = (point: Probe['point'], name: string, version: bigint): string | null => {
  if (heldAs(point, JAVA, '') === null) return null
  const stream = withIgnored(streamOf(point.value), name, version)
  return stream && heldAs(point, JAVA, stream)
}

const javaWays = (probe: Probe): readonly Way[] => {
  if (withJavaObject(probe.point, 'q', 1n) === null) return []
  const nextFor = inTurn(JAVA_CLASSES)
  const send = (name: string, version: bigint): Promise<Reply> =>
    probe.send(withJavaObject(probe.point, name, version) ?? probe.point.value)
  return [
    {
      kind: 'deserialization',
      flavour: 'Java, a version of a class that is none',
      mode: 'narrows',
      ask: async (truth, turn) => {
        const [known, version] = nextFor(truth)
        const other = version + 1n
        if (!truth)
          return { question: `an object of ${known} of a version that is none`, reply: await send(known, other) }
        if (turn % 2 === 0) return { question: `an object of ${known}`, reply: await send(known, version) }
        const unknown = `${known.slice(0, -1)}q`
        return { question: `an object of a class that is none, ${unknown}`, reply: await send(unknown, other) }
      },
      // No stream may hold one.
      malformed: () => send('java.lang.Thread', 1n),
    },
  ]
}

const phpWays = (probe: Probe): readonly Way[] => {
  const { value } = probe.point
  if (withObject(value, 'q', 'q') === null) return []
  const nextFor = inTurn(CLASSES)
  const send = (member: string) => probe.send(withMember(value, `q${randomBytes(4).toString('hex')}`, member) ?? value)
  return [
    {
      kind: 'deserialization',
      flavour: 'PHP, a class that cannot be built of nothing',
      mode: 'narrows',
      ask: async (truth, turn) => {
        const known = nextFor(truth)
        if (!truth) return { question: `a member of the class ${known}`, reply: await send(objectOf(known)) }
        // The same signs as a text: what refuses them for what they are tells nothing of a class.
        return turn % 2 === 0
          ? { question: `a member of a class that is none`, reply: await send(objectOf(`${known.slice(0, -1)}q`)) }
          : { question: `a text like a member of the class ${known}`, reply: await send(textOf(objectOf(known))) }
      },
      // Built it may be nowhere.
      malformed: () => send(objectOf('Closure')),
    },
  ]
}
