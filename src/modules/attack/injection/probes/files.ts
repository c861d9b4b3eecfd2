/** Asks for two files of the kernel that everyone may read, by the ways that lead out of a folder, and for one that does not exist. */
import { mayWriteFiles } from '../../../../safety/effect.ts'
import { type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { around } from '../../insertion-points/verdict.ts'
import type { FileHit } from '../facts.ts'
import { FILES, NO_FILE, PATHS, withEntity } from '../payloads.ts'

const FILE_NAMES =
  /file|path|page|templ|doc|incl|lang|dir|folder|img|image|src|load|read|view|theme|style|down|attach|report|module/i

/** A value that names a file does not go where a file may be written. */
export const takesPaths = ({ request, point }: Probe): boolean =>
  (point.members ?? [point]).every(({ name }) => !mayWriteFiles(request, name))

export const pathWays = (probe: Probe): readonly (() => Promise<FileHit | null>)[] => {
  if (!takesPaths(probe)) return []
  const { value, name, members } = probe.point
  const deep = /[./\\]/.test(value) || FILE_NAMES.test(name)
  const tried = deep ? (members ? ['always', 'deep'] : ['always', 'deep', 'apart']) : ['always']
  return PATHS.filter((one) => tried.includes(one.tried)).map(
    (way) => () => askWay('traversal', way.flavour, probe, (path) => probe.send(way.with(value, path))),
  )
}

/** What an entity names is opened by the parser, and only to be read, whatever becomes of the document. */
export const askEntities = async (probe: Probe): Promise<FileHit | null> => {
  if (probe.point.place !== 'xml') return null
  return askWay('xxe', 'external entity', probe, (path) =>
    probe.send('QENTITYQ', {
      change: (request) => ({ ...request, body: withEntity(String(request.body), path).replace('QENTITYQ', '&q;') }),
    }),
  )
}

const askWay = async (
  kind: FileHit['kind'],
  flavour: string,
  probe: Probe,
  ask: (path: string) => Promise<Reply>,
): Promise<FileHit | null> => {
  const usual = (await probe.baseline())[0].text
  const files: FileHit['files'][number][] = []
  for (const { path, shows } of FILES) {
    let reply: Reply
    try {
      reply = await ask(path)
    } catch (error) {
      if (error instanceof Unsendable) return null // The place cannot hold this way.
      throw error
    }
    const mark = shows.exec(reply.text)?.[0]
    if (mark === undefined || shows.test(usual)) return null
    files.push({ path, mark, payload: reply.value, excerpt: around(reply.text, mark, 120), replay: reply.replay })
  }
  const control = await ask(NO_FILE)
  return { kind, proof: 'file', flavour, files, controlShows: FILES.some(({ shows }) => shows.test(control.text)) }
}
