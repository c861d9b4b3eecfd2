/**
 * Gives places addresses of our own, and later asks who called. One address each while the places are probed; where a call
 * came, a second one and a third in a parameter that nobody reads decide whether the place itself made it.
 */
import { randomBytes, randomInt } from 'node:crypto'
import type { OobAddress, OobHit, OutOfBand } from '../../../../egress/oob/out-of-band.ts'
import { wordsApart } from '../../../../page/names.ts'
import { compose, withQuery } from '../../insertion-points/compose.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { Blocked, type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { around } from '../../insertion-points/verdict.ts'
import { callingType, type Envelope } from '../documents.ts'
import type { CalledHit, ComputedHit } from '../facts.ts'
import { bodyFor, type CallingObject, OBJECTS, objectFor } from '../objects.ts'
import { CALLING_CODE, type CallingCode, callingCommand, INCLUDED, type Included, inclusion } from '../payloads.ts'
import { envelopesFor, sendWithin } from './entities.ts'
import { type Follow, NOTHING_FOLLOWS } from './followed.ts'
import { type Settled, settleCalls } from './settling.ts'

/** Milliseconds that a call may take to come, once for all places. */
const PATIENCE = 4_000
/** For one that comes while the place answers. */
const SOON = 150

type Kind = CalledHit['kind']

interface Sent {
  readonly kind: Kind
  readonly flavour: string
  /** For code: in which language; for an address: how it is spelt; for a document: how the place comes to hold it; for an object: in which format. */
  readonly way: CallingCode | Spelling | Envelope | CallingObject | null
  readonly address: OobAddress
  readonly reply: Reply
  /** What the call has to bring along, worked out over there; '' where any call proves. */
  readonly expected: string
}

/** An address otherwise than in full, for places that refuse it so or put the rest of it in front. `value`: what stood there. */
interface Spelling {
  readonly flavour: string
  readonly spell: (url: string, value: string) => string
  /** Goes behind it, for places that look for what they know anywhere in the value, or at its end. */
  readonly behind?: (value: string) => string
  /** Only in place of an address with a scheme. */
  readonly needs?: 'address'
}

