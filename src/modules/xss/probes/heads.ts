/** What a value does to the head of an answer: another host to go to, a header line of its own. */
import { randomBytes } from 'node:crypto'
import { type Probe, type Reply, Unsendable } from '../../probing/prober.ts'
import type { HeaderHit, RedirectHit } from '../facts.ts'
import { HEADERS, REDIRECTS } from '../payloads.ts'

const NAMES = /redir|url|next|return|goto|dest|continue|target|forward|callback|out|link|back|to$/i

/** `word` is the answer to a plain word: a redirect that holds it is worth asking about, whatever the name. */
export const askRedirects = async (probe: Probe, word: string, answer: Reply): Promise<RedirectHit | null> => {
  const { name, value } = probe.point
  const usual = (await probe.baseline())[0]
  const likely = answer.location.includes(word) || NAMES.test(name) || /^(?:https?:)?\/\//.test(value)
  if (!likely || (usual.location === '' && answer.location === '' && !NAMES.test(name))) return null
  const own = new URL(probe.request.url).hostname
  for (const way of REDIRECTS) {
    const trials: RedirectHit['trials'][number][] = []
    for (let round = 0; round < 2; round += 1) {
      const host = `${unique()}.example`
      const reply = await probe.send(way(host, own))
      if (reply.status < 300 || reply.status > 399 || !leadsTo(reply.location, probe.request.url, host)) break
      trials.push({ payload: reply.value, host, location: reply.location, replay: reply.replay })
    }
    if (trials.length === 2) return { kind: 'redirect', trials }
  }
  return null
}

const unique = (): string => `qx${randomBytes(4).toString('hex')}`

/** As browsers read it: backslashes are slashes, and what stands before an @ is a name. */
export const leadsTo = (location: string, from: string, host: string): boolean => {
  const reached = URL.parse(location, from)?.hostname ?? ''
  return reached === host || reached.endsWith(`.${host}`)
}

export const askHeaders = async (probe: Probe, word: string, answer: Reply): Promise<HeaderHit | null> => {
  if (!answer.headers.some(([, value]) => value.includes(word))) return null
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
