/** The built scan child, in a copy of the product whose sources change. */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from './builds.ts'
import { builtScan } from './built-scan.ts'

let copy = ''

beforeAll(() => {
  copy = mkdtempSync(join(realpathSync(tmpdir()), 'sonde-built-'))
  for (const name of ['src', 'package.json', 'package-lock.json'])
    cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

const node = (...words: readonly string[]): string =>
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', ...words], { encoding: 'utf8' })

/** What the copy's service would start, and what it says where that is its sources. */
const started = (): { readonly file: string | null; readonly said: readonly string[] } =>
  JSON.parse(
    node(
      '--input-type=module',
      '--eval',
      `const { builtScan } = await import(${JSON.stringify(join(copy, 'src/main/built-scan.ts'))})
       const said = []
       const file = await builtScan((reason) => said.push(reason)).scan()
       console.log(JSON.stringify({ file: file?.pathname ?? null, said }))`,
    ),
  )

test('where nothing can be written there is no build, which is said once, and the sources are started', () => {
  writeFileSync(join(copy, 'dist'), '')
  expect(started()).toEqual({ file: null, said: [expect.stringMatching(/^Error: .*dist/)] })
  rmSync(join(copy, 'dist'))
})

test('a build of the very sources is taken as it is; changed sources are built anew, and their faults have id, file and line as without a build', async () => {
  const present = await builtScan((reason) => expect.fail(reason)).scan()
  if (present === null) throw new Error('the sources have no build')
  const folder = fileURLToPath(new URL('.', present)).slice(ROOT.length)
  cpSync(join(ROOT, folder), join(copy, folder), { recursive: true })
  expect(started()).toEqual({ file: join(copy, folder, 'start-scan.cjs'), said: [] })

  const entry = join(copy, 'src/engine/run-scan.ts')
  writeFileSync(entry, FAULTY)
  const { file, said } = started()
  expect(said).toEqual([])
  expect(file).not.toBe(join(copy, folder, 'start-scan.cjs'))
  const { fault, script, compiled } = JSON.parse(node(file ?? ''))
  expect(fault).toEqual({
    id: expect.stringMatching(/^F-/),
    frames: expect.arrayContaining([
      expect.stringMatching(/^at .*\bsrc\/modules\/in-page\.ts:\d+:/),
      expect.stringContaining('src/engine/run-scan.ts:8:'),
    ]),
  })
  const fromSources = JSON.parse(node(entry))
  expect(fault.id).toBe(fromSources.fault.id)
  // What is sent to a page is the same, and a run that is built does not load Node's compiler for it.
  expect(script).toBe(fromSources.script)
  expect(script).toContain('const main = (')
  expect([compiled, fromSources.compiled > 0]).toEqual([0, true])
})

test('of the schemas of the interface the build has those that a scan asks for', async () => {
  const present = await builtScan((reason) => expect.fail(reason)).scan()
  const folder = fileURLToPath(new URL('.', present ?? ''))
  const built = readdirSync(folder).filter((name) => name.endsWith('.cjs'))
  const text = built.map((name) => readFileSync(join(folder, name), 'utf8')).join('')
  // Of findings, which a scan makes; of sign-ins and of reports, which it is not asked for.
  expect(text).toContain('The decisive part of what was seen')
  expect(text).not.toMatch(/Cookie header value|The seed in base32/)
})

/** Says of a fault a few calls deep what the operator's log says of one; and of a script for pages how it came about. */
const FAULTY = `import module, { syncBuiltinESMExports } from 'node:module'
import { inPageScript } from '../modules/in-page.ts'
import { MODULES } from '../modules/index.ts'
import { faultIdOf, framesOf } from './faults.ts'

const fault = (): unknown => {
  try {
    return [MODULES.length].map(() => inPageScript(new URL('file:///no-such-file.ts')))
  } catch (error) {
    return error
  }
}

let compiled = 0
const strip = module.stripTypeScriptTypes
module.stripTypeScriptTypes = (text) => {
  compiled += 1
  return strip(text)
}
syncBuiltinESMExports()
const script = inPageScript(new URL('../modules/privacy/record/in-page/main.ts', import.meta.url))
const error = fault()
console.log(JSON.stringify({ script, compiled, fault: { id: faultIdOf('a check', error), frames: framesOf(error) } }))
`
