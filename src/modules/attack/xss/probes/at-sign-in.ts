/**
 * Headers of the sign-in itself, which applications keep with the account that signed in and show as its last visit. Only a right password
 * gets that far, so the run's own sign-in says them, a few times: a header alone, sent with a password of ours, is kept nowhere.
 */
import type { CollectContext } from '../../../module.ts'
import { compose } from '../../insertion-points/compose.ts'
import type { ProbePoint } from '../../insertion-points/inventory.ts'
import { type Probe, type Reply, Unsendable } from '../../insertion-points/prober.ts'
import { curlOf } from '../../insertion-points/replay.ts'
import { newWord } from './reflection.ts'
import type { Planted } from './stored-pages.ts'

const KEPT = ['X-Forwarded-For', 'X-Real-IP', 'True-Client-IP', 'X-Client-IP', 'Referer'] as const
/** In all: the first says all headers at once, the others a payload in one. */
const MOST_SIGN_INS = 6

/** What was said, to be looked for elsewhere; nothing in production, where what an account keeps stays as it is. */
export const plantAtSignIn = async (
  { session, target }: Pick<CollectContext, 'session' | 'target'>,
  probes: readonly Probe[],
  at: (point: ProbePoint) => Probe,
): Promise<readonly Planted[]> => {
  const leading = session?.leading
  if (!leading || target.environment !== 'test') return []
  let left = MOST_SIGN_INS
  const saying = async (headers: readonly (readonly [string, string])[]): Promise<boolean> => {
    left -= 1
    if (left < 0) throw new Unsendable('signed in often enough')
    return leading.saying(headers)
  }
  const planted = pointsOf(probes, leading.paths).map((point): Planted => {
    const probe = at(point)
    const send = async (value: string): Promise<Reply> => {
      const request = compose(point, value)
      if (!request || !(await saying([[point.name, value]]))) throw new Unsendable('not taken')
      return { ...NO_PAGE, value, replay: curlOf(request) }
    }
    return { word: newWord(), probe: { ...probe, send }, location: '' }
  })
  const words = planted.map(({ word, probe }) => [probe.point.name, word] as const)
  return planted.length > 0 && (await saying(words)) ? planted : []
}

const NO_PAGE = { status: 200, text: '', contentType: '', location: '', headers: [], ms: 0 } as const

/** Where the sign-in sends a request that the crawl has met as well. */
const pointsOf = (probes: readonly Probe[], paths: ReadonlySet<string>): readonly ProbePoint[] => {
  const own = probes.find(({ request }) => request.method !== 'GET' && paths.has(new URL(request.url).pathname))
  return own === undefined ? [] : KEPT.map((name) => ({ request: own.request, place: 'header', name, value: '' }))
}
