/**
 * Gives fields for files names that climb out of the folder that they are kept in, and looks for each above where a file of a plain name
 * lies (CWE-22). On test systems alone, as the files stay; what they hold is a word, of a kind that the form takes.
 */
import type { CollectContext } from '../../../module.ts'
import { uploadWith } from '../../insertion-points/body.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { Blocked, type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { placeOf } from '../../insertion-points/records.ts'
import { isToken } from '../../insertion-points/tokens.ts'
import type { ArchiveFacts, ArchiveHit } from '../facts.ts'
import { harmless } from '../uploads.ts'
import {
  type Entry,
  entryOf,
  folderTold,
  isAbove,
  isTurnedDown,
  LEVELS,
  type Level,
  lookFor,
  pathOf,
} from './climbing.ts'
import { type Whereabouts, whereabouts } from './whereabouts.ts'

const MOST_FIELDS = 10

type Escaped = ArchiveHit['entries'][number]

/** `kindOf`: the ending of a file that the field takes, where it says so. */
export const askUploadNames = async (
  ctx: CollectContext,
  points: readonly ProbePoint[],
  at: (point: ProbePoint) => Probe,
  kindOf: (point: ProbePoint) => Promise<string | undefined>,
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
    const sender: Sender = { ctx, probe, where: await whereabouts(ctx, probe.request), kind: await kindOf(point) }
    const outcome = await askField(sender)
    if (outcome === 'told') told += 1
    if (Array.isArray(outcome)) {
      told += 1
      hits.push({ at: placeOf(point), entries: outcome })
    }
    for (const beside of besides(point, points)) {
      const entries = await askField({ ...sender, probe: at(beside), file: point.name })
      if (Array.isArray(entries)) hits.push({ at: placeOf(beside), entries })
    }
  }
  return { known: fields.length, asked: done, told, hits }
}

/** Of a form so many fields beside the file: what it is to be called may stand in one. */
const MOST_BESIDES = 3

const besides = ({ request }: ProbePoint, points: readonly ProbePoint[]): readonly ProbePoint[] =>
  points
    .filter((one) => one.request.id === request.id && one.place === 'multipart' && one.role === undefined)
    .filter(({ name, value }) => !isToken(name, value))
    .slice(0, MOST_BESIDES)

interface Sender {
  readonly ctx: CollectContext
  readonly probe: Probe
  readonly where: Whereabouts
  readonly kind: string | undefined
  /** The field for the file, where the name is sent in one beside it. */
  readonly file?: string
}

/** 'told' where files of plain names are found again, or none is taken; null where nothing shows what became of them. */
const askField = async (sender: Sender): Promise<Escaped[] | 'told' | null> => {
  const plain = entryOf(0, harmless(sender.kind).ending)
  const kept = await send(sender, plain)
  if (kept === null) return null
  if (kept.status >= 400) return isTurnedDown(kept.status) ? 'told' : null
  const addresses = await sender.where.of(plain.file, kept)
  const folder = folderTold(kept.text, plain.file)
  const isFound = folder !== null || (await lookFor(sender.ctx, addresses, [plain], [])).has(plain)
  // What is found under no such name was given another.
  if (sender.file !== undefined && !isFound) return null
  // It is kept under the name that it was given.
  if (isFound) sender.probe.pursue()
  for (const level of LEVELS) {
    const escaped = () => escapedBy(sender, { plain, addresses, folder }, level)
    const first = await escaped()
    if (first === null) continue
    sender.probe.pursue()
    const second = await escaped()
    if (second !== null) return [first, second]
  }
  return isFound ? 'told' : null
}

interface Kept {
  readonly plain: Entry
  /** Where it may lie. */
  readonly addresses: readonly string[]
  /** In which the answer said that it lies. */
  readonly folder: string | null
}

const escapedBy = async (sender: Sender, { plain, addresses, folder }: Kept, level: Level): Promise<Escaped | null> => {
  const entry = entryOf(level, harmless(sender.kind).ending)
  const reply = await send(sender, entry)
  const named = reply && folderTold(reply.text, entry.file)
  if (reply && named !== null && folder !== null && isAbove(named, folder, level)) {
    const file = `${named}${entry.file}`
    return { path: pathOf(entry), url: file, mark: file, replay: reply.replay, told: true }
  }
  const url = reply && (await lookFor(sender.ctx, addresses, [plain], [entry])).get(entry)
  if (!reply || url === undefined || url === null) return null
  // The plain one may have made place for it: another has to lie elsewhere still.
  const after = entryOf(0, harmless(sender.kind).ending)
  if ((await send(sender, after)) === null) return null
  const beside = new URL(after.file, url).href
  if ((await lookFor(sender.ctx, [beside], [after], [])).get(after) === beside) return null
  return { path: pathOf(entry), url, mark: entry.content, replay: `${reply.replay}\ncurl -isk '${url}'` }
}

/** Null where the form takes no files any more, or something in front refuses it. */
const send = async ({ probe, kind, file: beside }: Sender, entry: Entry): Promise<Reply | null> => {
  const { name, value } = probe.point
  const { type, content, ending } = harmless(kind)
  const path = pathOf(entry)
  try {
    return await probe.send(beside === undefined ? value : path, {
      change: (request) => {
        const media = (request.headers ?? []).find(([header]) => header.toLowerCase() === 'content-type')?.[1] ?? ''
        const file = { name: beside === undefined ? path : `note${ending}`, type, content: content(entry.content) }
        const body = uploadWith(String(request.body ?? ''), media, beside ?? name, file)
        if (body === null) throw new Unsendable('its form holds no such file')
        return { ...request, body }
      },
    })
  } catch (error) {
    if (error instanceof Unsendable || error instanceof Blocked) return null
    throw error
  }
}
