/** What CONTRIBUTING.md shows a newcomer is true: its example compiles and its test passes, and so does what check:new writes. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { newCheck } from '../scripts/new-check.ts'
import { textsFile } from '../scripts/texts.ts'
import { parseTexts } from '../src/knowledge/texts/texts.ts'
import { MODULES } from '../src/modules/index.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const ID = 'headers/x-robots-tag-noindex'
const CHECK = 'src/modules/passive/headers/x-robots-tag-noindex.ts'
const TEST = CHECK.replace(/ts$/, 'test.ts')
const folder = mkdtempSync(join(tmpdir(), 'sonde-contributing-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Puts files of the product beside it: what they import is the product's own but for each other. */
const place = (name: string, files: Readonly<Record<string, string>>): string => {
  const home = join(folder, name)
  for (const [path, text] of Object.entries(files)) {
    const target = join(home, path)
    mkdirSync(dirname(target), { recursive: true })
    const there = (address: string): string => {
      const own = resolve(ROOT, dirname(path), address)
      const placed = resolve(home, dirname(path), address)
      return Object.keys(files).some((each) => join(home, each) === placed) ? placed : own
    }
    writeFileSync(
      target,
      text.replace(/from '(\.[^']+)'/g, (_, address: string) => `from '${there(address)}'`),
    )
  }
  return home
}

const typesOf = (home: string): string => {
  const settings = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: { typeRoots: [join(ROOT, 'node_modules/@types')] },
    include: [home],
  }
  writeFileSync(join(home, 'package.json'), JSON.stringify({ type: 'module' }))
  writeFileSync(join(home, 'tsconfig.json'), JSON.stringify(settings))
  const { stdout, stderr } = spawnSync('tsc', ['-p', home], { encoding: 'utf8' })
  return `${stdout}${stderr}`
}

const [check = '', table = ''] = [
  ...readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').matchAll(/^ {3}```ts\n([\s\S]*?)^ {3}```/gm),
].map(([, block = '']) => block.replace(/^ {3}/gm, ''))
const example = place('example', { [CHECK]: check, [TEST]: table })

describe('the example', () => {
  test('has the right types', { timeout: 120_000 }, () => expect(typesOf(example)).toBe(''))
})
await import(join(example, TEST))

describe('check:new', () => {
  test('writes what has the right types and the id of the example', { timeout: 120_000 }, () => {
    const { files } = newCheck(ID)
    expect(Object.keys(files)).toEqual(expect.arrayContaining([CHECK, TEST]))
    expect(typesOf(place('made', { [CHECK]: files[CHECK] ?? '', [TEST]: files[TEST] ?? '' }))).toBe('')
  })

  test.each(MODULES.map(({ id }) => id))('knows where a check of %s goes', (id) => {
    const { files } = newCheck(`${id}/never-was`)
    const [module = ''] = Object.keys(files).filter((path) => path.endsWith('/module.ts'))
    expect(files[module]).toMatch(/^import \{ neverWas \} from '\.\/never-was\.ts'$/m)
    expect(files[module]).toMatch(
      /^ {2}checks: \[(?:[^\n]*, neverWas|[^\n]*(?:\n {4,}[^\n]*,)+\n {4}neverWas,\n {2})\](?:\.map\(\w+\))?,$/m,
    )
    expect(files['src/knowledge/ratings/checks.ratings']).toContain(`\n${id}/never-was hardening\n`)
    expect(parseTexts(files[textsFile(id)] ?? '').get(`${id}/never-was`)).toHaveLength(3)
  })

  test('makes a module where its room is named', () => {
    const { files } = newCheck('network/never-was/at-all')
    const folder = 'src/modules/network/never-was'
    expect(files[`${folder}/module.ts`]).toMatch(/^ {2}checks: \[atAll\],$/m)
    expect(files[`${folder}/at-all.ts`]).toContain("Check<'never-was', 'site'>")
    expect(files['src/modules/facts.ts']).toMatch(/^ {2}'never-was': NeverWasFacts\n\}$/m)
    expect(files['src/modules/index.ts']).toMatch(/^ {2}neverWas,\n {2}\/\/ one line a module$/m)
    expect(files['src/modules/titles.ts']).toMatch(/^ {2}'never-was': 'Heading of the report',\n\}$/m)
    expect([...parseTexts(files['src/knowledge/texts/de/never-was.texts'] ?? '').keys()]).toEqual([
      'never-was',
      'never-was/at-all',
    ])
    expect(files['docs/architecture.md']).toMatch(/├─ network {4}ports.*\n +│ {13}never-was\n +├─ attack /)
  })

  test.each([
    ['headers', /is no id/],
    ['nothing/at-all', /no module "nothing"/],
    ['headers/framing', /framing\.ts exists/],
  ])('%s is refused in a sentence', (id, message) => {
    expect(() => newCheck(id)).toThrow(message)
    expect(existsSync(join(ROOT, 'src/modules/nothing'))).toBe(false)
  })
})
