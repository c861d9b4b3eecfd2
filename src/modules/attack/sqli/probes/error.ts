/** Breaks the statement, reads the database's own words, and makes it put a product of two numbers into them. */
import { randomInt } from 'node:crypto'
import { handlerOf } from '../../insertion-points/handler.ts'
import { Bounded, type Probe, type Reply } from '../../insertion-points/prober.ts'
import { around } from '../../insertion-points/verdict.ts'
import type { Computed, ErrorHit, MessageHit } from '../facts.ts'
import { databaseMessage, UNKNOWN } from '../messages.ts'
import { doubled, REVEALING, type Revealing, SPLICES, type Splice } from '../payloads.ts'
import { fitsOf } from './fits.ts'

export interface Broken {
  /** What came back for a value with quotes. */
  readonly reply: Reply
  readonly message: MessageHit | null
}

/** One request, and two more where a message came: nobody knows yet whether it comes each time. */
export const breakStatement = async (probe: Probe): Promise<Broken> => {
  const { value } = probe.point
  const reply = await probe.broken()
  const payload = reply.value
  const found = databaseMessage(reply.text)
  const before = (await probe.baseline()).map((one) => databaseMessage(one.text)?.mark)
  // A page that always shows such a text, a manual for one, shows it without us too.
  if (!found || before.includes(found.mark)) return { reply, message: null }
  probe.pursue()
  // Nor does a log viewer, whose page has shown the errors of other places since: asked plainly now, it shows them, too.
  if (databaseMessage((await probe.send(value)).text)) return { reply, message: null }
  const handler = handlerOf(reply)
  const twin = await probe.send(doubled(value), { language: 'sql' })
  return {
    reply,
    message: {
      technique: 'message',
      dbms: found.dbms,
      payload,
      excerpt: around(reply.text, found.mark),
      mark: found.mark,
      toggles: databaseMessage(twin.text) === null,
      replay: reply.replay,
      ...(handler === null ? {} : { handler }),
    },
  }
}

/**
 * Whether the same message comes with each broken value and with no plain one. The end of a log shows what other places have done, and
 * something else a moment later.
 */
const comesEachTime = async (probe: Probe, { payload, mark }: MessageHit): Promise<boolean> => {
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const broken = databaseMessage((await probe.send(payload, { language: 'sql' })).text)
      if (broken === null || numberless(broken.mark) !== numberless(mark)) return false
      if (databaseMessage((await probe.send(probe.point.value)).text)) return false
    }
  } catch (error) {
    // What may write no more has told twice, and what stores shows no log.
    if (!(error instanceof Bounded)) throw error
  }
  return true
}
const ROUNDS = 2
/** Times and lines of a file differ. */
const numberless = (text: string): string => text.replace(/\d+/g, '')

/**
 * What the message leads to. Of few requests the first make the statement show products, which prove more than that the message comes each time; of
 * others it is found out first whether it does. `tell`: of a message that comes.
 */
export const errorsBehind = async (
  probe: Probe,
  message: MessageHit,
  tell: (message: MessageHit) => void,
): Promise<{ readonly comes: boolean; readonly hit: ErrorHit | null }> => {
  const isScarce = probe.request.bound !== undefined
  const computed = (): Promise<ErrorHit | null> => computedErrors(probe, message.dbms)
  let hit: ErrorHit | null = null
  if (isScarce) {
    try {
      hit = await computed()
    } catch (error) {
      if (error instanceof Bounded) tell(message)
      throw error
    }
  }
  if (hit === null && !(await comesEachTime(probe, message))) return { comes: false, hit }
  tell(message)
  return { comes: true, hit: isScarce ? hit : await computed() }
}

/** Tries the ways into the statement until one shows the product, then shows another product the same way. */
export const computedErrors = async (probe: Probe, dbms: string): Promise<ErrorHit | null> => {
  for (const { way, splice } of waysFor(probe, dbms)) {
    const first = await compute(probe, way, splice)
    if (!first?.seen) continue
    const second = await compute(probe, way, splice)
    if (second?.seen) return { technique: 'error', dbms: namedIn(first) ?? way.dbms, computed: [first, second] }
  }
  return null
}

/** Other databases understand the same expression, and say in the same words who they are. */
const namedIn = ({ excerpt }: Computed): string | null => {
  const said = databaseMessage(excerpt)?.dbms ?? UNKNOWN
  return said === UNKNOWN ? null : said
}

export const waysFor = (
  probe: Probe,
  dbms: string,
): readonly { readonly way: Revealing; readonly splice: Splice }[] => {
  const known = REVEALING.filter((way) => way.dbms === dbms)
  // A driver's message that names no database: the ones that are met most.
  const ways = known.length > 0 ? known.slice(0, 1) : REVEALING.filter((way) => COMMON.includes(way.dbms))
  const fits = fitsOf(probe.point)
  return ways.flatMap((way) =>
    SPLICES.filter((splice) => fits.includes(splice.fits) && (splice.dbms?.includes(way.dbms) ?? true))
      .filter((splice) => known.length > 0 || splice.name === 'number' || splice.name === "text in '")
      .map((splice) => ({ way, splice })),
  )
}

const COMMON = ['PostgreSQL', 'SQLite']

const compute = async (probe: Probe, way: Revealing, splice: Splice): Promise<Computed | null> => {
  const [a, b] = [randomInt(2_000, 9_000), randomInt(2_000, 9_000)]
  const expected = String(a * b)
  const payload = splice.with(probe.point.value, way.expression(a, b))
  const reply = await probe.send(payload, { language: 'sql' })
  const seen = reply.text.includes(expected)
  return { payload, expected, seen, excerpt: seen ? around(reply.text, expected) : '', replay: reply.replay }
}
