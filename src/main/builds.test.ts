import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildInto } from './builds.ts'

test('the last builds stay, and those that processes run from', async () => {
  const builds = mkdtempSync(join(tmpdir(), 'builds-'))
  const build = async (name: string, at: number): Promise<void> => {
    await buildInto(join(builds, name), async (making) =>
      writeFileSync(join(making, 'scan.js'), 'setInterval(() => 0, 1e6)'),
    )
    utimesSync(join(builds, name), at, at)
  }
  await build('first', 1_000)
  const child = spawn(process.execPath, [join(builds, 'first', 'scan.js')], { stdio: 'ignore' })
  try {
    await once(child, 'spawn')
    for (const [index, name] of ['second', 'third', 'fourth', 'fifth'].entries()) await build(name, 2_000 + index)
    expect(readdirSync(builds).sort()).toEqual(['fifth', 'first', 'fourth', 'third'])
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await build('sixth', 3_000)
  expect(readdirSync(builds).sort()).toEqual(['fifth', 'fourth', 'sixth'])
  rmSync(builds, { recursive: true })
})
