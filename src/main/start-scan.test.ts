import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** A build of two files: its first says what a function of the other says, and has it kept then. */
const SCAN = `'use strict'
const part = require('./part.cjs')
console.log(part.said(), require('node:path').basename(__filename), this === module.exports)
globalThis[Symbol.for('sonde.keepCode')]()
`
/** Of one length each: V8 tells sources by it alone, so what is said shows which of them was compiled. */
const saying = (word: 'one' | 'two'): string => `exports.said = () => '${word}'\n`

let root = ''
let build = ''
let cache = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sonde-start-'))
  build = join(root, 'build')
  cache = join(root, 'cache')
  mkdirSync(build)
  writeFileSync(
    join(build, 'start-scan.cjs'),
    stripTypeScriptTypes(readFileSync(new URL('./start-scan.cts', import.meta.url), 'utf8')),
  )
  writeFileSync(join(build, 'scan.cjs'), SCAN)
  writeFileSync(join(build, 'part.cjs'), saying('one'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const run = (...flags: readonly string[]): string => {
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: cache }
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, join(build, 'start-scan.cjs')], {
    encoding: 'utf8',
    env,
  })
  return stderr || stdout
}
const said = (word: string): string => `${word} scan.cjs true\n`
const files = (): readonly string[] => readdirSync(join(cache, 'scan'))

test('what a run has called is there compiled for the next, for the same flags of V8 alone', () => {
  expect(run()).toBe(said('one'))
  const [file] = files()
  expect(file).toMatch(/^build-\d+$/)
  writeFileSync(join(build, 'part.cjs'), saying('two'))
  expect(run()).toBe(said('one'))
  expect(run('--no-opt')).toBe(said('two'))
  expect(files()).toHaveLength(2)
})

test('what a run has loaded beside what is kept is kept with it, the driver of browsers too', () => {
  const lib = join(root, 'node_modules/playwright-core/lib')
  mkdirSync(lib, { recursive: true })
  writeFileSync(join(lib, 'coreBundle.js'), saying('one'))
  const asked = `require('node:fs').existsSync(__dirname + '/asked') ? 'playwright-core/lib/coreBundle.js' : './part.cjs'`
  writeFileSync(join(build, 'scan.cjs'), SCAN.replace(`'./part.cjs'`, asked))
  const kept = (): readonly Buffer[] => files().map((name) => readFileSync(join(cache, 'scan', name)))
  run()
  const alone = kept()
  run()
  expect(kept()).toEqual(alone)
  writeFileSync(join(build, 'asked'), '')
  run()
  const both = kept()
  expect(both).not.toEqual(alone)
  writeFileSync(join(lib, 'coreBundle.js'), saying('two'))
  writeFileSync(join(build, 'part.cjs'), saying('two'))
  expect(run()).toBe(said('one'))
  rmSync(join(build, 'asked'))
  expect(run()).toBe(said('one'))
  expect(kept()).toEqual(both)
})

test('the driver of browsers is what the build has of it, where it has it, and finds its own files', () => {
  const lib = join(root, 'node_modules/playwright-core/lib')
  mkdirSync(lib, { recursive: true })
  writeFileSync(join(lib, 'coreBundle.js'), saying('one'))
  writeFileSync(join(lib, 'other.js'), `module.exports = 'two'\n`)
  writeFileSync(join(build, 'scan.cjs'), SCAN.replace('./part.cjs', 'playwright-core/lib/coreBundle.js'))
  expect(run()).toBe(said('one'))
  writeFileSync(join(build, 'coreBundle.js'), `exports.said = () => require('./other.js')\n`)
  expect(run()).toBe(said('two'))
})

test('a file that is not whole is written anew, and one of another source is not taken', () => {
  run()
  const [name = ''] = files()
  const file = join(cache, 'scan', name)
  const bytes = readFileSync(file)
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  writeFileSync(join(build, 'part.cjs'), saying('two'))
  for (const broken of [bytes, bytes.subarray(0, 40), Buffer.from('0'), Buffer.alloc(0)]) {
    writeFileSync(file, broken)
    expect(run()).toBe(said('two'))
    expect(readFileSync(file).equals(broken)).toBe(false)
    expect(run()).toBe(said('two'))
  }
  writeFileSync(join(build, 'part.cjs'), `${saying('one')}// longer`)
  expect(run()).toBe(said('one'))
  writeFileSync(join(build, 'part.cjs'), `${saying('two')}// longer`)
  expect(run()).toBe(said('one'))
})

test('a folder that cannot be written is said', () => {
  writeFileSync(cache, '')
  expect(run()).toMatch(/ENOTDIR|EEXIST/)
  rmSync(cache)
  expect(run()).toBe(said('one'))
})

test('one that cannot be read is said, and the run begins all the same', () => {
  run()
  const [name = ''] = files()
  rmSync(join(cache, 'scan', name))
  mkdirSync(join(cache, 'scan', name))
  const { stdout, stderr } = spawnSync(process.execPath, [join(build, 'start-scan.cjs')], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: cache },
  })
  expect(stdout).toBe(said('one'))
  expect(stderr).toMatch(/cannot be read: EISDIR/)
})

test('of files of builds before, the last ones are left', () => {
  mkdirSync(join(cache, 'scan'), { recursive: true })
  for (const name of ['a', 'b', 'c', 'd', 'e']) writeFileSync(join(cache, 'scan', name), '')
  run()
  expect(files()).toHaveLength(4)
})
