/**
 * Values by which one program is many, as the crawl has learned them: `index.php?page=messages&action=read` is called `messages` and `read`, as a
 * path would be.
 */
import type { RequestTemplate } from '../crawl/facts.ts'

/** Of an address the values that choose what answers there, by their names, in the order of its query. */
export type Routed = (address: string) => readonly (readonly [name: string, value: string])[]

/** A number names a thing, whatever else it chooses. */
const WORD = /^[a-z][\w.-]{0,40}$/i
/** A program that answers for all: a server puts it in where the path names a folder alone. */
const PROGRAM = /(?:^|\/)(?:[\w-]+\.\w{1,5})?$/

export const NOT_ROUTED: Routed = () => []

export const createRouted = (requests: readonly Pick<RequestTemplate, 'url' | 'shape'>[]): Routed => {
  const names = new Map<string, Set<string>>()
  for (const { url, shape } of requests) {
    const { pathname } = new URL(url)
    const chosen = chosenIn(shape)
    if (chosen.length > 0 && PROGRAM.test(pathname))
      names.set(pathname, new Set([...(names.get(pathname) ?? []), ...chosen]))
  }
  return (address) => {
    const { pathname, searchParams } = new URL(address)
    const known = names.get(pathname)
    return known === undefined ? [] : [...searchParams].filter(([name, value]) => known.has(name) && WORD.test(value))
  }
}

/** `https://h/index.php?id&page=about`: `page=about`. */
export const choicesIn = (shape: string): readonly string[] =>
  shape
    .slice(shape.indexOf('?') + 1 || shape.length)
    .split('&')
    .filter((part) => /^[^=/]+=/.test(part))

const chosenIn = (shape: string): readonly string[] => choicesIn(shape).map((part) => part.slice(0, part.indexOf('=')))

/** With what chooses the program, where one answers for many: `/index.php?page=login`. */
export const addressOf = ({ url, shape }: Pick<RequestTemplate, 'url' | 'shape'>): string => {
  const chosen = choicesIn(shape)
  return `${url.replace(/\?.*/s, '')}${chosen.length === 0 ? '' : `?${chosen.join('&')}`}`
}

/** What the parameters of an address are of, where it is routed: `messages read`; null else. */
export const thingOfRoute = (address: string, routed: Routed): string | null => {
  const values = routed(address).map(([, value]) => value)
  return values.length === 0 ? null : values.join(' ')
}

/** What says by its words what answers: the path, and behind it the values that choose the program, `/index.php/forgot` for `?action=forgot`. */
export const calledBy = ({ url, shape }: Pick<RequestTemplate, 'url' | 'shape'>): string => {
  const chosen = new Set(chosenIn(shape))
  const { pathname, searchParams } = new URL(url)
  const values = [...searchParams].flatMap(([name, value]) => (chosen.has(name) && WORD.test(value) ? [value] : []))
  return [pathname, ...values].join('/')
}
