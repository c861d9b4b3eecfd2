/** What the live view of a run says: which module does what, in the reader's language, and how long it still takes. Pure parts of it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { translator } from '../src/knowledge/texts/texts.ts'
import { STATES } from '../src/modules/privacy/facts.ts'
import { MODULE_TITLES } from '../src/modules/titles.ts'
import { doingOf } from '../web/src/doing.ts'
import { DOING } from '../web/src/i18n/de/doing.ts'
import { MODULES as DE } from '../web/src/i18n/de/modules.ts'
import { MODULES as EN } from '../web/src/i18n/en/modules.ts'
import { leftOf } from '../web/src/left.ts'
import { saidIn } from '../web/src/phrases.ts'

describe('titles of modules', () => {
  const keyed = (titleOf: (id: string, english: string) => string) =>
    Object.fromEntries(Object.entries(MODULE_TITLES).map(([id, title]) => [`module_${id}`, titleOf(id, title)]))

  test('are those of findings and reports, in both languages', () => {
    expect(EN).toEqual(keyed((_, english) => english))
    expect(DE).toEqual(keyed(translator('de').module))
  })
})

describe('what a run says that it does', () => {
  test.each([
    ['one module', 'tls: 214 of 331 cipher suites', { tls: '214 of 331 cipher suites' }],
    ['two that say the same', 'dns, mail: starting', { dns: 'starting', mail: 'starting' }],
    ['several', 'tls-deep: 1 of 2; xss: a: 3 of 4 places', { 'tls-deep': '1 of 2', xss: 'a: 3 of 4 places' }],
    ['a semicolon of its own', 'crawl: page; with more; dns: x', { crawl: 'page; with more', dns: 'x' }],
    ['an address in it', 'privacy: accept: opening http://a.test/', { privacy: 'accept: opening http://a.test/' }],
  ])('%s', (_, line, expected) => {
    expect(Object.fromEntries(doingOf(line) ?? [])).toEqual(expected)
  })

  test.each(['Judging what was found', 'Waiting: for a worker', ''])('%j names no module', (line) => {
    expect(doingOf(line)).toBeNull()
  })

  test('is said in German with its values, those of them too that are words', () => {
    expect(saidIn(DOING, '214 of 331 cipher suites')).toBe('214 von 331 Cipher-Suites')
    expect(saidIn(DOING, 'what was stored: 3 of 80 places')).toBe('was gespeichert wurde: 3 von 80 Stellen')
    expect(saidIn(DOING, 'untouched: opening https://shop.test/')).toBe('ohne Eingriff: öffnet https://shop.test/')
    expect(STATES.filter((state) => saidIn(DOING, state) === state)).toEqual([])
    expect(saidIn(DOING, 'something that nobody has put into words')).toBe('something that nobody has put into words')
  })

  test('each sentence of a module has its German', () => {
    const source = fileURLToPath(new URL('../src/', import.meta.url))
    const said = ['modules', 'templates', 'engine', 'worker']
      .flatMap((folder) => readdirSync(join(source, folder), { recursive: true, withFileTypes: true }))
      .filter((file) => file.isFile() && /(?<!\.test)\.ts$/.test(file.name) && !file.parentPath.includes('testing'))
      .flatMap((file) => sentences(readFileSync(join(file.parentPath, file.name), 'utf8')))
    expect(said.length).toBeGreaterThan(50)
    expect(said.filter((sentence) => saidIn(DOING, sentence) === sentence)).toEqual([])
  })
})

/** What is given to `progress` as a text, with a value where one is filled in. */
const sentences = (code: string): string[] =>
  [
    ...code.matchAll(
      /(?:[^a-zA-Z]|limits\.)(?:progress|tell)\(\s*(?:'(?:judge|report)', )?(?:again \? )?(['`])(.*?)\1/g,
    ),
  ]
    .map((match) => (match[2] ?? '').replace(/\$\{(?:last|beside)\}/g, '').replace(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, '7'))
    .filter((text) => /[a-z].* |.* .*[a-z]/.test(text))

describe('how long it still takes', () => {
  const minutes = (least: number, most: number) => ({ least_ms: least * 60_000, most_ms: most * 60_000 })
  test.each([
    ['a range', minutes(3, 7), 0, 'leftMinutes', { least: 3, most: 7 }],
    ['counted on from when it was asked for', minutes(3, 7), 120_000, 'leftMinutes', { least: 1, most: 5 }],
    ['near to each other', minutes(3, 4), 0, 'leftAbout', { most: 4 }],
    ['nothing at the least', minutes(0.2, 4), 0, 'leftUpTo', { most: 4 }],
    ['seconds', minutes(0.1, 0.8), 0, 'leftSeconds', {}],
    ['hours', minutes(80, 200), 0, 'leftHours', { least: 1.5, most: 3.5 }],
    ['it should be over', minutes(1, 2), 130_000, 'leftSoon', {}],
  ])('%s', (_, remaining, since, key, values) => {
    expect(leftOf(remaining, since)).toEqual({ key, values })
  })
})
