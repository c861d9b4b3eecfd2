/** Runs every benchmark in turn, for an hour or so: each `bench/NAME.ts` that has a script `bench:NAME`. With any argument it names them alone. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../', import.meta.url)
const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  scripts: Record<string, string>
}
const names = Object.keys(scripts).filter((script) => script.startsWith('bench:'))
const isAsked = process.argv.length > 2
if (isAsked)
  process.stdout.write(
    `npm run bench runs all of these; npm run NAME one:\n${names.map((name) => `  ${name}\n`).join('')}`,
  )
const failed = (isAsked ? [] : names).filter((script) => {
  const file = fileURLToPath(new URL(`bench/${script.slice('bench:'.length)}.ts`, root))
  return spawnSync(process.execPath, [file], { stdio: 'inherit', cwd: fileURLToPath(root) }).status !== 0
})
if (failed.length > 0) {
  process.stderr.write(`failed: ${failed.join(', ')}\n`)
  process.exitCode = 1
}
