/**
 * Asks whether a serialised value of PHP is built into objects: with one more member of a class that PHP itself has and that cannot be
 * built of nothing, which ends the program (`DateTime`, PHP 5.3 to 8.4), and of one that nobody has, which does nothing. No class of the
 * application is built (CWE-502).
 */
import { randomBytes } from 'node:crypto'
import type { Probe } from '../../insertion-points/prober.ts'
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

export const serializedWays = (probe: Probe): readonly Way[] => {
  const { value, members } = probe.point
  if (members || withObject(value, 'q', 'q') === null) return []
  // One after the other, of each kind of question: what refuses one of their names must not be all that was asked.
  const asked = { true: 0, false: 0 }
  const nextFor = (truth: boolean): (typeof CLASSES)[number] => {
    asked[`${truth}`] += 1
    return CLASSES[asked[`${truth}`] % CLASSES.length] ?? CLASSES[0]
  }
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
