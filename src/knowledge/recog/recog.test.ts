import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadRecog } from './load.ts'
import { matchRecog, parseRecog } from './rules.ts'
import { parseXml } from './xml.ts'

const FILE = `<?xml version="1.0"?>
<!-- a comment with <fingerprint> in it -->
<fingerprints matches="ssh.banner" protocol="ssh">
  <fingerprint pattern="^Sample_([\\d.]+)(?: (\\w+))?$" flags="REG_ICASE">
    <description>Sample  server</description>
    <example service.version="1.2" os.product="Plan">sample_1.2 Plan</example>
    <example service.version="9">SAMPLE_9</example>
    <param pos="0" name="service.vendor" value="Sample &amp; Sons"/>
    <param pos="1" name="service.version"/>
    <param pos="2" name="os.product"/>
    <param pos="0" name="_tmp.x" value="gone"/>
    <param pos="0" name="service.cpe23" value="cpe:/a:sample:sample:{service.version}:{service.update}"/>
  </fingerprint>
  <fingerprint pattern="^Sample">
    <description>any other</description>
    <param pos="0" name="service.product" value="Other"/>
  </fingerprint>
  <fingerprint pattern="(?=lookahead)x"><description>not linear</description></fingerprint>
</fingerprints>`

describe('rules', () => {
  const file = parseRecog(FILE)

  it('fill captures, constants and interpolated fields', () => {
    expect(matchRecog(file, 'SAMPLE_1.2 Plan')).toEqual({
      description: 'Sample server',
      fields: {
        'service.vendor': 'Sample & Sons',
        'service.version': '1.2',
        'os.product': 'Plan',
        'service.cpe23': 'cpe:/a:sample:sample:1.2:-',
      },
    })
  })

  it('the first that matches speaks, a group that took no part gives no field', () => {
    expect(matchRecog(file, 'Sample_9')?.fields).not.toHaveProperty('os.product')
    expect(matchRecog(file, 'Sample_9')?.description).toBe('Sample server')
    expect(matchRecog(file, 'Sample box')?.fields).toEqual({ 'service.product': 'Other' })
    expect(matchRecog(file, 'another')).toBeNull()
  })

  it('hold their own examples', () => {
    for (const rule of file.rules) {
      for (const { text, expect: fields } of rule.examples) {
        expect(matchRecog({ matches: '', rules: [rule] }, text)?.fields).toMatchObject(fields)
      }
    }
  })

  it('a pattern that needs backtracking is left out, not a failure', () => {
    expect(file.rules[2]?.compiled()).toBeNull()
  })

  it('a pattern made to explode does not', () => {
    const bomb = parseRecog('<fingerprints matches="x"><fingerprint pattern="^(a+)+$"/></fingerprints>')
    expect(matchRecog(bomb, `${'a'.repeat(4_000)}!`)).toBeNull()
  })
})

describe('parseXml', () => {
  it.each([
    ['an element that does not end', '<a><b></a>'],
    ['text without an element', 'hello'],
    ['a lone bracket', '<a>1 < 2</a>'],
    ['depth without end', '<a>'.repeat(100)],
    ['a closing tag alone', '</a>'],
  ])('refuses %s', (_name, text) => expect(() => parseXml(text)).toThrow(RangeError))

  it('reads entities in text and attributes once, and expands none of its own', () => {
    const { attributes, text } = parseXml('<a b="&#x41;&quot;&unknown;">&lt;&amp;lt;&#66;</a>')
    expect(attributes.b).toBe('A"&unknown;')
    expect(text).toBe('<&lt;B')
  })
})

describe('loadRecog', () => {
  it('reads a folder, and names the file that is none', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sonde-recog-'))
    writeFileSync(join(folder, 'ssh.xml'), FILE)
    const rules = loadRecog(folder)
    expect(rules.version).toContain('1 files, 3 rules')
    expect(rules.of('ssh.banner')).toHaveLength(1)
    expect(rules.of('ftp.banner')).toEqual([])
    rmSync(folder, { recursive: true })
    const broken = mkdtempSync(join(tmpdir(), 'sonde-recog-'))
    writeFileSync(join(broken, 'bad.xml'), '<templates/>')
    expect(() => loadRecog(broken)).toThrow('bad.xml is no Recog file')
    rmSync(broken, { recursive: true })
    expect(() => loadRecog(broken)).toThrow('ENOENT')
  })
})
