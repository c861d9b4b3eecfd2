/** Who speaks at one open port: its greeting, the probe its port suggests, TLS, HTTP, then every probe there is. */

import { targetFailure } from '../../../egress/door/target-failure.ts'
import { isUntouched } from '../../../knowledge/ports/untouched.ts'
import { identify as identifyText } from '../../../knowledge/services/service.ts'
import { greeted, habitOf, serviceOf } from '../../../knowledge/services/services.ts'
import { ASKED, GREETED, PROBES } from '../../../protocols/services/all.ts'
import type { Probe, Proved } from '../../../protocols/services/probe.ts'
import { openTalk, type Said, type TalkTarget, textOf } from '../../../protocols/services/talk.ts'
import type { CollectContext } from '../../module.ts'
import { askWeb, type WebProved } from './web.ts'

export interface Found {
  readonly by: 'protocol' | 'port' | 'untouched' | 'nothing'
  readonly tls: boolean
  readonly proved: Proved | null
  readonly service: string | null
  readonly said: readonly Said[]
  readonly web: WebProved | null
  /** What the server said by itself, '' when nothing. */
  readonly greeting: string
}

/** Milliseconds for a server that speaks first. */
export const GREETING_WAIT = 1_500
/** Probes of one port at once. */
const AT_ONCE = 10
/** Milliseconds for an answer over HTTP, and where the port suggests nothing. */
const WEB_WAIT = 5_000
const STRANGER_WAIT = 2_000
/** The same for each answer of a protocol that is only tried. */
const STRANGER_PATIENCE = 600

interface Spoken {
  readonly proved: Proved
  readonly said: readonly Said[]
}

export const identifyPort = async (ctx: CollectContext, port: number): Promise<Found> => {
  const habit = habitOf(port)
  const nothing: Found = { by: 'nothing', tls: false, proved: null, service: null, said: [], web: null, greeting: '' }
  if (isUntouched(port)) return { ...nothing, by: 'untouched', service: habit?.service.id ?? null }
  const spoken = (tls: boolean, { proved, said }: Spoken, greeting = ''): Found => ({
    ...nothing,
    by: 'protocol',
    tls,
    proved,
    service: proved.service,
    said,
    greeting,
  })
  const webFound = (tls: boolean, web: WebProved): Found => ({
    ...nothing,
    by: 'protocol',
    tls,
    proved: web,
    service: web.service,
    said: web.said,
    web,
  })

  if (habit && !habit.tls) {
    const expected = PROBES.filter(
      (probe) => probe.services.includes(habit.service.id) || portsOf(probe).includes(port),
    )
    const hit = await firstOf(ctx, port, false, expected)
    if (hit) return spoken(false, hit)
  }
  const greeting = habit?.tls || WEB_FIRST.has(port) ? { text: '', said: [] } : await listen(ctx, port, false)
  if (greeting.text !== '') {
    const hit = await byGreeting(ctx, port, false, greeting.text)
    if (hit) return spoken(false, hit, greeting.text)
  }
  const quiet = greeting.text === ''
  const [plain, encrypted] = await Promise.all([
    quiet && !habit?.tls ? askWeb(ctx, port, false, habit ? WEB_WAIT : STRANGER_WAIT) : null,
    WEB_FIRST.has(port) ? false : hasTls(ctx, port, habit ? undefined : STRANGER_WAIT),
  ])
  // "The plain HTTP request was sent to HTTPS port" is an answer in HTTP, and not what is served there.
  if (plain && !(mentionsTls(plain) && (encrypted || (await hasTls(ctx, port))))) return webFound(false, plain)
  if (encrypted || plain) {
    const inside = await insideTls(ctx, port)
    if (inside) return 'web' in inside ? webFound(true, inside.web) : spoken(true, inside)
    return { ...nothing, by: habit?.tls ? 'port' : 'nothing', tls: true, service: habit?.tls ? habit.service.id : null }
  }
  const tried = habit ? PROBES.filter((probe) => probe.services.includes(habit.service.id)) : []
  const hit = await firstOf(
    ctx,
    port,
    false,
    ASKED.filter((probe) => !tried.includes(probe)),
    STRANGER_PATIENCE,
  )
  if (hit) return spoken(false, hit)
  return {
    ...nothing,
    by: habit ? 'port' : 'nothing',
    service: habit?.service.id ?? null,
    said: greeting.said,
    greeting: greeting.text,
  }
}

const WEB_FIRST: ReadonlySet<number> = new Set([80, 8080, 8000, 8008, 8888, 9200, 5984])

const portsOf = (probe: Probe): readonly number[] => probe.services.flatMap((id) => serviceOf(id).ports)

