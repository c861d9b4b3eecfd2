/**
 * Folders that no page names, and what lies in them (CWE-538, CWE-548; WSTG-CONF-04): a server says of a folder that it has by another answer than for
 * one that nobody has. Only within those it has is asked for files, by the names that lie there and by those that its own list shows.
 */
import { posix } from 'node:path'
import type { HttpExchange } from '../../../egress/door/egress.ts'
import { readHtml } from '../../../page/html.ts'
import { isListing } from '../../../page/listing.ts'
import { likeness } from '../../../page/similarity.ts'
import { textOf } from '../../../page/text.ts'
import { harmOfAddress } from '../../../safety/safety.ts'
import type { ExposureKind } from './definitions.ts'
import { type ExposedFile, exposedFiles, urlsOf } from './files.ts'

const named = (names: readonly string[], kinds: readonly ExposureKind[]): Record<string, readonly ExposureKind[]> =>
  Object.fromEntries(names.map((name) => [name, kinds]))

/** What people put beside a site, and for which kinds of files; of others only what they list. */
const NAMES: Readonly<Record<string, readonly ExposureKind[]>> = {
  ...named(
    ['backup', 'backups', 'bak', 'old', 'archive', 'archives', 'export', 'exports', 'dump', 'dumps', 'tmp', 'temp'],
    ['database-dump', 'site-archive', 'source-code'],
  ),
  ...named(['db', 'database', 'databases', 'sql', 'mysql', 'sqlite', 'data', 'storage', 'var'], ['database-dump']),
  ...named(['log', 'logs', 'debug'], ['log-file']),
  ...named(
    ['config', 'conf', 'configuration', 'settings', 'inc', 'include', 'includes'],
    ['source-code', 'credentials'],
  ),
  ...named(['private', 'secret', 'secrets', 'keys', 'ssl', 'cert', 'certs'], ['private-key', 'credentials']),
  ...named(['test', 'dev', 'files', 'file', 'ftp', 'pub', 'docs', 'documents', 'download', 'downloads'], []),
  ...named(['upload', 'uploads', 'media', 'images', 'img', 'assets', 'static', 'public', 'content', 'reports'], []),
  ...named(['src', 'source', 'scripts', 'lib', 'vendor', 'node_modules', 'attachments', 'invoices', 'share'], []),
}

/** Of robots.txt, which names folders of its own. */
const MOST_NAMED = 12
const MOST_SILENT = 6
const AT_ONCE = 6
/** Of all lists together: what a site lists is no reason to ask it for everything. */
const MOST_LISTED = 120
const MOST_BELOW = 6
/** As much of a page as this is the same page. */
const SAME = 0.95

export interface Question {
  readonly file: ExposedFile
  readonly url: string
}

interface Asking {
  readonly origin: string
  readonly host: string
  /** As nobody; null where nothing was answered, or the firewall did. */
  readonly get: (url: string) => Promise<HttpExchange | null>
  /** A name that nobody has. */
  readonly nobodys: string
}

interface Within {
  readonly questions: readonly Question[]
  /** `unanswered`: nothing tells which folders there are; `many`: there are more than are looked into. Null where all were. */
  readonly left: 'unanswered' | 'many' | null
}

/** What to ask for in folders that the server has. */
export const questionsWithin = async (asking: Asking): Promise<Within> => {
  const { origin, host, get, nobodys } = asking
  const control = await get(`${origin}/${nobodys}/`)
  if (control === null) return { questions: [], left: 'unanswered' }
  const folders = await candidates(asking)
  const answers = await inTurns([...folders.keys()], async (url) => ({ url, answer: await get(url) }))
  const there = answers.flatMap(({ url, answer }) =>
    answer !== null && isThere(answer, control) ? [{ url, answer }] : [],
  )
  const lost = answers.filter(({ answer }) => answer === null).length
  const listed = await inTurns(there, ({ url, answer }) => listedIn(url, answer, get))
  // What shows no list of its files may be no folder but a page.
  const silent = there.filter(({ url }, at) => listed[at]?.files.length === 0 && (folders.get(url) ?? []).length > 0)
  const files = listed.flatMap((one) => one.files)
  return {
    questions: [
      ...files.slice(0, MOST_LISTED),
      ...silent.slice(0, MOST_SILENT).flatMap(({ url }) => usualIn(url, folders.get(url) ?? [], host)),
    ],
    left:
      2 * lost > answers.length
        ? 'unanswered'
        : silent.length > MOST_SILENT || files.length > MOST_LISTED || listed.some(({ isCut }) => isCut)
          ? 'many'
          : null,
  }
}

const inTurns = async <Of, Value>(all: readonly Of[], one: (of: Of) => Promise<Value>): Promise<readonly Value[]> => {
  const values: Value[] = []
  for (let at = 0; at < all.length; at += AT_ONCE)
    values.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(one))))
  return values
}

