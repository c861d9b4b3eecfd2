/** Folders that can be made, and those that cannot. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makePrivateFolder } from './private-file.ts'

it('makes each folder of a path that there is not, for the owner alone', () => {
  const root = mkdtempSync(join(tmpdir(), 'sonde-folder-'))
  try {
    makePrivateFolder(join(root, 'a/b'))
    makePrivateFolder(join(root, 'a/b'))
    expect(['a', 'a/b'].map((name) => statSync(join(root, name)).mode & 0o777)).toEqual([0o700, 0o700])
  } finally {
    rmSync(root, { recursive: true })
  }
})

it('says at once that below /proc none can be made', () => {
  // In a process of its own: what goes round for ever within a call cannot be ended otherwise.
  const code = `import { makePrivateFolder } from '${new URL('./private-file.ts', import.meta.url).href}'; makePrivateFolder('/proc/self/x/y')`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    ...{ timeout: 20_000, killSignal: 'SIGKILL', encoding: 'utf8' },
  })
  expect(status).toBe(1)
  expect(stderr).toContain("ENOENT: no such file or directory, mkdir '/proc/self/x'")
})
