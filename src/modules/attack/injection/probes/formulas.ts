/**
 * Stores a text that programs for spreadsheets take for a formula, at each place that may store, and looks whether it begins a cell of a
 * table that the site hands out (CWE-1236). The formula names a cell that is none, and does nothing. On test systems alone, as it stays.
 */
import { randomBytes } from 'node:crypto'
import { harmOfAddress } from '../../../../safety/safety.ts'
import { shellQuoted } from '../../../evidence/pages.ts'
import type { CollectContext } from '../../../module.ts'
import type { CrawlFacts } from '../../crawl/facts.ts'
import { pageAt, storingOf } from '../../insertion-points/elsewhere.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { Blocked, type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { placeOf } from '../../insertion-points/records.ts'
import { around } from '../../insertion-points/verdict.ts'
import type { FormulaFacts, FormulaHit } from '../facts.ts'

const MOST_TABLES = 6

/** Values set apart by signs, by their type or their name. */
export const tablesIn = ({ urls }: Pick<CrawlFacts, 'urls'>): readonly string[] =>
  urls
    .filter(
      ({ url, status, contentType }) =>
        status === 200 &&
        (/^(?:text|application)\/(?:x-)?(?:csv|comma-separated-values|tab-separated-values)\b/i.test(contentType) ||
          /\.(?:csv|tsv)$/i.test(new URL(url).pathname)) &&
        harmOfAddress(url) === null,
    )
    .map(({ url }) => url)

export const askFormulas = async (
  ctx: CollectContext,
  crawl: CrawlFacts,
  points: readonly ProbePoint[],
  at: (point: ProbePoint) => Probe,
  isOver: () => boolean = () => false,
): Promise<FormulaFacts> => {
  const tables = tablesIn(crawl)
  const { asked: likely, beyond } = storing(tables.length === 0 ? [] : points)
  const asked = ctx.target.environment === 'test' ? likely : []
  const sent: { readonly point: ProbePoint; readonly one: Sent }[] = []
  for (const point of asked) {
    ctx.signal.throwIfAborted()
    if (isOver()) break
    const one = await store(at(point))
    if (one !== null) sent.push({ point, one })
  }
  /** Those that answer. */
  const read = async (): Promise<readonly Table[]> => {
    const all = tables.slice(0, MOST_TABLES).map(async (url) => ({ url, ...(await pageAt(ctx, url)) }))
    return (await Promise.all(all)).filter(({ status }) => status === 200)
  }
  const hits: FormulaHit[] = []
  const shown = sent.length === 0 ? [] : await read()
  for (const { point, one } of sent) {
    const first = cellOf(one, shown)
    if (first === null) continue
    const probe = at(point)
    probe.pursue()
    const again = await store(probe)
    const second = again && cellOf(again, await read())
    if (second) hits.push({ at: placeOf(point), cells: [first, second] })
  }
  const known = likely.length + beyond.length
  return { tables: tables.length, read: shown.length, known, asked: sent.length, hits }
}

/** What people fill, of what may store: records are named by the rest. */
const storing = (points: readonly ProbePoint[]): ReturnType<typeof storingOf> =>
  storingOf(
    points.filter(
      ({ place, role, request }) =>
        request.effect !== 'reads' && role === undefined && ['form', 'json', 'multipart'].includes(place),
    ),
  )

interface Table {
  readonly url: string
  readonly text: string
}

interface Sent {
  readonly formula: string
  readonly reply: Reply
}

/** Null where the place takes no value any more. */
const store = async (probe: Probe): Promise<Sent | null> => {
  const formula = `=qf${randomBytes(5).toString('hex')}`
  try {
    return { formula, reply: await probe.send(formula) }
  } catch (error) {
    if (error instanceof Blocked || error instanceof Unsendable) return null
    throw error
  }
}

/** The whole beginning of a cell: with a sign in front (', a tab) it is a text. */
const cellOf = ({ formula, reply }: Sent, tables: readonly Table[]): FormulaHit['cells'][number] | null => {
  const table = tables.find(({ text }) => text.includes(formula) && beginsCell(text, formula))
  if (table === undefined) return null
  return {
    ...{ formula, table: table.url, excerpt: around(table.text, formula) },
    replay: `${reply.replay}\ncurl -isk ${shellQuoted(table.url)}`,
  }
}

const SIGNS = [',', ';', '\t', '|'] as const

/** RFC 4180, and with the other signs that programs take. In one pass, whatever quotes a table has. */
export const beginsCell = (text: string, formula: string): boolean => {
  const [first = ''] = text.split(/[\r\n]/, 1)
  const [sign = ','] = SIGNS.toSorted((a, b) => first.split(b).length - first.split(a).length)
  let begins = true
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (begins && text.startsWith(formula, character === '"' ? at + 1 : at)) return true
    if (isQuoted) {
      if (character === '"' && text[at + 1] === '"') at += 1
      else isQuoted = character !== '"'
      continue
    }
    isQuoted = begins && character === '"'
    begins = character === sign || character === '\n' || character === '\r'
  }
  return false
}
