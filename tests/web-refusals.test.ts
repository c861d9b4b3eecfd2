/** What the service refuses is said in German to whoever reads German: each sentence that a person in the application can meet. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { PHRASES } from '../web/src/i18n/de/phrases.ts'
import { saidIn } from '../web/src/phrases.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** A refusal as the interface writes it. */
const REFUSAL = /ProblemError\(\s*'[a-z_]+',\s*(?:'((?:\\.|[^'\\])+)'|`((?:\\.|[^`\\])+)`)/g
/** What programs alone meet: requests that the application does not send. */
const OF_PROGRAMS =
  /^(?:This path takes|The cursor is not|The request (?:cannot|headers|did not|could not)|This is no proxy|Send the body as|The only expectation|This endpoint answers|The database refuses|The run is not leased|A message with a number|Pages of other origins|Options stand in the body|Files are served by|The file has|The format takes)/

test('each refusal has its German', () => {
  const refused = globSync('src/api/**/*.ts', { cwd: ROOT })
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) =>
      [...readFileSync(join(ROOT, path), 'utf8').matchAll(REFUSAL)].map(([, text, template = '']) =>
        (text ?? template).replaceAll("\\'", "'").replaceAll(/\$\{[^}]*\}/g, '7'),
      ),
    )
    .filter((sentence) => sentence.endsWith('.') && !OF_PROGRAMS.test(sentence) && !/\d\./.test(sentence))
  expect(refused.length).toBeGreaterThan(40)
  expect(refused.filter((sentence) => saidIn(PHRASES, sentence) === sentence)).toEqual([])
})

test.each([
  ['Too many requests. Try again in 7 s.', 'Zu viele Anfragen. Versuchen Sie es in 7 s noch einmal.'],
  [
    'It was not asked who may do what: something of a site.',
    'Es wurde nicht gefragt, wer was darf: something of a site.',
  ],
])('%s', (english, german) => expect(saidIn(PHRASES, english)).toBe(german))