const byGreeting = async (ctx: CollectContext, port: number, secure: boolean, text: string): Promise<Spoken | null> => {
  const service = greeted(text, port)
  const probes = GREETED.filter((probe) => (service ? probe.services.includes(service.id) : true))
  const hit = await firstOf(ctx, port, secure, service && probes.length > 0 ? probes : GREETED)
  if (hit || !service) return hit
  return { proved: { service: service.id, ...identifyText(service.products, text) }, said: [said(text)] }
}

const said = (text: string): Said => ({
  from: 'peer',
  bytes: Buffer.from(text, 'latin1').subarray(0, 4_096).toString('base64'),
  size: text.length,
})

/** Whether a TLS handshake succeeds; the stream is closed at once. */
const hasTls = async (ctx: CollectContext, port: number, patience?: number): Promise<boolean> =>
  (await attempt(async () => {
    const talk = await openTalk(ctx.egress, {
      host: ctx.target.host,
      port,
      secure: true,
      ...(patience === undefined ? {} : { patience }),
    })
    talk.end()
    return true
  })) ?? false

const insideTls = async (ctx: CollectContext, port: number): Promise<Spoken | { readonly web: WebProved } | null> => {
  const habit = habitOf(port)
  if (habit?.tls && habit.service.id !== 'http') {
    const hit = await firstOf(
      ctx,
      port,
      true,
      PROBES.filter((probe) => probe.services.includes(habit.service.id)),
    )
    if (hit) return hit
  }
  const web = await askWeb(ctx, port, true)
  if (web) return { web }
  const greeting = await listen(ctx, port, true)
  const hit = greeting.text === '' ? null : await byGreeting(ctx, port, true, greeting.text)
  return hit ?? (await firstOf(ctx, port, true, ASKED))
}

const mentionsTls = (web: WebProved): boolean =>
  /HTTPS port|HTTP request was sent to HTTPS|Client sent an HTTP request to an HTTPS server/i.test(
    web.said.map(({ bytes }) => textOf(Buffer.from(bytes, 'base64'))).join(' '),
  )

const listen = async (
  ctx: CollectContext,
  port: number,
  secure: boolean,
): Promise<{ text: string; said: readonly Said[] }> =>
  (await attempt(async () => {
    const talk = await openTalk(ctx.egress, { host: ctx.target.host, port, secure })
    try {
      const text = textOf(await talk.read(undefined, GREETING_WAIT)).slice(0, 4_096)
      return { text, said: talk.said() }
    } finally {
      talk.end()
    }
  })) ?? { text: '', said: [] }

/** The first probe in order that proves something; a few run side by side. */
const firstOf = async (
  ctx: CollectContext,
  port: number,
  secure: boolean,
  probes: readonly Probe[],
  patience?: number,
): Promise<Spoken | null> => {
  for (let at = 0; at < probes.length; at += AT_ONCE) {
    ctx.signal.throwIfAborted()
    const group = await Promise.all(
      probes.slice(at, at + AT_ONCE).map((probe) => run(ctx, port, secure, probe, patience)),
    )
    const hit = group.find((one) => one !== null)
    if (hit) return hit
  }
  return null
}

const run = (
  ctx: CollectContext,
  port: number,
  secure: boolean,
  probe: Probe,
  patience?: number,
): Promise<Spoken | null> =>
  attempt(async () => {
    const target = { host: ctx.target.host, port, secure, ...(patience === undefined ? {} : { patience }) }
    const talk = await openTalk(ctx.egress, target)
    try {
      const proved = await probe.run(talk)
      if (proved === null) return null
      const spoken = { proved, said: talk.said() }
      talk.end()
      const { more } = probe
      // Where it leads nowhere, what the first conversation showed stands.
      return more === undefined ? spoken : ((await attempt(() => goOn(ctx, target, more, spoken))) ?? spoken)
    } finally {
      talk.end()
    }
  })

const goOn = async (
  ctx: CollectContext,
  target: TalkTarget,
  more: NonNullable<Probe['more']>,
  { proved, said }: Spoken,
): Promise<Spoken | null> => {
  const talk = await openTalk(ctx.egress, target)
  try {
    const found = await more(talk)
    return found && { proved: { ...proved, ...found }, said: [...said, ...talk.said()] }
  } finally {
    talk.end()
  }
}

/** Null where the target did not play along. Everything else is thrown on. */
const attempt = async <Value>(work: () => Promise<Value>): Promise<Value | null> => {
  try {
    return await work()
  } catch (error) {
    if (targetFailure(error) === null) throw error
    return null
  }
}
