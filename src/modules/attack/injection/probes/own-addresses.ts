/**
 * Has the server fetch files of its own, by an address that nobody allows by name: that of the machine itself, or the number behind its name
 * (CWE-918). What shows two of them, and nothing for a third that is not there, was made to ask. No listener is needed for it.
 */
import { randomBytes } from 'node:crypto'
import { targetFailure } from '../../../../egress/door/target-failure.ts'
import { pageRequest } from '../../../../page/exchange.ts'
import { textOf } from '../../../../page/text.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { around } from '../../insertion-points/verdict.ts'
import type { AnswersHit, FileHit } from '../facts.ts'
import { askThrough, type Way } from './answers.ts'
import { printable, readable } from './files.ts'

type Asked = () => Promise<FileHit | AnswersHit | null>

export interface OwnAddresses {
  /** For a place that speaks of an address. */
  readonly ways: (probe: Probe) => readonly Asked[]
}

interface OwnFile {
  readonly url: URL
  /** Where it answered from, as a number. */
  readonly address: string
  readonly text: string
}

/** Files that are the same for everybody, and hold words of their own. */
const STATIC = /\b(?:javascript|css|json|xml|plain)\b/
/** Of an interface many are for those who signed in. */
const MOST_ASKED = 16
/** More than are needed: the place may show one of them by its own value. */
const WANTED = 4
const NEEDED = 2
/** Characters in a row as they stand in any page that shows the text, once references are resolved. */
const PIECES = /[^\s<>&\\][^<>&\\\r\n]{14,70}[^\s<>&\\]/g
const MOST_PIECES = 40

export const createOwnAddresses = (
  ctx: Pick<CollectContext, 'egress'>,
  crawl: Pick<CrawlFacts, 'urls'>,
): OwnAddresses => {
  let files: Promise<readonly OwnFile[]> | null = null
  return {
    ways: (probe) => [
      async () => {
        files ??= filesOf(ctx, crawl, new URL('/', probe.request.url).href)
        const known = await files
        return known.length < NEEDED ? null : askAll(probe, known)
      },
      async () => {
        const file = (await files)?.find(({ url }) => MANY_NAMES.test(url.pathname))
        return file === undefined ? null : askThere(probe, file)
      },
    ],
  }
}

const filesOf = async (
  ctx: Pick<CollectContext, 'egress'>,
  { urls }: Pick<CrawlFacts, 'urls'>,
  start: string,
): Promise<readonly OwnFile[]> => {
  const found: OwnFile[] = []
  const known = urls.flatMap(({ url, status, contentType }) =>
    status === 200 && STATIC.test(contentType) && !url.includes('?') ? [url] : [],
  )
  const named = known.length >= WANTED ? [] : await namedBy(ctx, start)
  for (const url of [...new Set([...known, ...named])].slice(0, MOST_ASKED)) {
    if (found.length === WANTED) break
    const file = await fileAt(ctx, url)
    if (file !== null && found.every(({ text }) => pieceOf(file.text, [text]) !== null)) found.push(file)
  }
  return found
}

/** Scripts and styles of a page, of its own site: a crawl keeps no addresses of them. */
const namedBy = async (ctx: Pick<CollectContext, 'egress'>, page: string): Promise<readonly string[]> => {
  try {
    const exchange = await ctx.egress.http(pageRequest(page))
    const { origin } = new URL(page)
    return [...textOf(exchange).matchAll(FILES_OF_PAGE)].flatMap(([, address = '']) => {
      const url = URL.parse(address, page)
      return url?.origin === origin ? [url.href] : []
    })
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return []
  }
}
const FILES_OF_PAGE = /\b(?:src|href)\s*=\s*["']?([^"'\s<>?#]{1,300}\.(?:js|css|json|txt|webmanifest))(?=["'\s>])/gi

/** As nobody in particular sees it, which is how the server would. */
const fileAt = async (ctx: Pick<CollectContext, 'egress'>, url: string): Promise<OwnFile | null> => {
  try {
    const exchange = await ctx.egress.http({ ...pageRequest(url), authenticated: false })
    const text = readable(textOf(exchange))
    return exchange.status === 200 && pieceOf(text, []) !== null
      ? { url: new URL(url), address: exchange.address, text }
      : null
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return null
  }
}

/** A piece of the text that none of the others has. */
const pieceOf = (text: string, others: readonly string[]): string | null =>
  [...text.matchAll(PIECES)]
    .slice(0, MOST_PIECES)
    .map(([piece]) => piece)
    .find((piece) => /[a-z]/i.test(piece) && !others.some((other) => other.includes(piece))) ?? null

