import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runInNewContext } from 'node:vm'
import { afterAll, describe, expect, test } from 'vitest'
import { inPageScript, SELF } from './in-page.ts'

const folder = mkdtempSync(join(tmpdir(), 'sonde-in-page-'))
afterAll(() => rmSync(folder, { recursive: true }))
/** Files by name, the entry first. */
const entryOf = (files: Readonly<Record<string, string>>): URL => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return pathToFileURL(join(folder, Object.keys(files)[0] ?? ''))
}
const run = (entry: URL, ...given: unknown[]): unknown =>
  runInNewContext(`(${inPageScript(entry)})(...given)`, { given })

describe('a script for pages', () => {
  test('is one function: files in the order of need, each once, without types', () => {
    const entry = entryOf({
      'main.ts':
        "import type { Name } from './types.ts'\nimport {\n  greet,\n} from './greet.ts'\nimport { mark } from './mark.ts'\nexport const main = (name: Name): string => greet(name) + mark\n",
      'greet.ts':
        "import { mark } from './mark.ts'\nexport const greet = (name: string): string => mark + 'hello ' + name\n",
      'mark.ts': "export const mark = '!' as const\n",
    })
    expect(run(entry, 'you')).toBe('!hello you!')
    expect(inPageScript(entry).match(/const mark\b/g)).toHaveLength(1)
  })

  test('knows its own text by name, and keeps nothing from one call to the next', () => {
    const entry = entryOf({
      'self.ts': `declare const ${SELF}: unknown\nlet calls = 0\nexport const main = (deep: boolean): string => { calls += 1; return deep ? String(${SELF}) : String(calls) }\n`,
    })
    const text = String(run(entry, true))
    expect(runInNewContext(`const it = (${text}); it(false) + it(false)`)).toBe('11')
  })

  test.each([
    ['a circle', { 'a.ts': "import { b } from './b.ts'\n", 'b.ts': "import { a } from './a.ts'\n" }, /circle/],
    ['a package', { 'c.ts': "import { z } from 'zod'\n" }, /cannot be sent to a page: import \{ z \}/],
    ['a list of exports', { 'd.ts': 'const main = 1\nexport { main }\n' }, /cannot be sent to a page: export \{/],
    ['a default', { 'e.ts': 'export default 1\n' }, /cannot be sent to a page: export default/],
  ])('%s is refused', (_trick, files, message) => {
    expect(() => inPageScript(entryOf(files))).toThrow(message)
  })
})
