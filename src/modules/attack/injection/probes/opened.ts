/**
 * A name in a folder that does not exist: the error of the system tells where the program looked for it, and whether `../` in front leads out of there
 * (CWE-22, CWE-209). Nothing is read, and nothing written, as there is no such folder.
 */
import { randomBytes } from 'node:crypto'
import { withoutEntities } from '../../../../page/entities.ts'
import { type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { around } from '../../insertion-points/verdict.ts'
import type { OpenedHit } from '../facts.ts'
import { namesFile } from './files.ts'

/** As POSIX and Windows say it (ENOENT, ERROR_PATH_NOT_FOUND), and the libraries of Java, .NET and PHP. */
const NOT_THERE =
  /ENOENT|ENOTDIR|no such file or directory|cannot find the (?:path|file)|NoSuchFileException|FileNotFound|could not find a part of the path/i
/** Characters of an answer on either side of the path that speak of it. */
const NEAR = 300
/** What names of files are called where no word for files stands in it, beside what is to be in the file: others are names of people and things. */
const CALLED = /^(?:name|title|key|target|dest|destination|output)$/i
const CONTENTS = /\b(?:contents?|data|bytes|base64|source)\b["=]/i

/** Of the place what it is sent and where that was looked for. */
type Opened = OpenedHit['names'][number]

export const openedFileWays = (probe: Probe): readonly (() => Promise<OpenedHit | null>)[] => {
  const { place, name, value, members, request } = probe.point
  const called = place === 'json' ? (name.split('/').at(-1) ?? '') : name
  const isBeside = CALLED.test(called) && CONTENTS.test(request.body ?? '')
  const mayBe = place === 'file-name' || namesFile(called) || isBeside || /^[\w-]+\.\w{2,5}$/.test(value)
  return members || place === 'file' || !mayBe ? [] : [() => askOpened(probe)]
}

const askOpened = async (probe: Probe): Promise<OpenedHit | null> => {
  const own = await ask(probe, 0)
  if (own === null || own.folder === '') return null
  probe.pursue()
  const names: Opened[] = []
  for (const levels of [1, 2]) {
    const climbed = await ask(probe, levels)
    if (climbed === null || !isOutside(climbed.folder, own.folder, levels)) return null
    names.push(climbed.opened)
  }
  return {
    ...{ kind: 'traversal', proof: 'opened', flavour: '../, told by the error of the system' },
    ...{ folder: own.folder, names },
  }
}

interface Told {
  /** In which the name was looked for, with its last slash. */
  readonly folder: string
  readonly opened: Opened
}

const ask = async (probe: Probe, levels: number): Promise<Told | null> => {
  const [dir, file] = [`qv${randomBytes(4).toString('hex')}`, `${randomBytes(3).toString('hex')}.txt`]
  const sent = `${'../'.repeat(levels)}${dir}/${file}`
  const reply = await sendOrNull(probe, sent)
  if (reply === null) return null
  const text = withoutEntities(reply.text).replaceAll('\\\\', '\\').replaceAll('\\/', '/')
  const found = new RegExp(`((?:[A-Za-z]:)?[^\\s'"<>|*?()\\[\\]{}]*)${dir}[\\\\/]${file}`).exec(text)
  if (found === null) return null
  const [path, folder = ''] = found
  if (!NOT_THERE.test(text.slice(Math.max(0, found.index - NEAR), found.index + path.length + NEAR))) return null
  return {
    folder: folder.replaceAll('\\', '/'),
    opened: { payload: sent, path, excerpt: around(text, path), replay: reply.replay },
  }
}

const sendOrNull = async (probe: Probe, value: string): Promise<Reply | null> => {
  try {
    return await probe.send(value)
  } catch (error) {
    if (error instanceof Unsendable) return null
    throw error
  }
}

/** Resolved it is a folder above; as it was put together the way out stands in it still, and the system was asked for that. */
const isOutside = (folder: string, own: string, levels: number): boolean => {
  const kept = own.split('/').slice(0, -1)
  const above = kept.length > levels ? `${kept.slice(0, -levels).join('/')}/` : '/'
  return folder === above || folder === `${own}${'../'.repeat(levels)}`
}