const askAll = async (probe: Probe, files: readonly OwnFile[]): Promise<FileHit | null> => {
  const usual = readable((await probe.baseline())[0].text)
  const others = files.filter(({ text }) => pieceOf(text, [usual]) !== null).slice(0, NEEDED)
  if (others.length < NEEDED) return null
  for (const [flavour, host] of hostsOf(others, probe)) {
    const hit = await askBy(probe, flavour, host, others, usual)
    if (hit !== null) return hit
  }
  return null
}

const hostsOf = ([first]: readonly OwnFile[], { point }: Probe): readonly (readonly [string, string])[] => {
  const address = first?.address ?? ''
  const all = [
    ['address of the machine itself', 'localhost'],
    ['number behind the name of the site', address.includes(':') ? `[${address}]` : address],
  ] as const
  // What the site is called itself may be what is allowed, and so may what the place names of its own.
  const own = [first?.url.hostname, URL.parse(point.value)?.hostname]
  return all.filter(([, host]) => !own.includes(host))
}

/** What the application puts behind it becomes a parameter that nobody reads. */
const addressAt = (host: string, { protocol, port }: URL, path: string): string =>
  `${protocol}//${host}${port && `:${port}`}${path}?q=`

const askBy = async (
  probe: Probe,
  flavour: string,
  host: string,
  files: readonly OwnFile[],
  usual: string,
): Promise<FileHit | null> => {
  const shown: FileHit['files'][number][] = []
  const texts: string[] = []
  try {
    for (const { url, text } of files) {
      const mark = pieceOf(text, [usual, ...texts])
      if (mark === null) return null
      const reply = await probe.send(addressAt(host, url, url.pathname))
      const said = readable(reply.text)
      if (!said.includes(mark)) return null
      probe.pursue()
      texts.push(said)
      const path = addressAt(host, url, url.pathname)
      shown.push({
        ...{ path, mark: printable(mark), payload: reply.value },
        ...{ excerpt: printable(around(said, mark, 120)), replay: reply.replay },
      })
    }
    const [first] = files
    if (first === undefined) return null
    const control = await probe.send(addressAt(host, first.url, `/q${randomBytes(4).toString('hex')}.txt`))
    const said = readable(control.text)
    return {
      kind: 'ssrf',
      proof: 'file',
      flavour,
      files: shown,
      controlShows: shown.some(({ mark }) => said.includes(mark)),
    }
  } catch (error) {
    if (error instanceof Unsendable) return null
    throw error
  }
}

/**
 * A page that shows nothing of what it fetched may be another one where the file is there: that of the site, and names beside it that are none,
 * as long and with the same ending. What reads the address and asks nobody cannot tell them apart, nor does what looks the path up in the
 * application itself heed a port at which nobody answers.
 */
const askThere = async (probe: Probe, file: OwnFile): Promise<AnswersHit | null> => {
  for (const [flavour, host] of hostsOf([file], probe)) {
    try {
      const hit = await askThrough(probe, thereBy(probe, flavour, host, file.url))
      if (hit !== null) return hit
    } catch (error) {
      if (!(error instanceof Unsendable)) throw error
      return null
    }
  }
  return null
}

const thereBy = (probe: Probe, flavour: string, host: string, url: URL): Way => {
  const ask = (path: string): Promise<Reply> => probe.send(addressAt(host, url, path))
  return {
    kind: 'ssrf',
    flavour: `a file that is there, ${flavour}`,
    mode: 'widens',
    ask: async (truth) => {
      const path = truth ? url.pathname : besideOf(url.pathname)
      return { question: addressAt(host, url, path), reply: await ask(path) }
    },
    nothing: () => ask(besideOf(url.pathname)),
    malformed: () => probe.send(addressAt(host, withPort(url, NOBODY), url.pathname)),
  }
}

/**
 * Beside it are so many names that no two questions ask for the same: a page that writes the address down in a coding of its own, as a redirect
 * does, is another one for each of them, and tells nothing.
 */
const MANY_NAMES = /\/[a-z][\w-]{4,}(?:\.\w+)?$/i

/** A name in the same folder that no file has: as long, with the same ending. */
const besideOf = (path: string): string =>
  path.replace(/[^/]+$/, (name) => {
    const [, stem = name, ending = ''] = /^(.*?)((?:\.\w+)?)$/.exec(name) ?? []
    const letters = Array.from(randomBytes(stem.length), (byte) => LETTERS[byte % LETTERS.length]).join('')
    return `q${letters.slice(1)}${ending}`
  })

/** Of which no words are made. */
const LETTERS = 'bcdfghjkmpqrtvwxz'

/** tcpmux (RFC 1078), which nobody runs any more. */
const NOBODY = '1'
const withPort = (url: URL, port: string): URL => {
  const other = new URL(url)
  other.port = port
  return other
}
