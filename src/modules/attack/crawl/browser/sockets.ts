/** What pages say over WebSockets: each kind of message once, as a request whose body it is. */
import { SAYS } from '../../../../egress/door/egress.ts'
import { jsonOf } from '../../../../page/json.ts'
import type { ExploreParts } from './parts.ts'

/** Characters. */
const LONGEST = 20_000
/** Why it is sent a few times only, wherever it stands: others may be listening. */
const SAID = 'it is said to whoever listens'
/** Socket.IO within Engine.IO: an event of the one namespace that needs no word, perhaps with a number to be answered under. */
const EVENT = /^42\d*(?=\[)/

/** Messages of JSON alone: what stands in others for what, nobody has said. `clicked`: somebody did something before. */
export const noteMessage = (
  address: string,
  payload: string | Buffer,
  { on, clicked }: { readonly on: string; readonly clicked: boolean },
  { inScope, request }: Pick<ExploreParts, 'inScope' | 'request'>,
): void => {
  const url = URL.parse(address.replace(/^ws/, 'http'))
  if (url === null || typeof payload !== 'string' || payload.length > LONGEST || !inScope(url)) return
  const body = url.searchParams.has('EIO') ? eventOf(payload) : payload
  if (body === null || typeof jsonOf(body) !== 'object' || jsonOf(body) === null) return
  request({
    ...{ method: SAYS, url: openedAnew(url), encoding: 'json', body, source: 'browser', seenOn: on, sent: true },
    harm: clicked ? SAID : null,
  })
}

/** The address of a socket without the connection that was begun otherwise, and is over (Engine.IO protocol, "Upgrade"). */
export const openedAnew = ({ href }: URL): string => {
  const url = new URL(href)
  if (url.searchParams.has('EIO')) url.searchParams.delete('sid')
  return url.href
}

const eventOf = (payload: string): string | null => (EVENT.test(payload) ? payload.replace(EVENT, '') : null)
