/** What people read of findings, in German: all of it, of the English texts of now, and with the same code in it. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { staleTexts, withText } from '../scripts/texts.ts'
import {
  hashOf,
  PARTS,
  parseSentences,
  parseTexts,
  resolved,
  textFiles,
  translatorOf,
} from '../src/knowledge/texts/texts.ts'
import { MODULES } from '../src/modules/index.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const files = textFiles('de')
const { sentences = '', ...modules } = Object.fromEntries(files)
const texts = new Map(Object.values(modules).flatMap((source) => [...parseTexts(source)]))
const definitions = MODULES.flatMap(({ checks }) => checks.flatMap(({ findings }) => findings))
const german = (id: string, index: number): string => resolved(texts, texts.get(id)?.[index]?.text ?? '', index)

describe('texts of findings', () => {
  test('each definition has them, of its English texts as they are', () => {
    expect(staleTexts(definitions, texts)).toEqual([])
  })
  test('each module has a title, and nothing is left of what is gone', () => {
    expect(MODULES.filter(({ id, title }) => texts.get(id)?.[0]?.of !== hashOf(title)).map(({ id }) => id)).toEqual([])
    const ids = new Set([...definitions, ...MODULES].map(({ id }) => id))
    expect([...texts.keys()].filter((id) => !ids.has(id))).toEqual([])
    expect(Object.keys(modules).toSorted()).toEqual(MODULES.map(({ id }) => id).toSorted())
  })
  test('none is the English one', () => {
    const same = definitions.flatMap((one) =>
      PARTS.filter((part, index) => german(one.id, index) === one[part]).map((part) => `${one.id} ${part}`),
    )
    expect(same).toEqual([])
  })
  test('code stays code: what stands between backticks is what the English has, but for placeholders', () => {
    const code = (text: string): readonly string[] =>
      [...text.matchAll(/`([^`]+)`/g)]
        .map(([, span = '']) => span.replace(/<[^>]* [^>]*>|\{[^}:;]*\}/g, '…'))
        .toSorted()
    const other = definitions.flatMap((one) =>
      PARTS.flatMap((part, index) => {
        const [want, have] = [code(one[part]).join('\n'), code(german(one.id, index)).join('\n')]
        return want === have ? [] : [`${one.id} ${part}: ${want} is not ${have}`]
      }),
    )
    expect(other).toEqual([])
  })
  test('a changed text is told in a sentence, and looking at it ends that', () => {
    const [definition] = definitions
    if (definition === undefined) throw new Error('There is no definition')
    const changed = { ...definition, why: 'Something else.' }
    expect(staleTexts([changed], texts)).toEqual([
      expect.stringContaining(`${changed.id}: its English why has changed`),
    ])
    const source = modules[changed.id.split('/')[0] ?? ''] ?? ''
    expect(staleTexts([changed], parseTexts(withText(source, changed)))).toEqual([])
    expect(staleTexts([{ ...changed, id: 'site/never-was' }], texts)).toEqual([
      expect.stringContaining('has no German text'),
    ])
  })
})

/** Sentences that the code puts together: their parts. */
const COMPOSED: Readonly<Record<string, readonly string[]>> = {
  'it builds on {1}, which was skipped': ['it builds on ', ', which ', 'was skipped'],
  'it builds on {1}, which failed': ['it builds on ', ', which ', "'failed'"],
  'the module failed: {1}': ['the module failed'],
  'of {1} operations that read: {2}': ['operations that read'],
  'of {1} sign-ins: {2}': ['sign-ins'],
  'for {1} other reason': [' other ', "'reason'"],
  'not opened in the browser: {1}': ['not opened in the browser'],
  'vulnerabilities that rest on a version string alone are left out, since this run did not ask for possible CVEs: {1}':
    ['vulnerabilities that rest on a version string alone are left out, since this run did not ask for possible CVEs'],
  'No consent dialog was found, so there was nothing to press.': [
    'no consent dialog was found, so there was nothing to press',
  ],
  'no login was found': ["'login'"],
  'no form for one-time codes was found': ["'form for one-time codes'"],
  'no form for resetting passwords was found': ["'form for resetting passwords'"],
  'no place for the code of a coupon was found': ["'place for the code of a coupon'"],
  'The questions for names that nobody chose': ['The questions for names that nobody chose were'],
  'it needs two identities ({1})': ['it needs two identities'],
  'it needs two identities of different roles, by words such as administrator, editor, customer ({1})': [
    'it needs two identities of different roles, by words such as administrator, editor, customer',
  ],
  'nobody was signed in ({1})': ['nobody was signed in'],
  'No name server of {1} could be asked directly.': ['No name server of ', ' could be asked directly'],
  'No name server of {1} could be asked directly ({2}).': ['No name server of ', ' could be asked directly'],
  'not asked to the end afterwards, as its share of the requests was used up': [
    'not asked to the end afterwards, as ',
    "'its share of the requests was used up'",
  ],
  'of {1} fields for files {2} were asked, and what became of an archive was seen of {3}': [
    ' fields for files ',
    ' were asked, and what became of ',
    ' was seen of ',
  ],
  'auth_lost: the session could not be begun anew; {1} of its requests came after the last proof': [
    ': the session could not be begun anew',
    ' of its requests came after the last proof',
  ],
}

