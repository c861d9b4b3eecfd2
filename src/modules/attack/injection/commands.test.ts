/** What questions about commands come to in a real shell, behind filters and within quotes. */
import { execFileSync, spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { fakeProbe } from '../insertion-points/testing/fake-probe.ts'
import { COMMAND_WAITS, COMMANDS } from './payloads.ts'
import { commandWays } from './probes/arithmetic.ts'

const FILTERS = {
  none: (v: string) => v,
  'nothing to end a command with': (v: string) => v.replace(/[;|&\n]/g, ''),
  'nothing to begin another with but a line break': (v: string) => v.replace(/[;|&$()`-]/g, ''),
  'words of a list': (v: string) => v.replace(/\b(?:echo|cat|ls|id|whoami|expr)\b/g, ''),
}
const LINES = {
  bare: (v: string) => `: ${v}`,
  'within "': (v: string) => `: "${v}"`,
  "within '": (v: string) => `: '${v}'`,
}
/** Without a command a product shows only where the line itself is printed. */
const SHOWN = {
  ...LINES,
  bare: (v: string) => `echo ${v}`,
  'within "': (v: string) => `echo "${v}"`,
  "within '": (v: string) => `echo '${v}'`,
}

it.each(Object.entries(FILTERS))('a shell behind a filter works one out: %s', (name, filter) => {
  const lines = name.startsWith('nothing to end') ? SHOWN : LINES
  for (const [where, line] of Object.entries(lines)) {
    const printed = COMMANDS.filter(({ needs }) => needs !== 'windows' && needs !== 'file').map((way) => {
      const command = line(filter(way.with('127.0.0.1', 1_234, 2_345)))
      try {
        return execFileSync('/bin/sh', ['-c', `${command}\n:`], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        })
      } catch {
        return '' // A syntax error: this way is closed.
      }
    })
    expect(
      printed.some((text) => text.includes('qv2893730vq')),
      where,
    ).toBe(true)
  }
})

it.each(Object.entries(LINES))('a shell waits behind filters: %s', (_where, line) => {
  for (const filter of [FILTERS.none, FILTERS['nothing to begin another with but a line break']])
    for (const way of COMMAND_WAITS.filter(({ needs }) => needs === 'line break')) {
      const began = performance.now()
      spawnSync('/bin/sh', ['-c', line(filter(way.with('127.0.0.1', '0.1')))])
      expect(performance.now() - began).toBeGreaterThan(100)
    }
})

it.each([
  ['behind a folder', 'open(F, "/var/empty/$ARGV[0]"); print while <F>'],
  ['alone', 'open(F, $ARGV[0]); print while <F>'],
])('a name that Perl opens %s is a command', (_where, program) => {
  const [way] = COMMANDS.filter(({ needs }) => needs === 'file')
  const { stdout } = spawnSync('perl', ['-e', program, way?.with('opening.txt', 1_234, 2_345) ?? ''], {
    encoding: 'utf8',
  })
  expect(stdout).toContain('qv2893730vq')
})

it('and is a name to what opens files by three arguments', () => {
  const [way] = COMMANDS.filter(({ needs }) => needs === 'file')
  const program = 'open(F, "<", "/var/empty/$ARGV[0]") or print "none"; print while <F>'
  const { stdout } = spawnSync('perl', ['-e', program, way?.with('opening.txt', 1_234, 2_345) ?? ''], {
    encoding: 'utf8',
  })
  expect(stdout).toBe('none')
})

it('in a cookie, which holds no blanks, a command has none either, and a shell runs it', async () => {
  const shell = (line: string): string =>
    spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).stdout
  const { probe, sent } = fakeProbe(
    (value) => ({ text: /\s/.test(value.replaceAll('\n', '')) ? '' : shell(`: ${value}`) }),
    {
      ...{ place: 'cookie', name: 'view', value: 'wide' },
    },
  )
  const hits = await Promise.all(commandWays(probe, { windows: false, files: false }).map((way) => way()))
  expect(hits.filter((hit) => hit !== null).map((hit) => hit.kind)).toContain('command')
  expect(sent.filter((value) => value.includes(' '))).toEqual([])
})
