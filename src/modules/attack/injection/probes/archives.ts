/**
 * Gives fields for files an archive whose entries climb out of the folder that it is taken apart in, and looks for each where one in
 * the folder would lie and above: what comes out beside nothing of the archive's own was written outside (CWE-22, "zip slip"). On test
 * systems alone, as the files stay; what they hold is a word.
 */
import type { CollectContext } from '../../../module.ts'
import { newFileName } from '../../../own-files.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { Blocked, type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { placeOf } from '../../insertion-points/records.ts'
import { uploadedBytes } from '../documents.ts'
import type { ArchiveFacts, ArchiveHit } from '../facts.ts'
import { zipOf } from '../office.ts'
import { entryOf, folderTold, isAbove, isTurnedDown, LEVELS, type Level, lookFor, pathOf } from './climbing.ts'
import { type Whereabouts, whereabouts } from './whereabouts.ts'

const MOST_FIELDS = 10
type Escaped = ArchiveHit['entries'][number]

export const askArchives = async (
  ctx: CollectContext,
  points: readonly ProbePoint[],
  at: (point: ProbePoint) => Probe,
  isOver: () => boolean = () => false,
): Promise<ArchiveFacts> => {
  const fields = points.filter(({ place }) => place === 'file')
  const asked = ctx.target.environment === 'test' ? fields.slice(0, MOST_FIELDS) : []
  const hits: ArchiveHit[] = []
  let [told, done] = [0, 0]
  for (const point of asked) {
    ctx.signal.throwIfAborted()
    if (isOver()) break
    done += 1
    const probe = at(point)
    const where = await whereabouts(ctx, probe.request)
    const all = await sendArchive(ctx, probe, where, LEVELS)
    // Where the application may not write that far up, the first such entry ends the work.
    const first = all?.failed ? await sendArchive(ctx, probe, where, LEVELS.slice(0, 1)) : all
    if (first === null) continue
    if (first.refused || first.inside) told += 1
    if (first.escaped.length === 0) continue
    probe.pursue()
    const [one] = first.escaped
    const second = one && (await sendArchive(ctx, probe, where, [one.level]))
    const [other] = second?.escaped ?? []
    if (one && other) hits.push({ at: placeOf(point), entries: [one, other] })
  }
  return { known: fields.length, asked: done, told: Math.max(told, hits.length), hits }
}

interface Outcome {
  /** The site did not take it. */
  readonly refused: boolean
  /** The server failed over it. */
  readonly failed: boolean
  /** What lay in the archive as it should was found again. */
  readonly inside: boolean
  readonly escaped: readonly (Escaped & { readonly level: Level })[]
}

/** Null where the form takes no files any more, or something in front refuses it. */
const sendArchive = async (
  ctx: CollectContext,
  probe: Probe,
  where: Whereabouts,
  levels: readonly Level[],
): Promise<Outcome | null> => {
  // First and last: some take one of the entries alone.
  const [own, last, climbing] = [entryOf(0), entryOf(0), levels.map((level) => entryOf(level))]
  const reply = await send(probe, zipOf([own, ...climbing, last].map((one) => [pathOf(one), one.content] as const)))
  if (reply === null) return null
  if (reply.status >= 400) {
    const { status } = reply
    return { refused: isTurnedDown(status), failed: status >= 500, inside: false, escaped: [] }
  }
  const folder = folderTold(reply.text, own.file)
  const found = await lookFor(ctx, await where.of(own.file, reply), [own, last], climbing)
  const escaped = climbing.flatMap((entry) => {
    const url = found.get(entry)
    const { level } = entry
    if (level === 0) return []
    if (url !== undefined) {
      const replay = `${reply.replay}\ncurl -isk '${url}'`
      return [{ level, path: pathOf(entry), url, mark: entry.content, replay }]
    }
    const named = folderTold(reply.text, entry.file)
    if (folder === null || named === null || !isAbove(named, folder, level)) return []
    const file = `${named}${entry.file}`
    return [{ level, path: pathOf(entry), url: file, mark: file, replay: reply.replay, told: true as const }]
  })
  return { refused: false, failed: false, inside: folder !== null || found.has(own) || found.has(last), escaped }
}

const send = async (probe: Probe, content: Buffer): Promise<Reply | null> => {
  const file = { name: newFileName('.zip'), type: 'application/zip', content }
  try {
    return await probe.send(probe.point.value, {
      change: () => {
        const request = uploadedBytes(probe.point, file)
        if (request === null) throw new Unsendable('its form holds no such file')
        return request
      },
    })
  } catch (error) {
    if (error instanceof Unsendable || error instanceof Blocked) return null
    throw error
  }
}
