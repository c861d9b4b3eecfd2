import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Ask, askSurvival, CHARACTERS, formsOf, questionOf } from './survival.ts'

const WORD = 'qx0123456789'
const escaped = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const asked = async (answer: (value: string) => string | null, places = 1, tokens?: readonly string[]) => {
  const sent: string[] = []
  const ask: Ask = async (value) => {
    sent.push(value)
    return answer(value)
  }
  return { came: await askSurvival(ask, WORD, places, tokens), sent }
}

const passing = (came: ReadonlyMap<string, string | null> | undefined): string =>
  CHARACTERS.filter((char) => came?.get(char) === char).join('')
const without = (...lost: readonly string[]): string => CHARACTERS.filter((char) => !lost.includes(char)).join('')

describe('characters that come back', () => {
  it('are told by one request where nothing dies', async () => {
    const { came, sent } = await asked((value) => `<p>${escaped(value)}</p>`)
    expect(sent).toHaveLength(1)
    expect(passing(came[0])).toBe(without('<', '"'))
    expect(came[0]?.get('<')).toBe('&lt;')
  })

  it('are told for each place apart', async () => {
    const { came } = await asked((value) => `<p title="${escaped(value)}">${value}</p>`, 2)
    expect(came.map(passing)).toEqual([without('<', '"'), without()])
  })

  it('are asked no further once the one is gone without which nothing is written', async () => {
    const sent: string[] = []
    const ask: Ask = async (value) => {
      sent.push(value)
      return /[^\w]/.test(value) ? 'an error of the database' : `<p>${value}</p>`
    }
    const [came] = await askSurvival(ask, WORD, 1, CHARACTERS, { vital: '<' })
    expect(sent).toHaveLength(3)
    expect(came?.get('<')).toBeNull()
    // Nothing is known of the others.
    expect(came?.get('"')).toBe('"')
  })

  it('are found around one that makes the whole answer another', async () => {
    const { came, sent } = await asked((value) =>
      value.includes("'") ? 'an error of the database' : `<p>${value}</p>`,
    )
    expect(passing(came[0])).toBe(without("'"))
    expect(sent.length).toBeLessThanOrEqual(14)
  })

  it('are found where a slash cuts off what stands before it', async () => {
    const { came } = await asked((value) => `<p>${value.replace(/^.*\//s, '')}</p>`)
    // Whether the bracket comes is not known, as it goes with a slash.
    expect(passing(came[0])).toBe(without('/'))
  })

  it('are found where something in front refuses one', async () => {
    const { came } = await asked((value) => (value.includes('<') ? null : value))
    expect(passing(came[0])).toBe(without('<'))
  })

  it('are found where tags are stripped and where values are cut', async () => {
    const stripped = await asked((value) => value.replace(/<[^>]*>?/g, ''))
    expect(passing(stripped.came[0])).toBe(without('<'))
    const cut = await asked((value) => value.slice(0, 30))
    expect(passing(cut.came[0])).toBe(without())
  })

  it('are told where small letters behind a bracket go with it', async () => {
    const { came } = await asked((value) => value.replace(/<[a-z]+/g, ''))
    expect(passing(came[0])).toBe(without())
  })

  it('are told whatever case letters come back in', async () => {
    const { came } = await asked((value) => value.toUpperCase())
    expect(passing(came[0])).toBe(without())
  })

  it('are told in the forms that a site decodes', async () => {
    const { came } = await asked((value) => value.replaceAll('<', '').replaceAll('%3c', '<'), 1, formsOf('<'))
    expect(came[0]?.get('%3c')).toBe('<')
  })
})

describe('a program that hands the value to a shell', () => {
  const tokens = [...CHARACTERS]
  const batches = [
    tokens,
    ...tokens.map((token) => [token]),
    tokens.slice(0, tokens.length / 2),
    tokens.slice(tokens.length / 2),
    tokens.filter((token) => !['<', '>'].includes(token)),
    formsOf('>'),
    ...tokens.map((token) => ['>', token]),
  ]
  const filters: readonly [string, (value: string) => string][] = [
    ['none', (value) => value],
    ['quotes go', (value) => value.replace(/["'`]/g, '')],
    ['all but brackets, slashes, letters and digits goes', (value) => value.replace(/[^\w<>/]/g, '')],
    ['upper case', (value) => value.toUpperCase()],
    [
      'decoded once more',
      (value) =>
        value
          .replace(/%3e/gi, '>')
          .replaceAll('&#62;', '>')
          .replace(/["'`&;()|]/g, ''),
    ],
  ]
  it.each(filters)('writes no file: %s', (_name, filter) => {
    const folder = mkdtempSync(join(tmpdir(), 'sonde-survival-'))
    try {
      const lines = batches.flatMap((batch) => {
        const value = filter(questionOf(WORD, batch)).replaceAll('\0', '')
        return ['', '"', "'"].map((around) => `echo Looking up ${around}${value}${around} now`)
      })
      // A shell for each line, started by a small process: a fork of this one costs fifty times as much. 255 would end xargs.
      const shells = ['-0', '-n1', 'sh', '-c', 'sh -c "$1" || true', 'sh']
      const { status } = spawnSync('xargs', shells, {
        cwd: folder,
        input: lines.join('\0'),
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      expect(status).toBe(0)
      expect(readdirSync(folder)).toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

it('the slash behind a closing bracket is none of what comes back, however it is written', async () => {
  const { came } = await asked((value) => value.replaceAll('/', '&#x2F;'), 1, ['>', 'x', '<'])
  expect(came[0]).toEqual(
    new Map([
      ['>', '>'],
      ['x', 'x'],
      ['<', '<'],
    ]),
  )
})
