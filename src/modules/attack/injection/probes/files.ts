/** Asks for two files of the kernel that everyone may read, by the ways that lead out of a folder, and for one that does not exist. */
import type { HttpRequest } from '../../../../egress/door/egress.ts'
import { withoutEntities } from '../../../../page/entities.ts'
import { wordsApart } from '../../../../page/names.ts'
import { mayHandOutFiles, mayWriteFiles } from '../../../../safety/effect.ts'
import { encodeValue } from '../../insertion-points/body.ts'
import { identical, moves, noiseOf } from '../../insertion-points/likeness.ts'
import { type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { around } from '../../insertion-points/verdict.ts'
import { controlValue } from '../../insertion-points/word.ts'
import type { FileHit } from '../facts.ts'
import { BY_LENGTH, FILES, FOLDERS, type Landmark, NO_FILE, NO_FOLDER, noneIn, PATHS, SIZED } from '../paths.ts'
import type { SiteFiles } from '../site-files.ts'
import { type Said, saidTo } from './shown-elsewhere.ts'

type Way = () => Promise<FileHit | null>

/** Anywhere in a name, or where a word of it begins: `profile`, `review` and `thread` speak of none. */
const FILE_NAMES =
  /(?<!pro)file|path|page|templ|incl|folder|image|theme|attach|report|module|(?<![a-z])(?:doc|lang|dir|img|src|load|read|view|style|down)/i
export const namesFile = (name: string): boolean => FILE_NAMES.test(wordsApart(name))

/** So many of PATHS are gone everywhere; they are its first. */
export const FIRST_PATHS = PATHS.filter(({ tried }) => tried === 'always').length

/** Of the ways, those to a folder: what lists one seldom takes addresses. */
const FOLDER_WAYS: ReadonlySet<string> = new Set(['/../', 'path from the root'])
/** Where an address stood; what reads a file by its address may have to know how long it is, and lists a folder all the same. */
const FILE_ADDRESS = 'file address'
/** Those to a name that is not there in a folder. */
const NONE_WAYS: ReadonlySet<string> = new Set(['/../', '../ with encoded dots'])

/** Whose page is a file that is no document: its name, or what it is found by, stands somewhere. */
const handers = new WeakSet<Probe>()
const HANDED_OUT = /^(?:image|audio|video|font)\/|^application\/(?:pdf|zip|octet-stream|msword|vnd\.)/

/** Whose words tell that they keep what they are sent, and which have shown to read. */
const readers = new WeakSet<Probe>()

/** A place whose words tell that it keeps what it is sent gets no name of a file. */
export const takesPaths = (probe: Probe): boolean =>
  readers.has(probe) ||
  (probe.point.members ?? [probe.point]).every(
    ({ name }) => !mayWriteFiles({ effect: 'reads', url: probe.request.url }, name),
  )

/** Where a number is no name of a file. */
const counters = new WeakSet<Probe>()
const NUMBER = /^\d+$/

/**
 * The words for files are those for pages of a list, too. A path that begins in its own folder leads to the same file, and is no
 * number: where the page is another for it, and the value matters, the number counts.
 */
const isCounter = async (probe: Probe): Promise<boolean> => {
  const { request, point } = probe
  if (request.bound !== undefined || point.members || !NUMBER.test(point.value) || !namesFile(point.name)) return false
  const baseline = await probe.baseline()
  if (!moves(await probe.control(), baseline, [point.value])) return false
  return moves(await probe.send(`./${point.value}`), baseline, [point.value])
}

/** Some of those words are said of what hands files out, too: such a place takes names once it has shown to read. */
export const learnPaths = async (probe: Probe): Promise<boolean> => {
  const { request, point } = probe
  const asks =
    !takesPaths(probe) && !point.members && request.effect === 'reads' && mayHandOutFiles(request, point.name)
  if (asks && (await hasShownToRead(probe))) readers.add(probe)
  if (takesPaths(probe) && (await isCounter(probe))) counters.add(probe)
  if (request.method === 'GET' && HANDED_OUT.test((await probe.baseline())[0].contentType)) handers.add(probe)
  return takesPaths(probe)
}

/**
 * The page shows something for the name that is there, and for one that is not it shows the same other thing again: what
 * writes to the name it is given would have made the second by then.
 */
export const hasShownToRead = async (probe: Probe): Promise<boolean> => {
  const { value } = probe.point
  const baseline = await probe.baseline()
  const missing = await probe.control()
  if (value === '' || !moves(missing, baseline, [value])) return false
  return identical(await probe.send(controlValue(value)), missing, noiseOf(baseline))
}

const MAILBOX = /^[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}$/

/** A full stop, as sentences end, is no part of a name. */
export const NAMES_PATH = /[/\\]|\.[\w.]|^\.$/

/** The value or the name speaks of files, or the name does so elsewhere on the site. */
export const speaksOfFiles = (probe: Probe, site?: SiteFiles): boolean => {
  const { value, name, members, request } = probe.point
  // Where few may be sent, none of them asks a mailbox for files.
  const isMailbox = request.bound !== undefined && MAILBOX.test(value)
  if ((NAMES_PATH.test(value) && !isMailbox) || site?.namesFiles(name) === true || handers.has(probe)) return true
  // Of several as one nobody has asked which of them count: a number does, where a list has pages.
  if (members) return members.some((one) => namesFile(one.name) && !/^-?\d+$/.test(one.value))
  // Where few may be sent, nobody has asked that either.
  return namesFile(name) && !counters.has(probe) && (request.bound === undefined || !NUMBER.test(value))
}

/** The first FIRST_PATHS of them anywhere, the others only where something speaks of files. */
export const pathWays = (probe: Probe, site?: SiteFiles): readonly Way[] => {
  const { value, members, place } = probe.point
  // What a file holds names none, and what it is called is a name to write to.
  if (!takesPaths(probe) || place === 'file' || place === 'file-name') return []
  const deep = speaksOfFiles(probe, site)
  const tried = deep ? (members ? ['always', 'deep'] : ['always', 'deep', 'apart']) : ['always']
  const ways = PATHS.filter((one) => tried.includes(one.tried) && (!one.encoded || place === 'query'))
  const apart = deep && !members ? ways : []
  const ended = (path: string): string => (value.endsWith('/') ? `${path}/` : path)
  const send =
    ({ with: at, encoded }: (typeof PATHS)[number], within = (path: string): string => path) =>
    (path: string): Promise<Reply> => {
      const way = at(value, within(path))
      return encoded ? probe.send(way, { change: (request) => withDotsEncoded(request, way) }) : probe.send(way)
    }
  return [
    ...ways.map((way) => () => askWay('traversal', way.flavour, probe, FILES, NO_FILE, send(way))),
    // What joins names with the folder that it is given needs the slash that stood there.
    ...apart
      .filter(({ flavour }) => FOLDER_WAYS.has(flavour) || (flavour === FILE_ADDRESS && /^https?:\/\//i.test(value)))
      .map((way) => () => askWay('traversal', `${way.flavour}, a folder`, probe, FOLDERS, NO_FOLDER, send(way, ended))),
    ...apart
      .filter(({ flavour }) => NONE_WAYS.has(flavour))
      .map((way) => () => {
        const flavour = `${way.flavour}, a name that is not there`
        return askWay('traversal', flavour, probe, FOLDERS, NO_FOLDER, send(way, noneIn))
      }),
  ]
}

const withDotsEncoded = (request: HttpRequest, way: string): HttpRequest => {
  const written = encodeValue(way)
  if (!request.url.includes(written)) throw new Unsendable('its query does not hold the way as it is written')
  return { ...request, url: request.url.replace(written, () => written.replaceAll('.', '%2E')) }
}

/** Ways out of the folder of a document that its path names: what hands it out decodes the slashes in its name. */
const OF_DOCUMENTS: ReadonlySet<string> = new Set([
  '/../',
  '../',
  '….//, for filters that cut once',
  '../ encoded twice',
  '../, its ending behind a null byte',
])

/** For a document in a path, whose other names are answered by no page at all. */
export const namedPathWays = (probe: Probe): readonly Way[] =>
  PATHS.filter(({ flavour }) => OF_DOCUMENTS.has(flavour)).map(
    (way) => () =>
      askWay('traversal', way.flavour, probe, FILES, NO_FILE, (path) => probe.send(way.with(probe.point.value, path))),
  )

/**
 * `none` is a path beside the first that leads to nothing. What is opened when another page is drawn shows there. Null where the place cannot hold the way. Where the first is answered with
 * success and nothing, as what sends by the length of a file answers, it is asked on by a file that has one.
 */
export const askWay = async (
  kind: FileHit['kind'],
  flavour: string,
  probe: Probe,
  landmarks: readonly Landmark[],
  none: string,
  ask: (path: string) => Promise<Reply>,
): Promise<FileHit | null> => {
  const usual = unpacked((await probe.baseline())[0].text)
  const tells = (shows: RegExp, { text, before }: Said): boolean =>
    timesIn(unpacked(text), shows) > timesIn(before === undefined ? usual : unpacked(before), shows)
  let isPacked = false
  const files: FileHit['files'][number][] = []
  const pages = new Set<string>()
  for (const { path, shows } of landmarks) {
    let sent: Awaited<ReturnType<typeof saidTo>>
    try {
      sent = await saidTo(probe, () => ask(path))
    } catch (error) {
      if (error instanceof Unsendable) return null
      throw error
    }
    const { reply, said } = sent
    const telling = said.find((one) => tells(shows, one))
    if (!telling && path === FILES[0]?.path && (await hasNoLength(probe, reply)))
      return askWay(kind, `${flavour}${BY_LENGTH}`, probe, [SIZED, SIZED], SIZED.none, ask)
    const text = unpacked(telling?.text ?? '')
    const mark = shows.exec(text)?.[0]
    if (telling === undefined || mark === undefined) return null
    isPacked ||= !shows.test(readable(telling.text))
    probe.pursue()
    const [seen, excerpt] = [printable(mark), printable(around(text, mark, 120))]
    files.push({ path, mark: seen, payload: reply.value, excerpt, replay: telling.replay })
    if (telling.page !== undefined) pages.add(telling.page)
  }
  const { said } = await saidTo(probe, () => ask(none))
  const controlShows = landmarks.some(({ shows }) => said.some((one) => tells(shows, one)))
  const by = `${pages.size === 0 ? '' : `, shown by ${[...pages].join(' and ')}`}${isPacked ? ', in base64' : ''}`
  return { kind, proof: 'file', flavour: `${flavour}${by}`, files, controlShows }
}

/** A list of what was stored shows older values, too. */
const timesIn = (text: string, shows: RegExp): number =>
  [...text.matchAll(new RegExp(shows.source, `${shows.flags}g`))].length

const isNothing = ({ status, text }: Reply): boolean => status >= 200 && status < 300 && text === ''

/** Nothing, with success, where neither its own value nor one that names no file is answered so. */
const hasNoLength = async (probe: Probe, reply: Reply): Promise<boolean> =>
  isNothing(reply) && !isNothing((await probe.baseline())[0]) && !isNothing(await probe.control())

/** Octets that are no text as a point each, as no report holds them. */
export const printable = (text: string): string => text.replace(/(?![\n\r\t])[\p{Cc}\ufffd]/gu, '.')

/** Longer than most words. */
const BASE64 = /[A-Za-z0-9+/_-]{32,20000}/g

/** As a person reads it, with what stands in base64 decoded where it is text: interfaces hand out files so. */
const unpacked = (text: string): string =>
  readable(text).replace(BASE64, (packed) => {
    const plain = Buffer.from(packed, 'base64').toString('utf8')
    return /^[\t\r\n\x20-\x7e]{20}/.test(plain) ? plain : packed
  })

/** As a person reads it: references to characters and escapes of JSON resolved, spaces that do not break as spaces. */
export const readable = (text: string): string =>
  withoutEntities(/^\s*[[{"]/.test(text) ? withoutEscapes(text) : text).replaceAll('\u00a0', ' ')

const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** What stands in the texts of JSON (RFC 8259, 7). */
const withoutEscapes = (text: string): string =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|([^u]))/g, (_, hex, char) =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (ESCAPED[char] ?? char),
  )
