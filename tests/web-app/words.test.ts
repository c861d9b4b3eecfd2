/** The dictionaries are whole, agree in what they fill in, and hold nothing that nobody says. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { expect, test } from 'vitest'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { ErrorKind } from '../../src/contract/run.ts'
import { CSRF_HEADER } from '../../src/contract/session.ts'
import { DE as COMMON_DE } from '../../web/src/i18n/de.ts'
import { EN as COMMON_EN } from '../../web/src/i18n/en.ts'
import * as rooms from '../../web/src/i18n/rooms.ts'

const SOURCES = fileURLToPath(new URL('../../web/src/', import.meta.url))
const code = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('i18n/'))
  .map((file) => readFileSync(join(SOURCES, file), 'utf8'))
  .join('\n')
const ROOMS = Object.values(rooms)
const EN: Readonly<Record<string, string>> = Object.assign({}, COMMON_EN, ...ROOMS.map(({ en }) => en))
const DE: Readonly<Record<string, string>> = Object.assign({}, COMMON_DE, ...ROOMS.map(({ de }) => de))
const words = Object.entries(EN)
/** What programs say many times in a minute; the activity log has none of it. */
const NOT_TOLD = new Set(['callMcp', 'beatAgentRun', 'listAgentCalls', 'tellAgentRun', 'putAgentEvidence'])

test('both languages have the same words, none of them empty', () => {
  expect(Object.keys(DE).toSorted()).toEqual(Object.keys(EN).toSorted())
  expect([...words, ...Object.entries(DE)].filter(([, text]) => text.trim() === '')).toEqual([])
})

test('no word of a part is one of all pages, too', () => {
  const own = ROOMS.flatMap(({ en }) => Object.keys(en))
  expect(own.filter((key, n) => Object.hasOwn(COMMON_EN, key) || own.indexOf(key) !== n)).toEqual([])
})

test('both languages fill in the same values, and count alike', () => {
  const kinds = new Set([TYPE.argument, TYPE.number, TYPE.plural])
  const shape = (text: string): readonly string[] =>
    parse(text, { ignoreTag: true })
      .flatMap((part) => (kinds.has(part.type) && 'value' in part ? [`${part.value} ${TYPE[part.type]}`] : []))
      .toSorted()
  for (const [key, text] of words) expect([key, shape(DE[key] ?? '')]).toEqual([key, shape(text)])
})

test('every word is said somewhere', () => {
  const families = [...code.matchAll(/`(\w+_)\$\{/g)].map((match) => match[1] ?? '')
  const unsaid = words
    .map(([key]) => key)
    .filter((key) => !code.includes(`'${key}'`) && !families.some((family) => key.startsWith(family)))
  expect(unsaid).toEqual(['recurring'].filter((key) => !code.includes(`'${key}'`)))
})

test('German speaks to people as letters to them do: as "Sie"', () => {
  const familiar = /\b(?:du|dich|dir|dein\w*|bist|hast|darfst|kannst|willst|siehst|musst)\b/i
  const ordered =
    /(?:^|[.:;,{!] ?|\bund )(?:warte|beginne|füge|starte|weise|nimm|sieh|wähle|gib|versuche|melde|mach|lies|lege|lass|kopiere|nenne|frage|veröffentliche|ändere|öffne)\b/i
  expect(Object.entries(DE).filter(([, text]) => familiar.test(text) || ordered.test(text))).toEqual([])
})

test('every kind of failure has its words', () => {
  expect(ErrorKind.options.map((kind) => `error_${kind}`).filter((key) => !Object.hasOwn(EN, key))).toEqual([])
})

test('no words are kept for a change that nobody can make', () => {
  const actions = words.flatMap(([key]) => (key.startsWith('action_') ? [key.slice('action_'.length)] : []))
  expect(actions.length).toBeGreaterThan(10)
  expect(actions.filter((action) => !Object.hasOwn(ENDPOINTS, action))).toEqual([])
})

test('every change that the activity tells of has its words', () => {
  const told = Object.entries(ENDPOINTS).flatMap(([name, { method }]) =>
    method === 'GET' || NOT_TOLD.has(name) ? [] : [name],
  )
  expect(told.filter((name) => !Object.hasOwn(EN, `action_${name}`))).toEqual([])
})

test('the page sends its token under the name that the interface reads', () => {
  expect(code).toContain(`const CSRF_HEADER = '${CSRF_HEADER}'`)
})
