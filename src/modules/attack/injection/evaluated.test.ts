/** A program that puts a value into code and shows the error of that: a real Perl. */
import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { fakeProbe } from '../insertion-points/testing/fake-probe.ts'
import { probePoint } from './collect.ts'
import type { InjectionHit } from './facts.ts'
import { EVALUATED } from './payloads.ts'

const perl = (program: string, value: string): string =>
  spawnSync('perl', ['-e', program, '--', value], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).stdout

const outside = { addresses: () => [], documents: () => [], commands: () => [], ways: () => [], objects: () => [] }
const sources = {
  site: { namesFiles: () => false, programs: () => [] },
  served: async () => ({ status: 404, text: '' }),
}

const found = async (program: string): Promise<readonly string[]> => {
  const { probe } = fakeProbe((value) => ({ text: `<p>${perl(program, value.replaceAll('\0', ''))}</p>` }), {
    ...{ name: 'sort', value: 'street' },
  })
  const hits: InjectionHit[] = []
  await probePoint(probe, (hit) => hits.push(hit), outside as never, sources as never)
  return hits.map(({ kind, proof }) => `${kind} ${proof}`)
}

it('is found by what closes all that the value stands in', { timeout: 120_000 }, async () => {
  const sorts = 'my $r = eval "sub { \\$a->{$ARGV[0]} cmp \\$b->{$ARGV[0]} }"; print $r ? "Sorted." : "Cannot sort: $@"'
  expect(await found(sorts)).toEqual(['code computed'])
})

it('and not where the value is a value to it', { timeout: 120_000 }, async () => {
  const sorts =
    'my ($f) = $ARGV[0] =~ /^(\\w+)$/; my $r = $f && eval "sub { \\$a->{$f} }"; print $r ? "Sorted." : "Cannot sort."'
  expect(await found(sorts)).toEqual([])
})

it.each([
  ['Perl', `Can't find string terminator '"' anywhere before EOF at (eval 3) line 1.`],
  ['PHP', "Parse error: syntax error, unexpected token in /srv/x.php(12) : eval()'d code on line 1"],
  ['Ruby', '(eval at /srv/x.rb:4):1: syntax error, unexpected end-of-input'],
  ['Python', 'File &quot;<string>&quot;, line 1'],
])('an error of evaluated code is known by its own words: %s', (_language, text) => {
  expect(EVALUATED.test(text)).toBe(true)
})
