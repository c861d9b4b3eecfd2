import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it, test } from 'vitest'
import { figuresOf, longFunctionsOf, walksOf } from '../scripts/house.ts'
import { importsOf } from './support/imports.ts'

const root = mkdtempSync(join(tmpdir(), 'sonde-house-'))
afterAll(() => rmSync(root, { recursive: true }))

const FILES: Readonly<Record<string, string>> = {
  'src/modules/attack/one/module.ts': `import { a } from './collect.ts'\nexport const one = { needs: ['two'], a }\n`,
  'src/modules/attack/one/collect.ts':
    "import type { Two } from '../two/facts.ts'\nimport { b } from '../two/inside.ts'\nimport { c } from '../three/facts.ts'\nexport const a = (two: Two) => {\n  return [b, c, two]\n}\n",
  'src/modules/attack/two/module.ts': 'export const two = { needs: [] }\n',
  'src/modules/attack/two/facts.ts': 'export interface Two {}\n',
  'src/modules/attack/two/inside.ts': "import { a } from '../one/collect.ts'\nexport const b: unknown = () => a\n",
  'src/modules/attack/three/module.ts': 'export const three = { needs: [] }\n',
  'src/modules/attack/three/facts.ts': 'export const c = 3\n',
  'src/modules/attack/three/facts.test.ts':
    "import { c } from './facts.ts'\nimport { b } from '../two/inside.ts'\n[b, c]\n",
}

it('counts files, crossings, circles and lines, and leaves tests out', () => {
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(join(root, dirname(file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  expect(Object.fromEntries(figuresOf(root))).toMatchObject({
    'files of the product': '7',
    'lines of the product': '14',
    'files imported by one file alone': '3',
    'imports from module to module': '4 over 3 pairs',
    'of these past the facts': '2 over 2 pairs',
    'pairs neither needed nor used': '2',
    'circles of values': '1',
    'longest function, lines': '3 (collect.ts:4)',
  })
})

test('no function of the product is over 100 lines', () => expect(longFunctionsOf('.')).toEqual([]))

it('names those that are, the longest first', () => {
  const long = (lines: number): string => `export const f = () => {\n${'  void 0\n'.repeat(lines - 2)}}\n`
  mkdirSync(join(root, 'long/src'), { recursive: true })
  for (const lines of [100, 101, 120]) writeFileSync(join(root, `long/src/of-${lines}.ts`), long(lines))
  const wrapped = long(108).replace('() => {', `(\n${'abcdefgh'.replace(/./g, '  $&: string,\n')}): void => {`)
  writeFileSync(join(root, 'long/src/wrapped.ts'), wrapped)
  expect(longFunctionsOf(join(root, 'long'))).toEqual([
    'src/of-120.ts:1, 120 lines',
    'src/wrapped.ts:1, 117 lines',
    'src/of-101.ts:1, 101 lines',
  ])
})

describe('the walks', () => {
  const walks = walksOf('.')

  test('there are five', () => expect(walks.map(({ files }) => files.length)).toHaveLength(5))

  test.each(walks.map((walk) => [walk.name, walk] as const))(
    '%s passes files that know one another',
    (_name, { files, hops }) => {
      expect(new Set(files).size).toBe(files.length)
      const imports = files.flatMap((file) => importsOf(`src/${file}`, readFileSync(`src/${file}`, 'utf8')))
      const strangers = files.filter((file, at) => {
        if (at === 0 || hops.includes(at)) return false
        const earlier = new Set(files.slice(0, at).map((one) => `src/${one}`))
        return !imports.some(
          ({ from, to }) => (earlier.has(from) && to === `src/${file}`) || (from === `src/${file}` && earlier.has(to)),
        )
      })
      expect(strangers).toEqual([])
    },
  )
})
