import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { runWords } from './testing/run-words.ts'

const proposals = (script: string, words: readonly string[]): readonly string[] => {
  const quoted = words.map((word) => `'${word}'`).join(' ')
  const asked = `${script}\nCOMP_WORDS=(${quoted})\nCOMP_CWORD=${words.length - 1}\n_sonde\nprintf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', asked], { encoding: 'utf8' }).trim().split('\n')
}

test('bash proposes commands, those below them, and options', async () => {
  const { out: script } = await runWords(['completion', 'bash'])
  expect(proposals(script, ['sonde', 'doc'])).toEqual(['doctor'])
  expect(proposals(script, ['sonde', 'domain', 'ver'])).toEqual(['verify'])
  expect(proposals(script, ['sonde', 'domain', 'identity', 're'])).toEqual(['remove'])
  expect(proposals(script, ['sonde', 'scan', 'list.example', '--act'])).toEqual(['--active'])
  expect(proposals(script, ['sonde', 'domain', 'list', '--'])).toEqual(['--json', '--data', '--help'])
})

test('the package for people with a key alone proposes what it has', async () => {
  const { out: script } = await runWords(['completion', 'bash'], { remote: true })
  expect(proposals(script, ['sonde', 'do'])).toEqual(['download', 'domain'])
})

test('the other shells get scripts of their own; an unknown one is refused', async () => {
  expect((await runWords(['completion', 'zsh'])).out).toMatch(/^#compdef sonde\n/)
  const fish = (await runWords(['completion', 'fish'])).out
  expect(fish).toContain(
    "complete -c sonde -f -n '__fish_seen_subcommand_from domain; and not __fish_seen_subcommand_from",
  )
  expect(fish).not.toMatch(/-d '[^']*[^\\]'[^\n]/)
  expect(await runWords(['completion', 'tcsh'])).toMatchObject({ code: 3 })
})
