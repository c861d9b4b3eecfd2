/** Headers whose values are kept from all facts, by their names. */
import { wordsOf } from '../../../safety/words.ts'

/** Whether its value may let somebody in, or be good once: "X-Api-Key" and "X-CSRF-Token", and neither "X-Author" nor "X-Article-Key". */
export const mayBeSecret = (name: string): boolean => {
  const words = wordsOf(name)
  return words.some((word, at) => SECRET.test(word) || (isKey(word) && OPENS.test(words[at - 1] ?? 'x')))
}

const SECRET =
  /auth(?!ors?$|oring$)|token|secret|session|cookie|csrf|xsrf|jwt|bearer|passw|credential|(?:api|access|private|auth|license|licence|idempotency)keys?$/
const isKey = (word: string): boolean => word === 'key' || word === 'keys'

/** What a key that stands behind it opens, or whose it is; that of an article is looked up by it. */
const OPENS =
  /^(?:x|api|access|private|subscription|licen[cs]e|master|app|application|client|account|shared|functions?|service|project|idempotency|encryption|signing|customer|consumer|user|tenant|site|public|publishable|admin|partner|merchant|device|server|host|integration|write|read|ingest)$/
