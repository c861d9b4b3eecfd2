/** A place without a server: what it answers is a function of the value. */
import type { HttpRequest } from '../../../../egress/door/egress.ts'
import { compose } from '../compose.ts'
import type { ProbePoint } from '../inventory.ts'
import type { Probe, Reply } from '../prober.ts'
import { createTurns } from '../turns.ts'
import { breakOut, conjunction, controlValue, sentinel, WORD } from '../word.ts'

export interface FakeProbe {
  readonly probe: Probe
  /** Values in the order in which they were sent; what is shared by modules among them once. */
  readonly sent: string[]
}

interface Answer {
  readonly status?: number
  readonly text: string
  readonly contentType?: string
  readonly location?: string
  readonly ms?: number
  readonly headers?: Reply['headers']
}

/** `answer` of the place's own value is its page as in ordinary use; `changed` is the request where a probe alters more of it. */
export const fakeProbe = (
  answer: (value: string, changed?: HttpRequest) => Answer,
  change: Partial<Omit<ProbePoint, 'request'>> & { readonly request?: Partial<ProbePoint['request']> } = {},
): FakeProbe => {
  const request: ProbePoint['request'] = {
    ...{ id: 'r', method: 'GET', url: 'http://shop.test/', headers: [], body: null, effect: 'reads', seenOn: [] },
    ...change.request,
  }
  const point: ProbePoint = { place: 'query', name: 'q', value: 'tent', ...change, request }
  const sent: string[] = []
  const replyTo = (value: string, changed?: HttpRequest): Reply => {
    const {
      status = 200,
      text,
      contentType = 'text/html',
      location = '',
      ms = 20,
      headers = [],
    } = answer(value, changed)
    return { value, status, text, contentType, location, headers, ms, replay: `curl ${value}` }
  }
  const send: Probe['send'] = async (value, asking) => {
    sent.push(value)
    const composed = asking?.change ? compose(point, value) : null
    return replyTo(value, composed ? asking?.change?.(composed) : undefined)
  }
  const shared = new Map<string, Promise<Reply>>()
  const once = (value: string): Promise<Reply> => {
    const known = shared.get(value) ?? send(value)
    shared.set(value, known)
    return known
  }
  const baseline = [
    { ...replyTo(point.value), value: '' },
    { ...replyTo(point.value), value: '' },
  ] as const
  return {
    sent,
    probe: {
      request,
      point,
      send,
      baseline: async () => baseline,
      doubt: async () => false,
      control: () => once(controlValue(point.value)),
      word: () => once(/^\d+$/.test(point.value) ? WORD : controlValue(point.value)),
      broken: () => once(breakOut(point.value, point.place)),
      sentinel: () => once(sentinel(point.value)),
      joined: (quote) => once(conjunction(point.value, quote, '2*3=6')),
      timings: () => Array.from({ length: 8 }, () => 20),
      alone: (work) => work(),
      end: () => undefined,
      anew: (what) => send((what === 'broken' ? breakOut : controlValue)(point.value)),
      turns: createTurns(3),
      sleepers: 2,
      sent: () => sent.length,
      pursue: () => undefined,
      leave: () => undefined,
    },
  }
}
