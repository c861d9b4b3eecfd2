/** Whether a place answers: two silences are alike, and would pass for a page that no value changes. */
import type { Ended } from './planner.ts'
import type { Probe, Reply } from './prober.ts'

/** From so many on, with the last one silent, what answered before answers no more. */
const FEW = 3

export const SILENT: Ended = { end: 'unreachable', reason: 'the page did not answer' }

export interface Heard {
  /** Sends as the other does. */
  readonly probe: Probe
  /** Nothing was answered, or nothing any more; what was asked to wait aside. */
  readonly isSilent: () => boolean
}

export const listening = (probe: Probe): Heard => {
  const heard = { answered: 0, silent: 0, last: false }
  const note = ({ status }: Reply): void => {
    heard.last = status === 0
    if (heard.last) heard.silent += 1
    else heard.answered += 1
  }
  const noted = async (work: Promise<Reply>): Promise<Reply> => {
    const reply = await work
    note(reply)
    return reply
  }
  return {
    isSilent: () => heard.last && (heard.answered === 0 || heard.silent >= FEW),
    probe: {
      ...probe,
      baseline: async () => {
        const both = await probe.baseline()
        for (const reply of both) note(reply)
        return both
      },
      control: () => noted(probe.control()),
      word: () => noted(probe.word()),
      broken: () => noted(probe.broken()),
      sentinel: () => noted(probe.sentinel()),
      anew: (what) => noted(probe.anew(what)),
      joined: (quote) => noted(probe.joined(quote)),
      send: (value, asking = {}) => {
        const sent = probe.send(value, asking)
        return asking.timeout === undefined && asking.waits === undefined ? noted(sent) : sent
      },
    },
  }
}