/** A reason as it is written where a check gives it, or says what there was none of. */
const REASON = /(?:\b(?:reason|absent): |\bnotAsked\('\w+', )(?:'((?:\\.|[^'\\])+)'|`((?:\\.|[^`\\])+)`)(?=\s*[,})])/g
/** Sentences that are values of others for the most part, or that only the log has. */
const OF_VALUES = /^7|7$|^no 7|7, 7|auth_lost/

/** Where the headings of a table stand: by name, or third of what makes one. */
const HEADINGS = /\b(?:columns: |table\(\s*'[^']+',\s*'[^']+',\s*)\[([^\]]*)\]/g
const SAME = new Set([
  ...[
    'CPE',
    'Client',
    'Code',
    'Cookie',
    'DS',
    'Domain',
    'Feed',
    'Header',
    'Hosts',
    'Name',
    'Operation',
    'Port',
    'SHA-256',
  ],
  ...['STARTTLS', 'Server', 'Status', 'Suite', 'TLS', 'TLSA', 'Templates', 'Version', 'Zone'],
])

describe('sentences', () => {
  const known = parseSentences(sentences)
  const { sentence, part } = translatorOf('de', files)

  test('each is still said somewhere', () => {
    const sources = globSync('src/{modules,engine,knowledge,contract,safety,store,worker}/**/*.ts', { cwd: ROOT })
      .filter((path) => !path.endsWith('.test.ts'))
      .map((path) => readFileSync(join(ROOT, path), 'utf8').replaceAll("\\'", "'"))
      .join('\n')
    const isSaid = (piece: string): boolean => piece.length < 3 || sources.includes(piece)
    const lost = [...known.keys()].filter((english) => {
      const pieces = COMPOSED[english] ?? english.split(/\{\d\}/).map((piece) => piece.trim())
      return !pieces.every(isSaid)
    })
    expect(lost).toEqual([])
  })
  test.each([
    ['only an active run looks at this', 'nur ein aktiver Lauf prüft dies'],
    ['it builds on dns, which was skipped', 'es baut auf dns auf, das ausgelassen wurde'],
    [
      'of 9 places: 2 left alone: it deletes, 7 for 3 other reasons',
      'von 9 Stellen: 2 ausgelassen: es löscht, 7 aus 3 anderen Gründen',
    ],
    [
      'No TCF string was seen. No consent dialog was found.',
      'Es wurde kein TCF-String gesehen. Es wurde kein Einwilligungsdialog gefunden.',
    ],
    ['no TLS here; nobody knows why', 'no TLS here; nobody knows why'],
    ['nginx 1.18.0 has known vulnerabilities', 'nginx 1.18.0 hat bekannte Schwachstellen'],
  ])('%s', (english, text) => expect(sentence(english)).toBe(text))
  test('each heading of a table has one, but for names that German has as well', () => {
    const headings = globSync('src/{modules,worker}/**/*.ts', { cwd: ROOT })
      .filter((path) => !/\.test\.ts$|\/testing\//.test(path))
      .map((path) => readFileSync(join(ROOT, path), 'utf8'))
      .filter((source) => source.includes('FactTable'))
      .flatMap((source) => [...source.matchAll(HEADINGS)])
      .flatMap(([, list = '']) => [...list.matchAll(/'([^']+)'/g)].map(([, heading = '']) => heading))
    expect(new Set(headings).size).toBeGreaterThan(90)
    expect([...new Set(headings)].filter((one) => !known.has(one) && !SAME.has(one)).toSorted()).toEqual([])
  })
  test('what is written as the reason of a check has one, wherever it is all of the sentence', () => {
    const without = globSync('src/modules/**/*.ts', { cwd: ROOT })
      .filter((path) => !/\.test\.ts$|\/testing\//.test(path))
      .flatMap((path) =>
        [...readFileSync(join(ROOT, path), 'utf8').matchAll(REASON)].flatMap(([, of = '', words = '']) => {
          const english = (of || words).replaceAll("\\'", "'").replaceAll(/\$\{[^}]*\}/g, '7')
          return /^\S+ \S+ \S/.test(english) && !OF_VALUES.test(english) && sentence(english) === english
            ? [`${path}: ${english}`]
            : []
        }),
      )
    expect(without).toEqual([])
  })
  test('a text of an older version keeps its words', () => {
    expect(part('site/soft-404', 'title', 'Soft 404, as it was called')).toBe('Soft 404, as it was called')
  })
})
