import type { FeedId } from '../feed.ts'
import { type FeedFile, parseJson } from '../files.ts'
import type { Item } from '../items.ts'
import { parseCookies } from './cookies.ts'
import { parseCtLogs } from './ct-logs.ts'
import { parseDebian } from './debian.ts'
import { parseRedHat, parseUbuntu } from './distribution.ts'
import { parseEndOfLife } from './endoflife.ts'
import { parseEpss } from './epss.ts'
import { parseHstsPreload } from './hsts-preload.ts'
import { parseKev } from './kev.ts'
import { parseRetire } from './retire.ts'

const PARSERS: Readonly<Partial<Record<FeedId, (text: string, file: string) => Iterable<Item>>>> = {
  kev: (text, file) => parseKev(parseJson(text, file), file),
  epss: parseEpss,
  debian: (text, file) => parseDebian(parseJson(text, file), file),
  ubuntu: (text, file) => parseUbuntu(parseJson(text, file), file),
  redhat: (text, file) => parseRedHat(parseJson(text, file), file),
  retire: (text, file) => parseRetire(parseJson(text, file), file),
  'ct-logs': (text, file) => parseCtLogs(parseJson(text, file), file),
  endoflife: parseEndOfLife,
  'hsts-preload': parseHstsPreload,
  cookies: (text, file) => parseCookies(parseJson(text, file), file),
}

/** @throws FeedError */
export function* readItems(feed: FeedId, files: readonly FeedFile[]): Generator<Item> {
  const parse = PARSERS[feed]
  if (parse === undefined) throw new Error(`${feed} is no feed of single items`)
  for (const file of files) yield* parse(file.text(), file.name)
}
