/** IRC (RFC 2812): many servers say nothing before the client does. A PING registers nobody and is answered all the same. */
import { identify, serviceOf } from '../../knowledge/services/services.ts'
import type { Probe } from './probe.ts'
import { aLine, textOf } from './talk.ts'

const ANSWER = /^(?::\S{1,100} )?(?:PONG |451 |421 |NOTICE |ERROR :|PING :)/m

export const irc: Probe = {
  services: ['irc'],
  run: async (talk) => {
    talk.send('PING :sonde\r\n')
    const text = textOf(await talk.read(aLine))
    return ANSWER.test(text) ? { service: 'irc', ...identify(serviceOf('irc').products, text) } : null
  },
}
