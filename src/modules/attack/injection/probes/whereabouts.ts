/** Where a site keeps what it was given: addresses that its answer and its pages name since, and folders that files stand in. */
import { readHtml } from '../../../../page/html.ts'
import { singular } from '../../../../page/names.ts'
import { mayShow } from '../../../../page/shape.ts'
import { harmOfAddress } from '../../../../safety/safety.ts'
import type { CollectContext } from '../../../module.ts'
import { pageAt } from '../../insertion-points/elsewhere.ts'
import type { ProbeRequest } from '../../insertion-points/inventory.ts'
import type { Reply } from '../../insertion-points/prober.ts'
import { FOLDERS } from '../uploads.ts'

const MOST_PAGES = 4
const MOST_NAMED = 8
/** Of what pages name since, whatever it is called: the last first, as lists begin or end with it. */
const MOST_NEW = 8
const MOST_FOLDERS = 6

export interface Whereabouts {
  /** Addresses that a file of that name, sent with this answer, may have, the likeliest first. */
  readonly of: (file: string, reply: Reply) => Promise<readonly string[]>
  /**
   * A file of ours lay there: what has one name for each account, as a portrait has, puts the next one in its place. Its folder is opened once: whether
   * it is listed is judged with all answers of the run.
   */
  readonly held: (url: string) => Promise<void>
}

/** Looks at the pages of the form as they are before anything is sent. `field`: what the form calls the file. */
export const whereabouts = async (
  ctx: Pick<CollectContext, 'egress'>,
  { url, seenOn, shownOn = [] }: ProbeRequest,
  field = '',
): Promise<Whereabouts> => {
  const { host } = new URL(url)
  const pages = [...new Set([...shownOn, ...seenOn.filter(mayShow), url])].slice(0, MOST_PAGES)
  const mayAsk = (address: string): boolean =>
    URL.parse(address)?.host === host && harmOfAddress(address) === null && !ctx.egress.excludes(address)
  const known = new Set<string>()
  const folders = new Set<string>()
  const look = async (addresses: readonly string[]): Promise<readonly string[]> => {
    const texts = await Promise.all(
      addresses.filter(mayAsk).map(async (page) => ({ page, text: (await pageAt(ctx, page)).text })),
    )
    return texts.flatMap(({ page, text }) => read(text, page))
  }
  /** What it names; files among it tell of folders. */
  const read = (text: string, base: string): readonly string[] => {
    const named = addressesIn(text, base).filter(mayAsk)
    for (const one of named) if (/\.\w{2,5}$/.test(new URL(one).pathname)) folders.add(new URL('.', one).href)
    return named
  }
  for (const address of await look(pages)) known.add(address)
  const places: string[] = []
  const opened = new Set<string>()
  return {
    held: async (place) => {
      if (!places.includes(place) && places.length < MOST_NAMED) places.push(place)
      const folder = new URL('.', place).href
      if (opened.has(folder) || new URL(place).search !== '' || !mayAsk(folder)) return
      opened.add(folder)
      await pageAt(ctx, folder)
    },
    of: async (file, reply) => {
      const next = reply.location === '' ? null : URL.parse(reply.location, url)
      const around = [...new Set([...(next ? [next.href.split('#')[0] ?? ''] : []), ...pages])]
      const all = [...read(reply.text, url), ...(await look(around))]
      const fresh = [...new Set(all)].filter((address) => !known.has(address))
      for (const address of fresh) known.add(address)
      const named = fresh.filter((address) => address.includes(file))
      const told = pathsOf(reply.text, file).flatMap((path) => [path, `/${path.replace(/^\/+/, '')}`])
      const ends = [...fresh.slice(0, MOST_NEW / 2), ...fresh.slice(MOST_NEW / 2).slice(-MOST_NEW / 2)]
      const stored = storedAs(named, file)
      const likely = [...[...folders].slice(-MOST_FOLDERS), ...foldersCalled([field, ...stored.words]), ...FOLDERS]
      const guessed = likely.flatMap((folder) => stored.names.map((name) => `${folder}${name}`))
      const whole = [...told, ...guessed].flatMap((path) => URL.parse(path, url)?.href ?? [])
      return [...new Set([...places, ...named.slice(0, MOST_NAMED), ...ends, ...whole])].filter(mayAsk)
    },
  }
}

/**
 * What the file is called now, where an address that hands it out tells: `?page=attachment&file=17_name.txt`. `words`: by which that address is
 * called, and so perhaps the folder.
 */
const storedAs = (
  named: readonly string[],
  file: string,
): { readonly names: readonly string[]; readonly words: readonly string[] } => {
  const pairs = named.flatMap((address) => [...new URL(address).searchParams])
  const names = pairs.flatMap(([, value]) => (value.endsWith(file) ? (/[\w.-]+$/.exec(value)?.[0] ?? []) : []))
  const words = names.length === 0 ? [] : pairs.filter(([, value]) => !value.endsWith(file)).map(([, value]) => value)
  return { names: names.length === 0 ? [file] : [...new Set(names)].slice(0, 1), words }
}

const MOST_CALLED = 2

/** Of many a word: `attachments/` of attachment. */
const foldersCalled = (words: readonly string[]): readonly string[] =>
  [...new Set(words.filter((word) => /^[a-z]{3,20}$/i.test(word)).map((word) => singular(word.toLowerCase())))]
    .slice(0, MOST_CALLED)
    .flatMap((word) => [`${word}s/`, `${word}/`])

/** Paths around a name, wherever a text has it. */
const pathsOf = (text: string, file: string): readonly string[] => {
  const named = [...text.matchAll(new RegExp(`[\\w./:%~-]*${file.replaceAll('.', '\\.')}`, 'g'))]
  return [...new Set(named.map(([path]) => path))].filter((path) => path.includes('/')).slice(0, MOST_NAMED)
}

/** What the page leads to and shows, and paths in its scripts and data. */
const addressesIn = (text: string, base: string): readonly string[] => {
  const attributes = [...text.matchAll(/\s(?:src|href|data|data-src|poster|content)\s*=\s*["']?([^"'\s<>]{2,500})/gi)]
  const quoted = [...text.matchAll(/["'(]((?:https?:\/)?\/?[\w.%~-]*\/[\w./%~-]{2,300})["')]/g)]
  const written = [...attributes, ...quoted].map(([, path = '']) =>
    path.replaceAll('&amp;', '&').replaceAll('\\/', '/'),
  )
  const links = readHtml(text, base).links.flatMap(({ url }) => url ?? [])
  return [...new Set([...links, ...written].flatMap((path) => URL.parse(path, base)?.href.split('#')[0] ?? []))]
}
