/** What a run under way says of itself: which module does what. Pure. */
import { MODULES } from './i18n/en/modules.ts'

/** By the module's id, what it does, as the scanner wrote it. */
export type Doing = ReadonlyMap<string, string>

/** One or more modules that say the same. Details have colons and semicolons of their own: only known ids begin one. */
const SAID = /(?:^|; )([a-z-]+(?:, [a-z-]+)*): /g

/** Of "tls: 214 of 331 cipher suites; dns, mail: starting". Null for a line that names no module. */
export const doingOf = (line: string): Doing | null => {
  const heads = [...line.matchAll(SAID)].filter(([, ids = '']) => ids.split(', ').every(isModule))
  if (heads[0]?.index !== 0) return null
  return new Map(
    heads.flatMap((head, at) => {
      const said = line.slice(head.index + head[0].length, heads[at + 1]?.index)
      return (head[1] ?? '').split(', ').map((id): [string, string] => [id, said])
    }),
  )
}

const isModule = (id: string): boolean => Object.hasOwn(MODULES, `module_${id}`)
