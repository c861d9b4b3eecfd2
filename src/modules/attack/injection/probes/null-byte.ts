/**
 * Asks for files that a folder refuses by their name with an ending that it hands out behind a null byte: what looks at the end of the
 * name lets it through, and what opens the file ends the name there (CWE-158). Reads alone.
 */
import { randomBytes } from 'node:crypto'
import type { HttpExchange } from '../../../../egress/door/egress.ts'
import { targetFailure } from '../../../../egress/door/target-failure.ts'
import { textOf } from '../../../../page/text.ts'
import { harmOfAddress } from '../../../../safety/safety.ts'
import { shellQuoted } from '../../../evidence/pages.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawledUrl, CrawlFacts } from '../../crawl/facts.ts'
import type { NullByteFacts, NullByteHit } from '../facts.ts'

const MOST_FILES = 12
const MOST_ENDINGS = 2
const MAX_BODY = 64 * 1024
/** Characters. */
const LONGEST_EXCERPT = 300

/** As servers and programs decode the path: once, and once more by the program itself. */
const NULLS = ['%2500', '%00'] as const

const ENDING = /\.([a-z][a-z0-9]{1,4})$/i

/** What is known of the folder: a file that it refuses, and endings that it hands out or names in its refusal. */
export interface Refused {
  readonly url: string
  readonly endings: readonly string[]
}

/** 401 asks who asks, 404 says that there is none, and 429 that it was asked too often: none is for the name. */
const isRefusal = ({ status }: CrawledUrl): boolean =>
  status >= 400 && status < 500 && ![401, 404, 410, 429].includes(status)

const nameOf = (url: string): string => new URL(url).pathname.split('/').at(-1) ?? ''

/** Of files with an ending that were refused. */
export const refusedFiles = ({ urls }: Pick<CrawlFacts, 'urls'>): readonly Refused[] => {
  const folderOf = (url: string): string => new URL('.', url).href
  const given = Map.groupBy(
    urls.filter(({ url, status }) => status === 200 && ENDING.test(nameOf(url))),
    ({ url }) => folderOf(url),
  )
  return urls
    .filter((one) => isRefusal(one) && ENDING.test(nameOf(one.url)) && !/[?#]/.test(one.url))
    .filter(({ url }) => harmOfAddress(url) === null)
    .map(({ url }) => {
      const endings = (given.get(folderOf(url)) ?? []).map((one) => ENDING.exec(nameOf(one.url))?.[1] ?? '')
      return { url, endings: [...new Set(endings)] }
    })
}

export const askNullBytes = async (
  ctx: CollectContext,
  crawl: Pick<CrawlFacts, 'urls'>,
  isOver: () => boolean = () => false,
): Promise<NullByteFacts> => {
  const refused = refusedFiles(crawl).filter(({ url }) => !ctx.egress.excludes(url))
  let known = refused.length
  const hits: NullByteHit[] = []
  let asked = 0
  for (const file of refused.slice(0, MOST_FILES)) {
    ctx.signal.throwIfAborted()
    if (isOver()) break
    const hit = await askFile(ctx, file)
    if (hit === 'alone') known -= 1
    else if (hit !== 'silent') asked += 1
    if (typeof hit === 'object' && hit !== null) hits.push(hit)
  }
  return { known, asked, hits }
}

/** 'alone': as far as anything shows no other kind of file is handed out there, so that it is not refused for its ending. */
const askFile = async (
  ctx: CollectContext,
  { url, endings }: Refused,
): Promise<NullByteHit | null | 'silent' | 'alone'> => {
  const { pathname } = new URL(url)
  const refused = await get(ctx, url, pathname)
  if (refused === null) return 'silent'
  // It may be let through by now.
  if (refused.status < 400) return null
  const own = ENDING.exec(pathname)?.[1]?.toLowerCase()
  const named = [...textOf(refused).matchAll(/\.([a-z][a-z0-9]{1,4})\b/gi)].map(([, ending = '']) =>
    ending.toLowerCase(),
  )
  const others = [...new Set([...endings, ...named])].filter((ending) => ending.toLowerCase() !== own)
  if (others.length === 0) return 'alone'
  for (const ending of others.slice(0, MOST_ENDINGS))
    for (const byte of NULLS) {
      const ask = (path: string): Promise<Asked> => askBehind(ctx, url, path, byte, ending)
      const first = await ask(pathname)
      if (first.body === null) continue
      const second = await ask(pathname)
      const missing = await ask(pathname.replace(/[^/]*$/, `q${randomBytes(5).toString('hex')}.${own}`))
      if (second.body !== first.body || missing.body === first.body) continue
      return { url, endings: [ending], files: [first, second], excerpt: first.body.slice(0, LONGEST_EXCERPT) }
    }
  return null
}

interface Asked {
  readonly target: string
  readonly replay: string
  /** Null where nothing was handed out. */
  readonly body: string | null
}

/** Another word each time stands between the null byte and the ending. */
const askBehind = async (
  ctx: CollectContext,
  url: string,
  path: string,
  byte: (typeof NULLS)[number],
  ending: string,
): Promise<Asked> => {
  const target = `${path}${byte}q${randomBytes(3).toString('hex')}.${ending}`
  const exchange = await get(ctx, url, target)
  const body = exchange?.status === 200 ? exchange.body.toString('latin1') : ''
  const replay = `curl -isk --path-as-is ${shellQuoted(`${new URL(url).origin}${target}`)}`
  return { target, replay, body: body === '' ? null : body }
}

const get = async (ctx: CollectContext, url: string, target: string): Promise<HttpExchange | null> => {
  try {
    return await ctx.egress.http({ url, target, maxBody: MAX_BODY })
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return null
  }
}
