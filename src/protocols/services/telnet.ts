/** Telnet (RFC 854): the options a server negotiates, each refused, and the text that follows. */
import { identify, serviceOf } from '../../knowledge/services/services.ts'
import type { Probe } from './probe.ts'
import { textOf } from './talk.ts'

const IAC = 255
const [WILL, WONT, DO, DONT] = [251, 252, 253, 254]

export const telnet: Probe = {
  services: ['telnet'],
  greets: true,
  run: async (talk) => {
    const first = await talk.read()
    const refusals = refuse(first)
    if (refusals.length > 0) talk.send(refusals)
    const rest = refusals.length > 0 ? await talk.read(undefined, 1_500) : Buffer.alloc(0)
    const text = textOf(Buffer.concat([first, rest])).replace(/\xff[\xfb-\xfe]./gs, '')
    if (refusals.length === 0 && !/(?:login|username|password): ?$/i.test(text.slice(-40))) return null
    return { service: 'telnet', ...identify(serviceOf('telnet').products, text) }
  },
}

/** DONT for every WILL, WONT for every DO. */
const refuse = (bytes: Buffer): Buffer => {
  const answers: number[] = []
  for (let at = 0; at + 2 < bytes.length && answers.length < 96; at += 1) {
    const [verb = 0, option = 0] = [bytes[at + 1], bytes[at + 2]]
    if (bytes[at] !== IAC || (verb !== WILL && verb !== DO)) continue
    answers.push(IAC, verb === WILL ? DONT : WONT, option)
    at += 2
  }
  return Buffer.from(answers)
}
