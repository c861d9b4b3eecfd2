/** Payloads for a string that a page's own script made: what stood around our word says how to leave it. */
import { contextsOf } from '../contexts.ts'
import { CALL } from '../payloads/calls.ts'
import { candidatesFor } from '../payloads/candidates.ts'
import { UNFILTERED } from '../payloads/filter-profile.ts'
import { codeAt } from '../scripts.ts'

export type Sink =
  | 'html'
  | 'code'
  | 'script'
  | 'address'
  | 'location'
  | 'window'
  | 'selector'
  | 'text'
  | 'fetch'
  | 'json'
  | 'base64'

const MOST = 4
/** Of markup that a script puts in, these run: neither its scripts nor the loading of its svg do. */
const DRAWN: ReadonlySet<string> = new Set(['img', 'details', 'iframe'])
const MOST_DRAWN = 2

/** The most telling first. `value` is what the sink was given, `word` stands in it. */
export const domPayloads = (sink: Sink, value: string, word: string, nonce: number): readonly string[] => {
  const making = { ways: UNFILTERED, nonce, dress: 'plain', lost: new Set<string>() } as const
  switch (sink) {
    case 'text':
      return domPayloads('html', word, word, nonce)
    case 'html': {
      const made = contextsOf(value, word)
        .flatMap((context) => {
          const all = [...candidatesFor({ ...making, context })].filter(({ itself }) => itself)
          // One that needs a bracket is enough of its kind; those without go on where brackets are taken out.
          const drawn = all.filter(({ tag, payload }) => tag !== null && DRAWN.has(tag) && payload.includes('<'))
          const within = all.filter(({ payload }) => !payload.includes('<'))
          return [...drawn.slice(0, MOST_DRAWN), ...within.slice(0, MOST)]
        })
        .map(({ payload }) => payload)
        .slice(0, MOST)
      // Some replace a sign once.
      const [first] = made
      return first?.startsWith('<') ? [...made, `<>"'${first}`] : made
    }
    case 'code':
      return inCode(value, word, nonce)
    case 'script':
      // Two slashes, which code takes for a comment: some scripts take nothing else for an address.
      return value.trim().startsWith(word) ? [`data:text/javascript,${CALL}(${nonce})//`] : []
    case 'address':
    case 'location':
    case 'window': {
      const code = /^\s*javascript:(.*)/is.exec(value)?.[1]
      if (code?.includes(word)) return inCode(code, word, nonce)
      if (!value.trim().startsWith(word)) return []
      // A new window has no call of its own yet.
      return [...(sink === 'window' ? [`javascript:opener.${CALL}(${nonce})`] : []), `javascript:${CALL}(${nonce})`]
    }
    case 'selector':
      return value.trim().startsWith(word) ? domPayloads('html', word, word, nonce) : []
    case 'fetch':
    case 'json':
    case 'base64':
      return []
  }
}

const inCode = (value: string, word: string, nonce: number): readonly string[] => {
  const quote = codeAt(value, value.indexOf(word))
  const context = { kind: 'script', tag: 'script', attribute: null, quote } as const
  const making = { context, ways: UNFILTERED, nonce, dress: 'plain', lost: new Set<string>() } as const
  return [...candidatesFor(making)]
    .map(({ payload }) => payload)
    .filter((one) => !one.includes('<'))
    .toSorted((a, b) => Number(b.includes('-')) - Number(a.includes('-'))) // Within an object or a call, only an expression goes on.
    .slice(0, MOST)
}
