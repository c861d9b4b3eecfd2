/** Files that the run itself has given to the site: what they hold, and how they are handed out, is no word of the site's own. */
import type { HttpExchange } from '../egress/door/egress.ts'
import { isOwnFile } from '../modules/own-files.ts'
import { percentDecoded } from '../page/percent.ts'

const MOST_FILES = 5_000
/** Shorter contents are answered by pages as well. */
const SHORTEST = 8
const LONGEST = 65_536

export interface Planted {
  /** Remembers what the request gives; true where the answer is to one that asks for a file which was given before. */
  readonly isOurs: (exchange: HttpExchange) => boolean
}

export const createPlanted = (): Planted => {
  const names = new Set<string>()
  const contents = new Set<string>()
  return {
    isOurs: ({ request, body }) => {
      for (const { name, content } of filesIn(request)) {
        if (names.size < MOST_FILES && isOwnFile(name)) names.add(name)
        const text = content.trim()
        if (contents.size < MOST_FILES && text.length >= SHORTEST && text.length <= LONGEST) contents.add(text)
      }
      if (request.method !== 'GET' && request.method !== 'HEAD') return false
      return isNamed(request.url, names) || isOneOf(body, contents)
    },
  }
}

/** Wherever the site keeps it, and with what it puts before or behind the name. */
const isNamed = (address: string, names: ReadonlySet<string>): boolean => {
  if (names.size === 0 || !isOwnFile(address)) return false
  const decoded = percentDecoded(address)
  return [...names].some((name) => decoded.includes(name))
}

const isOneOf = (body: Buffer, contents: ReadonlySet<string>): boolean =>
  contents.size > 0 &&
  body.length <= LONGEST &&
  (contents.has(body.toString('latin1').trim()) || contents.has(body.toString('utf8').trim()))

/** Parts of multipart bodies that have a name for a file (RFC 7578, 4.2), and what is stored under its own address (RFC 9110, 9.3.4). */
const filesIn = ({ method, url, body }: HttpExchange['request']): readonly { name: string; content: string }[] => {
  if (body === null) return []
  // What else is put is a record of the site's, at an address of its own.
  if (method === 'PUT') return isOwnFile(url) ? [{ name: lastPartOf(url), content: body }] : []
  if (!body.includes('filename="')) return []
  return [...body.matchAll(PART)].map(([, name = '', content = '']) => ({ name: percentDecoded(name), content }))
}
const PART = /; filename="([^"\r\n]{1,300})"[^\r\n]*\r\n(?:[\w-]+:[^\r\n]*\r\n)*\r\n([\s\S]*?)\r\n--/g

const lastPartOf = (address: string): string => percentDecoded(URL.parse(address)?.pathname.split('/').at(-1) ?? '')
