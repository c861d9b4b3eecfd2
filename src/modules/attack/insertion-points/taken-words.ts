/** Whether a word of a path is a value, or the name of a program. */
import { segmentsOf, withSegmentAt } from '../../../page/segments.ts'
import { withSegment } from './compose.ts'
import { identical, moves, noiseOf } from './likeness.ts'
import { madeOf } from './likes.ts'
import { NUMBER } from './packed.ts'
import type { Probe, Reply } from './prober.ts'
import { WORD } from './word.ts'

/**
 * Whether the program behind a word of a path takes another word for it: an answer of the same kind that changes with the word, or
 * repeats it; of a record that is not there, one of its own. Elsewhere the word is the program's name.
 */
export const takesWords = async (probe: Probe): Promise<boolean> => {
  const [baseline, control] = [await probe.baseline(), await probe.control()]
  if (control.location !== '') return false
  if (control.status !== baseline[0].status) return (await isRewritten(probe)) || isOwnRefusal(probe, control)
  return (
    control.text.includes(control.value) ||
    moves(control, baseline, [probe.point.value]) ||
    isTakenUnseen(probe, baseline, control)
  )
}

/**
 * What stores or looks up what ends the path, and says nothing of it, answers any word alike, and its address without one otherwise: what hands all
 * addresses of a folder to one page does not.
 */
const isTakenUnseen = async (probe: Probe, baseline: readonly [Reply, Reply], control: Reply): Promise<boolean> => {
  const { request, point } = probe
  const at = Number(point.name)
  const noise = noiseOf(baseline)
  if (at < 1 || at !== segmentsOf(request.url).length - 1 || !identical(control, baseline[0], noise)) return false
  const without = await probe.send('', { change: (sent) => ({ ...sent, url: withSegmentAt(sent.url, at, '') }) })
  return without.location === '' && !identical(without, baseline[0], noise)
}

/**
 * What a program says of a word that it does not know is made otherwise than what the server says where no program is, in a folder that
 * there is not; or it says another thing of signs that few languages survive.
 */
const isOwnRefusal = async (probe: Probe, control: Reply): Promise<boolean> => {
  const at = Number(probe.point.name)
  if (at < 1) return false
  const missing = await probe.send(WORD, {
    change: (request) => ({ ...request, url: withSegment(withSegment(request.url, at, WORD), at - 1, WORD) }),
  })
  if (missing.location !== '') return false
  const { url } = probe.request
  if (madeOf(missing, url) !== madeOf(control, url)) return true
  const { status } = await probe.broken()
  return status >= 500 && control.status < 500
}

/**
 * `part-12.html` may be a file, or what a rule for addresses (`part-*.html`) hands to a program: with a word in the place of its number
 * that one is answered otherwise than a name that no rule has.
 */
const isRewritten = async (probe: Probe): Promise<boolean> => {
  const { name, within } = probe.point
  if (within?.steps.at(-1) !== NUMBER) return false
  const unruled = `${WORD}${/\.\w+$/.exec(within.whole)?.[0] ?? ''}`
  const asked = await probe.send(WORD, {
    change: (request) => ({ ...request, url: withSegment(request.url, Number(name), unruled) }),
  })
  return !identical(await probe.send(WORD), asked, noiseOf(await probe.baseline()))
}
