/**
 * Gives fields for files an archive whose entries climb out of the folder that it is taken apart in, and looks for each where one in
 * the folder would lie and above: what comes out beside nothing of the archive's own was written outside (CWE-22, "zip slip"). On test
 * systems alone, as the files stay; what they hold is a word.
 */
import { randomBytes } from 'node:crypto'
import type { HttpExchange } from '../../../../egress/door/egress.ts'
import { targetFailure } from '../../../../egress/door/target-failure.ts'
import { pageRequest } from '../../../../page/exchange.ts'
import type { CollectContext } from '../../../module.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { Blocked, type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { placeOf } from '../../insertion-points/records.ts'
import { uploadedBytes } from '../documents.ts'
import type { ArchiveFacts, ArchiveHit } from '../facts.ts'
import { zipOf } from '../office.ts'
import { type Whereabouts, whereabouts } from './whereabouts.ts'

const MOST_FIELDS = 10
/** Folders that an entry climbs, each by one of its own. */
const LEVELS = [1, 2, 3] as const
/** Addresses at which the entries of one archive are looked for. */
const MOST_ADDRESSES = 60
const UP = '../'

type Level = (typeof LEVELS)[number]
type Escaped = ArchiveHit['entries'][number]

export const askArchives = async (
  ctx: CollectContext,
  points: readonly ProbePoint[],
  at: (point: ProbePoint) => Probe,
): Promise<ArchiveFacts> => {
  const fields = points.filter(({ place }) => place === 'file')
  const asked = ctx.target.environment === 'test' ? fields.slice(0, MOST_FIELDS) : []
  const hits: ArchiveHit[] = []
  let told = 0
  for (const point of asked) {
    ctx.signal.throwIfAborted()
    const probe = at(point)
    const where = await whereabouts(ctx, probe.request)
    const first = await sendArchive(ctx, probe, where, LEVELS)
    if (first === null) continue
    if (first.refused || first.inside) told += 1
    if (first.escaped.length === 0) continue
    probe.pursue()
    const [one] = first.escaped
    const second = one && (await sendArchive(ctx, probe, where, [one.level]))
    const [other] = second?.escaped ?? []
    if (one && other) hits.push({ at: placeOf(point), entries: [one, other] })
  }
  return { known: fields.length, asked: asked.length, told: Math.max(told, hits.length), hits }
}

interface Outcome {
  /** The site did not take it. */
  readonly refused: boolean
  /** What lay in the archive as it should was found again. */
  readonly inside: boolean
  readonly escaped: readonly (Escaped & { readonly level: Level })[]
}

interface Entry {
  readonly level: Level | 0
  readonly file: string
  readonly content: string
}

const entryOf = (level: Entry['level']): Entry => ({
  level,
  file: `q${randomBytes(5).toString('hex')}.txt`,
  content: `qv${randomBytes(6).toString('hex')}vq`,
})
const pathOf = ({ level, file }: Entry): string => `${UP.repeat(level)}${file}`

/** Null where the form takes no files any more, or something in front refuses it. */
const sendArchive = async (
  ctx: CollectContext,
  probe: Probe,
  where: Whereabouts,
  levels: readonly Level[],
): Promise<Outcome | null> => {
  // First and last: some take one of the entries alone.
  const [own, last, climbing] = [entryOf(0), entryOf(0), levels.map(entryOf)]
  const reply = await send(probe, zipOf([own, ...climbing, last].map((one) => [pathOf(one), one.content] as const)))
  if (reply === null) return null
  if (reply.status >= 400) return { refused: true, inside: false, escaped: [] }
  const found = await lookFor(ctx, await where.of(own.file, reply), [own, last], climbing)
  const escaped = climbing.flatMap((entry) => {
    const url = found.get(entry)
    if (url === undefined || entry.level === 0) return []
    const replay = `${reply.replay}\ncurl -isk '${url}'`
    return [{ level: entry.level, path: pathOf(entry), url, mark: entry.content, replay }]
  })
  return { refused: false, inside: found.has(own) || found.has(last), escaped }
}

/** Where entries lie: of those that climb only where none of the folder's own lies beside, as it would if folders were left out. */
const lookFor = async (
  ctx: CollectContext,
  likely: readonly string[],
  own: readonly Entry[],
  climbing: readonly Entry[],
): Promise<ReadonlyMap<Entry, string>> => {
  const found = new Map<Entry, string>()
  const holds = async (url: string, { content }: Entry): Promise<boolean> =>
    (await get(ctx, url))?.body.toString('latin1').includes(content) ?? false
  // Folders above those in which it may lie, too.
  const folders = likely
    .filter((url) => own.some(({ file }) => url.endsWith(file)))
    .map((url) => new URL('.', url).href)
  const above = [...new Set(folders.flatMap((folder) => [folder, new URL(UP, folder).href]))]
  const addresses = above.slice(0, MOST_ADDRESSES / (climbing.length + own.length))
  for (const folder of addresses) {
    ctx.signal.throwIfAborted()
    const inside: Entry[] = []
    for (const entry of own) if (await holds(new URL(entry.file, folder).href, entry)) inside.push(entry)
    for (const entry of inside) if (!found.has(entry)) found.set(entry, new URL(entry.file, folder).href)
    for (const entry of climbing) {
      const url = new URL(entry.file, folder).href
      if (!found.has(entry) && inside.length === 0 && !ctx.egress.excludes(url) && (await holds(url, entry)))
        found.set(entry, url)
    }
  }
  return found
}

const send = async (probe: Probe, content: Buffer): Promise<Reply | null> => {
  const file = { name: `q${randomBytes(5).toString('hex')}.zip`, type: 'application/zip', content }
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

const get = async (ctx: CollectContext, url: string): Promise<HttpExchange | null> => {
  try {
    const exchange = await ctx.egress.http(pageRequest(url))
    return exchange.status === 200 ? exchange : null
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return null
  }
}