const WITHOUT_SCHEME: Spelling = {
  flavour: 'address in place of the value, without its scheme',
  spell: (url) => url.replace(/^http:\/\//, ''),
}

const SPELLINGS: readonly Spelling[] = [
  { flavour: 'address in place of the value, its scheme in capitals', spell: (url) => url.replace(/^http:/, 'HTTP:') },
  WITHOUT_SCHEME,
  {
    flavour: 'address with the host of the value as a user',
    needs: 'address',
    spell: (url, value) => url.replace(/^http:\/\//, `http://${new URL(value).hostname}@`),
  },
  {
    flavour: 'address with the value behind it',
    needs: 'address',
    spell: (url) => url,
    behind: (value) => value,
  },
]

const isAddress = (value: string): boolean => /^https?:\/\/[^/]/i.test(value) && URL.canParse(value)

interface Pending extends Sent {
  readonly probe: Probe
}

export interface Outside {
  /** Name an address alone, first in full, then otherwise where the place speaks of addresses: a value that names files may name those of others. */
  readonly addresses: (probe: Probe) => readonly (() => Promise<ComputedHit | CalledHit | null>)[]
  /** Documents whose parser calls, whatever becomes of what they hold: one request each. */
  readonly documents: (probe: Probe) => readonly (() => Promise<ComputedHit | CalledHit | null>)[]
  /** A command that calls, whatever the page shows of it: one request. */
  readonly commands: (probe: Probe) => readonly (() => Promise<ComputedHit | CalledHit | null>)[]
  /** All others, commands too unless they went before. They send to the place; finds only what shows at once: a text of ours that was run as code, a call from where few requests are left. */
  readonly ways: (probe: Probe, but?: 'commands') => readonly (() => Promise<ComputedHit | CalledHit | null>)[]
  /** Objects that call, where the place holds such; what `ways` has at its end. */
  readonly objects: (probe: Probe) => readonly (() => Promise<ComputedHit | CalledHit | null>)[]
  /** What is done with what was stored, from now on. */
  readonly followBy: (follow: Follow) => void
  /** After all places: the calls that came, proven; `at` gives probes for members of groups, `tell` a person what it waits for. */
  readonly settle: (at: (point: ProbePoint) => Probe, tell: (detail: string) => void) => Promise<readonly Settled[]>
}

const WITHOUT_LISTENER: Outside = {
  addresses: () => [],
  documents: () => [],
  commands: () => [],
  ways: () => [],
  objects: () => [],
  followBy: () => undefined,
  settle: async () => [],
}

export const createOutside = (oob: OutOfBand | undefined, patience = PATIENCE): Outside => {
  const pending: Pending[] = []
  let follow = NOTHING_FOLLOWS
  if (!oob) return WITHOUT_LISTENER

  const send = (probe: Probe, kind: Kind, way: Sent['way'] = null): Promise<Sent> =>
    sendCalling(probe, kind, way, oob.issue(kind))

  const called = async ({ address, expected }: Sent, wait = patience): Promise<OobHit | null> => {
    const wanted = ({ detail }: OobHit): boolean => detail.toLowerCase().includes(expected)
    const hits = (await oob.hits(address.token, wait, wanted)).filter(wanted)
    return hits.find(({ protocol }) => protocol === 'http') ?? hits[0] ?? null
  }

  const ask = async (probe: Probe, kind: Kind, way: Sent['way']): Promise<ComputedHit | CalledHit | null> => {
    let sent: Sent
    try {
      sent = await send(probe, kind, way)
    } catch (error) {
      if (error instanceof Unsendable) return null
      throw error
    }
    await followed(follow, probe, sent)
    const run = kind === 'ssrf' ? await includedAt(probe, sent) : null
    // Where it is run, that it was fetched is no second flaw.
    if (run) return run
    const proven = isScarce(probe) && (await called(sent, SOON)) ? await provenNow(probe, sent) : null
    if (!proven) pending.push({ ...sent, probe })
    return proven
  }

  /** After all other places a form that may write may have no request left for it. */
  const provenNow = (probe: Probe, sent: Sent): Promise<CalledHit | null> => {
    probe.pursue()
    return refusedIsNull(confirm(probe, sent))
  }

  const confirm = async (probe: Probe, { kind, way, flavour }: Sent): Promise<CalledHit | null> => {
    const calls: CalledHit['calls'][number][] = []
    for (let round = 0; round < 2; round += 1) {
      const sent = await send(probe, kind, way)
      const more = await followed(follow, probe, sent)
      const hit = await called(sent)
      if (!hit) return null
      const { protocol, from, detail, agent } = hit
      const replay = [sent.reply.replay, ...more].join('\n')
      calls.push({ payload: sent.reply.value, protocol, from, detail, agent, replay })
    }
    // Something in front that follows every address it sees would follow this one, too.
    const works = kind === 'command' || kind === 'code'
    const aside = works ? null : await called(await sendControl(probe, kind, way, oob.issue(kind)))
    return { kind, proof: 'called', flavour, calls, controlCalled: aside !== null }
  }

  const addresses: Outside['addresses'] = (probe) => spellingsFor(probe).map((way) => () => ask(probe, 'ssrf', way))

  const objects: Outside['objects'] = (probe) => OBJECTS.map((way) => () => ask(probe, 'deserialization', way))

  const askedWithin = (probe: Probe, isOfficeFile: boolean) =>
    envelopesFor(probe)
      .filter(({ calls = false }) => calls === isOfficeFile)
      .map((envelope) => () => ask(probe, 'xxe', envelope))

  const commands: Outside['commands'] = (probe) => [() => ask(probe, 'command', null)]

  return {
    addresses,
    objects,
    commands,
    documents: (probe) => askedWithin(probe, false),
    ways: (probe, but) => [
      ...askedWithin(probe, true),
      ...(but === 'commands' ? [] : commands(probe)),
      ...CALLING_CODE.map((way) => () => ask(probe, 'code', way)),
      ...objects(probe),
    ],
    followBy: (given) => {
      follow = given
    },
    settle: async (at, tell) => {
      tell('calls from the target')
      const came = (await Promise.all(pending.map(async (one) => ((await called(one)) ? [one] : [])))).flat()
      const each = came.flatMap((sent) =>
        (sent.probe.point.members ?? [sent.probe.point]).map((point) => ({ point, sent })),
      )
      return settleCalls(
        each,
        ({ point, sent }) => {
          const probe = at(point)
          // A call came for it or for one that was asked with it.
          probe.pursue()
          return refusedIsNull(confirm(probe, sent))
        },
        (done, all) => tell(`calls from the target: ${done} of ${all} places asked again`),
      )
    },
  }
}

/** Where the place keeps the address, it is asked for by what is done with it. */
const followed = async (follow: Follow, probe: Probe, { kind, reply }: Sent): Promise<readonly string[]> =>
  kind === 'ssrf' && speaksOfAddresses(probe) ? ((await refusedIsNull(follow(probe.request, reply))) ?? []) : []

const isScarce = ({ request, point }: Probe): boolean => request.bound !== undefined && point.members === undefined

const FLAVOURS: Readonly<Record<Kind, string>> = {
  ssrf: 'address in place of the value',
  xxe: 'external entity with our address',
  command: 'shell, a name looked up',
  code: 'code that calls',
  deserialization: 'object that calls',
}

/** What makes the place call the address, as the kind and the way have it. @throws Unsendable */
const sendCalling = async (probe: Probe, kind: Kind, way: Sent['way'], address: OobAddress): Promise<Sent> => {
  const [a, b] = [randomInt(2_000, 9_000), randomInt(2_000, 9_000)]
  const { value } = probe.point
  const about = { kind, way, flavour: way?.flavour ?? FLAVOURS[kind], address }
  if (way && 'format' in way) return { ...about, reply: await sendObject(probe, way, address), expected: '' }
  if (way && 'fits' in way)
    return { ...about, reply: await sendWithin(probe, way, callingType(address.url)), expected: '' }
  if (way && 'with' in way) {
    const reply = await probe.send(way.with(address, a, b), { home: address.url })
    return { ...about, reply, expected: `qv${a * b}` }
  }
  if (kind === 'command') {
    const reply = await probe.send(callingCommand(value, address, a, b), { language: 'shell', home: address.url })
    return { ...about, reply, expected: `qv${a * b}` }
  }
  return { ...about, reply: await probe.send(spelt(address.url, way, value, a, b)), expected: '' }
}

/** The same address where nobody reads it. */
const sendControl = async (probe: Probe, kind: Kind, way: Sent['way'], address: OobAddress): Promise<Sent> => ({
  ...{ kind, way, flavour: way?.flavour ?? FLAVOURS[kind], address },
  ...{ reply: await sendAside(probe, way, address), expected: '' },
})

/** To where nobody reads it: in a parameter of no meaning, or as words in a body. */
const sendAside = (probe: Probe, way: Sent['way'], address: OobAddress): Promise<Reply> => {
  const { point } = probe
  const object = way && 'format' in way ? way : null
  const body = object && bodyFor(point, object, address, true)
  const text = (object && objectFor(point, object, address)) ?? address.url
  const name = `qz${randomBytes(3).toString('hex')}`
  return probe.send(point.value, {
    change: (request) =>
      body === null ? { ...request, url: withQuery(request.url, name, text) } : { ...request, body },
  })
}

/** In place of the value, or beside the members of a body; of a group, in the first member that holds such objects. */
const sendObject = async (probe: Probe, way: CallingObject, address: OobAddress): Promise<Reply> => {
  for (const point of probe.point.members ?? [probe.point]) {
    const value = objectFor(point, way, address)
    const body = value === null ? bodyFor(point, way, address) : null
    const composed = compose(point, value ?? point.value)
    if (!composed || (value === null && body === null)) continue
    const changed = body === null ? composed : { ...composed, body }
    return { ...(await probe.send(probe.point.value, { change: () => changed })), value: value ?? body ?? '' }
  }
  throw new Unsendable('the place holds no such objects')
}

const refusedIsNull = async <Value>(work: Promise<Value>): Promise<Value | null> => {
  try {
    return await work
  } catch (error) {
    // A member that cannot hold the address did not make the call.
    if (error instanceof Unsendable || error instanceof Blocked) return null
    throw error
  }
}

/** In the spelling of the value first. */
const spellingsFor = (probe: Probe): readonly (Spelling | null)[] => {
  const { value } = probe.point
  if (!promisesAddress(probe)) return [null]
  const all = [null, ...SPELLINGS.filter(({ needs }) => needs === undefined || isAddress(value))]
  const alike = (way: Spelling | null): boolean => way === WITHOUT_SCHEME
  return BEGINS_WITH_HOST.test(value) ? [...all.filter(alike), ...all.filter((way) => !alike(way))] : all
}
const BEGINS_WITH_HOST = /^(?:[\w-]+\.)+[a-z0-9]+(?::\d+)?\//i

const spelt = (url: string, way: Spelling | null, value: string, a: number, b: number): string =>
  `${inclusion(way ? way.spell(url, value) : url, a, b)}${way?.behind?.(value) ?? ''}`

/** The value or the name speaks of an address, or of a file, which may lie elsewhere. What is a number speaks of neither. */
export const promisesAddress = ({ point: { value, name, members } }: Probe): boolean =>
  !members &&
  !/^\d+$/.test(value) &&
  (/[./:\\]/.test(value) ||
    /ur[il]|link|href|src|host|site|addr|domain|server|target|dest|feed|callback|proxy|file|path|page|include/i.test(
      name,
    ))

/** The same of addresses alone: it holds one, or is called so. */
export const speaksOfAddresses = ({ point: { value, name, members } }: Probe): boolean =>
  !members && (isAddress(value) || BEGUN.test(value) || (!/^\d+$/.test(value) && ADDRESS_NAME.test(wordsApart(name))))
/** What a form puts in for people to go on from. */
const BEGUN = /^https?:\/{0,2}$/i
const ADDRESS_NAME =
  /ur[il]|link|href|src|source|host|site|addr|domain|server|target|dest|feed|callback|proxy|hook|fetch|endpoint|(?:^|[^a-z])api$/i

/** The listener serves a text that becomes a product where somebody runs it. */
const includedAt = async (probe: Probe, sent: Sent): Promise<ComputedHit | null> => {
  for (const one of INCLUDED) {
    const hit = await includedAs(one, probe, sent)
    if (hit) return hit
  }
  return null
}

const includedAs = async (
  { flavour, shows }: Included,
  probe: Probe,
  { address, way, reply: first }: Sent,
): Promise<ComputedHit | null> => {
  const shown = (reply: Reply): ComputedHit['computed'][number] => {
    const expected = shows(reply.value)
    const seen = expected !== null && reply.text.includes(expected)
    return {
      payload: reply.value,
      expected: expected ?? '',
      seen,
      excerpt: seen ? around(reply.text, expected) : '',
      replay: reply.replay,
    }
  }
  const one = shown(first)
  if (!one.seen) return null
  const spelling = way && 'spell' in way ? way : null
  const [a, b] = [randomInt(2_000, 9_000), randomInt(2_000, 9_000)]
  const two = shown(await probe.send(spelt(address.url, spelling, probe.point.value, a, b)))
  return { kind: 'inclusion', proof: 'computed', flavour, computed: [one, two] }
}