const candidates = async ({ origin, get }: Asking): Promise<ReadonlyMap<string, readonly ExposureKind[]>> => {
  const robots = await get(`${origin}/robots.txt`)
  const named = robots?.status === 200 ? foldersIn(textOf(robots), origin) : []
  const usual = Object.entries(NAMES).map(([name, kinds]) => [`${origin}/${name}/`, kinds] as const)
  return new Map(
    [...usual, ...named.map((url) => [url, kindsOf(posix.basename(url))] as const)].filter(
      ([url]) => harmOfAddress(url) === null,
    ),
  )
}

/** A robots.txt may name anything, `constructor` too. */
const kindsOf = (name: string): readonly ExposureKind[] => (Object.hasOwn(NAMES, name) ? (NAMES[name] ?? []) : [])

/** RFC 9309: paths without patterns that a robots.txt asks others to leave alone; an owner who scans his site does not. */
const foldersIn = (robots: string, origin: string): readonly string[] =>
  [...robots.slice(0, 20_000).matchAll(/^[ \t]*disallow[ \t]*:[ \t]*(\/[\w./-]{1,100}?)\/?[ \t]*\r?$/gim)]
    .flatMap(([, path = '']) => (/\.\w{1,5}$|\/\/|\.\./.test(path) ? [] : [`${origin}${path}/`]))
    .slice(0, MOST_NAMED)

/** It answers otherwise than for a folder that nobody has. */
const isThere = (answer: HttpExchange, control: HttpExchange): boolean => {
  const { status } = answer
  if (status >= 500 || [400, 404, 405, 406, 410, 429].includes(status)) return false
  if (status !== control.status) return true
  return status === 200 && likeness(textOf(control), textOf(answer)) < SAME
}

/** Files that a list of the folder names and whose endings may be proven, in it and one folder below. */
const listedIn = async (
  url: string,
  answer: HttpExchange,
  get: Asking['get'],
): Promise<{ readonly files: readonly Question[]; readonly isCut: boolean }> => {
  const { files, folders } = entriesOf(url, answer)
  for (const folder of folders.slice(0, MOST_BELOW)) {
    const below = await get(folder)
    if (below !== null) files.push(...entriesOf(folder, below).files)
  }
  const questions = files.flatMap((one) => readableAs(one).map((file) => ({ file, url: one })))
  return { files: questions, isCut: folders.length > MOST_BELOW }
}

const entriesOf = (url: string, answer: HttpExchange): { readonly files: string[]; readonly folders: string[] } => {
  const body = textOf(answer)
  if (answer.status !== 200 || !isListing(body, url)) return { files: [], folders: [] }
  const within = readHtml(body, url).links.flatMap(({ url: to }) =>
    to?.startsWith(url) && /^[^/?#]+\/?$/.test(to.slice(url.length)) && harmOfAddress(to) === null ? [to] : [],
  )
  const entries = [...new Set(within)]
  return {
    files: entries.filter((one) => !one.endsWith('/') && readableAs(one).length > 0),
    folders: entries.filter((one) => one.endsWith('/')),
  }
}

/** Kinds whose files prove by themselves what they are, whatever they are called. */
export const IN_FOLDERS: readonly ExposureKind[] = [
  ...(['database-dump', 'private-key', 'log-file', 'source-code', 'credentials', 'site-archive'] as const),
]
/** What is called so is no text of an interface with the word "password" in it. */
const SETTINGS = /conf|setting|secret|credential|htpasswd|\benv\b/i
/** An archive may be what the site offers; one of these is a copy of it. */
const COPY = /back-?up|bak|dump|snapshot|(?:^|[._-])(?:db|database|site|www|web|htdocs|public_html|old|full)(?=[._-])/i

/** What a file may be by the ending of its name. */
const readableAs = (url: string): readonly ExposedFile[] => {
  const name = posix.basename(new URL(url).pathname).toLowerCase()
  return exposedFiles().filter(
    (file) =>
      IN_FOLDERS.includes(file.kind) &&
      file.step.paths.some((path) => endingOf(path) !== null && name.endsWith(endingOf(path) ?? '')) &&
      (file.kind !== 'site-archive' || COPY.test(name)) &&
      (file.kind !== 'credentials' || SETTINGS.test(name)),
  )
}

/** `.sql.gz`; null of names that have none, and of what servers run. */
const endingOf = (path: string): string | null => {
  const ending = /[^/.}](\.[a-z~][a-z\d.]{0,12}~?)$/i.exec(posix.basename(path))?.[1] ?? null
  return ending === null || /^\.(?:php|py|rb|jsp|aspx?|js|html?)$/.test(ending) ? null : ending
}

/** By the names that such files have in the root of a site. */
const usualIn = (folder: string, kinds: readonly ExposureKind[], host: string): readonly Question[] =>
  exposedFiles()
    .filter(({ kind }) => kinds.includes(kind))
    .flatMap((file) =>
      urlsOf(file, new URL(new URL(folder).origin), host).flatMap((one) => {
        const { pathname } = new URL(one)
        const name = pathname.slice(1)
        return name === '' || name.includes('/') || name.startsWith('.') ? [] : [{ file, url: `${folder}${name}` }]
      }),
    )
