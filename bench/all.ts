/** Runs every benchmark in turn: each `bench/NAME.ts` that has a script `bench:NAME`. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../', import.meta.url)
const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  scripts: Record<string, string>
}
const names = Object.keys(scripts).filter((script) => script.startsWith('bench:'))
const failed = names.filter((script) => {
  const file = fileURLToPath(new URL(`bench/${script.slice('bench:'.length)}.ts`, root))
  return spawnSync(process.execPath, [file], { stdio: 'inherit', cwd: fileURLToPath(root) }).status !== 0
})
if (failed.length > 0) {
  process.stderr.write(`failed: ${failed.join(', ')}\n`)
  process.exitCode = 1
}
