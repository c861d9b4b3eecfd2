/** What a value does to the head of an answer: another host to go to, a header line of its own. */
import { randomBytes } from 'node:crypto'
import { wordsApart } from '../../../../page/names.ts'
import { compose } from '../../insertion-points/compose.ts'
import { Blocked, type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { curlOf } from '../../insertion-points/replay.ts'
import type { HeaderHit, RedirectHit } from '../facts.ts'
import { HEADERS, REDIRECTS } from '../payloads.ts'
import type { Prover } from '../proving.ts'

/** Within any name. */
const NAMES = /redir|ur[li]|next|return|dest|continue|target|forward|callback|(?:go|jump|nav|send|link|back|leave)to/i
/** Words of their own: `about`, `photo` and `feedback` hold them as well. */
const WORDS = /(?:^|[^a-z])(?:out|link|back|to)(?:$|[^a-z])/i
/** Where few may be sent and no answer has led on, so many ways. */
const FEW = 3

/**
 * `word` is the answer to a plain word: a redirect that holds it is worth asking about, whatever the name. So is one that
 * holds the place's own value.
 */
export const askRedirects = async (
  probe: Probe,
  word: string,
  answer: Reply,
  first: FirstWays = new Map(),
): Promise<RedirectHit | null> => {
  const { value, place } = probe.point
  if (!isLinked(place)) return null
  const usual = (await probe.baseline())[0]
  const shown = [word, ...(value.length > 2 ? [value] : [])]
  const moved = [answer.location, usual.location].some((to) => shown.some((one) => holds(to, one)))
  if (!moved && !(isNamed(probe) && isAddress(value, usual, answer))) return null
  const own = new URL(probe.request.url).hostname
  for (const way of waysAt(probe, moved)) {
    const trials: RedirectHit['trials'][number][] = []
    for (let round = 0; round < 2; round += 1) {
      const { host, reply } = await sentOn(probe, way, own)
      if (round === 0) first.set(way, { host, reply })
      if (!reply || reply.status < 300 || reply.status > 399 || !leadsTo(reply.location, probe.request.url, host)) break
      trials.push({ payload: reply.value, host, location: reply.location, replay: reply.replay })
    }
    if (trials.length === 2) return { kind: 'redirect', by: 'header', trials }
  }
  return null
}

type Way = (typeof REDIRECTS)[number]

const waysAt = ({ request }: Probe, moved: boolean): readonly Way[] =>
  moved || request.bound === undefined ? REDIRECTS : REDIRECTS.slice(0, FEW)

/** What the first host of each way brought back: it tells of the head of an answer and of its page. */
export type FirstWays = Map<Way, { readonly host: string; readonly reply: Reply | null }>

const sentOn = async (
  probe: Probe,
  way: Way,
  own: string,
): Promise<{ readonly host: string; readonly reply: Reply | null }> => {
  const host = `${unique()}.example`
  return { host, reply: await sent(probe, way(host, own, probe.point.value)) }
}

/**
 * Whether a link or a form of another site can fill it. Nobody is led away by a cookie or header that only their own browser
 * writes: a Referer names the page that they come from.
 */
export const isLinked = (place: string): boolean => place !== 'header' && place !== 'cookie'

/** Only what another site can fill is asked for its name alone. */
const isNamed = ({ point: { name, place, members } }: Probe): boolean =>
  !members && ['query', 'path', 'form', 'multipart', 'json'].includes(place) && leadsByName(name)

/** Whether a name speaks of where somebody is led to: `returnUrl`, `back_to`, `out`. */
export const leadsByName = (name: string): boolean => NAMES.test(name) || WORDS.test(wordsApart(name))

/** A place that takes addresses may refuse all else: it is asked where it sends on in ordinary use, or holds one. */
const isAddress = (value: string, ...answers: readonly Reply[]): boolean =>
  value === '' ||
  /^(?:https?:)?\/|\.\w{2,5}(?:[/?#:]|$)/i.test(value) ||
  answers.some(({ location }) => location !== '')

/** Null where the place cannot hold it or something in front refuses it: others may get through. */
const sent = async (probe: Probe, value: string | null): Promise<Reply | null> => {
  if (value === null) return null
  try {
    return await probe.send(value)
  } catch (error) {
    if (error instanceof Unsendable || error instanceof Blocked) return null
    throw error
  }
}

/**
 * A page that sends its reader on by a refresh or a script: only where what was sent stands in one, and Chromium went there
 * twice.
 */
export const askPageRedirects = async (
  probe: Probe,
  word: string,
  answer: Reply,
  prover: Prover | string,
  first: FirstWays = new Map(),
): Promise<RedirectHit | null> => {
  const { value, place } = probe.point
  if (typeof prover === 'string' || !['query', 'path', 'form'].includes(place)) return null
  const usual = (await probe.baseline())[0]
  const moved =
    sendsOn(answer, word) ||
    (/^(?:https?:\/\/|\/)?[\w./:-]{3,}$/.test(value) && sendsOn(usual, escaped(value.slice(0, 200))))
  if (!moved && !(isNamed(probe) && isAddress(value, usual))) return null
  const own = new URL(probe.request.url).hostname
  for (const way of waysAt(probe, moved)) {
    const trials: RedirectHit['trials'][number][] = []
    for (let round = 0; round < 2; round += 1) {
      const { host, reply } = (round === 0 && first.get(way)) || (await sentOn(probe, way, own))
      const address = way(host, own, value)
      const request = address === null ? null : compose(probe.point, address)
      if (!reply || !request || !sendsOn(reply, escaped(host))) break
      const body = request.body === undefined ? null : String(request.body)
      if (!(await prover.leadsTo({ method: request.method ?? 'GET', url: request.url, body }, host))) break
      trials.push({ payload: reply.value, host, location: `https://${host}/`, replay: curlOf(request) })
    }
    if (trials.length === 2) return { kind: 'redirect', by: 'page', trials }
  }
  return null
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const sendsOn = ({ headers, text }: Reply, word: string): boolean =>
  headers.some(([name, value]) => name.toLowerCase() === 'refresh' && new RegExp(word).test(value)) ||
  SENDS_ON.some((pattern) => pattern(word).test(text))

/** The word in `<meta http-equiv=refresh>`, or close behind what changes the address. */
const SENDS_ON: readonly ((word: string) => RegExp)[] = [
  (word) =>
    new RegExp(`<meta\\b[^>]{0,200}refresh[^>]{0,300}${word}|<meta\\b[^>]{0,300}${word}[^>]{0,200}refresh`, 'i'),
  (word) => new RegExp(`(?:location|navigate|redirect|\\bopen\\s*\\()[^<;]{0,200}${word}`, 'i'),
  (word) => new RegExp(`${word}[^<]{0,300}location`, 'i'),
]

/** A name that nobody can have meant. */
export const unique = (): string => `qx${randomBytes(4).toString('hex')}`

/** As browsers read it: backslashes are slashes, and what stands before an @ is a name. */
export const leadsTo = (location: string, from: string, host: string): boolean => {
  const reached = URL.parse(location, from)?.hostname ?? ''
  return reached === host || reached.endsWith(`.${host}`)
}

/** In whatever letters: a page may write all of them large. */
const holds = (text: string, word: string): boolean => text.toLowerCase().includes(word.toLowerCase())

export const askHeaders = async (probe: Probe, word: string, answer: Reply): Promise<HeaderHit | null> => {
  if (!answer.headers.some(([, value]) => holds(value, word))) return null
  for (const way of HEADERS) {
    const trials: HeaderHit['trials'][number][] = []
    for (let round = 0; round < 2; round += 1) {
      const name = unique()
      let reply: Reply
      try {
        reply = await probe.send(way(word, name))
      } catch (error) {
        if (error instanceof Unsendable) return null // A header cannot hold a line break on its way there.
        throw error
      }
      const seen = reply.headers.some(([one]) => one.toLowerCase() === name)
      if (!seen) break
      trials.push({ payload: reply.value, name, seen, replay: reply.replay })
    }
    if (trials.length === 2) return { kind: 'header', trials }
  }
  return null
}

/**
 * The end of a path that is no value: a server that leads from old addresses to new ones writes it into the head all the same, and
 * decodes it before.
 */
export const askNamedHeaders = async (probe: Probe): Promise<HeaderHit | null> => {
  if (probe.point.place !== 'path') return null
  const answer = await probe.control()
  return askHeaders(probe, answer.value, answer)
}
