/**
 * Rules of the Recog format (Rapid7, BSD-2-Clause) as they are: patterns with flags, captures into named fields, fields
 * put into others. The first rule of a file that matches speaks. Patterns run in linear time, since they are imported.
 */
import { RE2JS } from 're2js'
import { parseXml, type XmlElement } from './xml.ts'

export interface RecogRule {
  readonly pattern: string
  readonly description: string
  /** Null where the pattern needs what linear matching has not (lookaround, back references). */
  readonly compiled: () => RE2JS | null
  readonly params: readonly { readonly pos: number; readonly name: string; readonly value: string }[]
  readonly examples: readonly { readonly text: string; readonly expect: Readonly<Record<string, string>> }[]
}

export interface RecogFile {
  /** What is matched, e.g. `ssh.banner`; by it a probe finds its rules. '' where the file does not say. */
  readonly matches: string
  readonly rules: readonly RecogRule[]
}

export interface RecogMatch {
  readonly description: string
  readonly fields: Readonly<Record<string, string>>
}

const MOST_RULES = 20_000
const MOST_TEXT = 4_096

/** @throws RangeError where it is no Recog file */
export const parseRecog = (source: string): RecogFile => {
  const root = parseXml(source)
  if (root.name !== 'fingerprints') throw new RangeError(`<${root.name}> where <fingerprints> belongs`)
  const rules = root.children.filter(({ name }) => name === 'fingerprint')
  if (rules.length > MOST_RULES) throw new RangeError(`more than ${MOST_RULES} rules`)
  return { matches: root.attributes.matches ?? '', rules: rules.map((rule, index) => readRule(rule, index + 1)) }
}

const readRule = (element: XmlElement, place: number): RecogRule => {
  const { pattern, flags = '' } = element.attributes
  if (pattern === undefined) throw new RangeError(`fingerprint ${place} has no pattern`)
  let compiled: RE2JS | null | undefined
  return {
    pattern,
    description: (element.children.find(({ name }) => name === 'description')?.text ?? '').replace(/\s+/g, ' ').trim(),
    compiled: () => {
      if (compiled === undefined) compiled = compile(pattern, flags)
      return compiled
    },
    params: element.children
      .filter(({ name }) => name === 'param')
      .map(({ attributes }) => ({
        pos: Number(attributes.pos ?? 0),
        name: attributes.name ?? '',
        value: attributes.value ?? '',
      })),
    examples: element.children.filter(({ name }) => name === 'example').map(readExample),
  }
}

const readExample = ({ attributes, text }: XmlElement): RecogRule['examples'][number] => {
  const { _encoding, _filename, ...expect } = attributes
  return {
    text: _encoding === 'base64' ? Buffer.from(text, 'base64').toString('latin1') : _filename === undefined ? text : '',
    expect,
  }
}

const FLAGS: Readonly<Record<string, number>> = {
  REG_ICASE: RE2JS.CASE_INSENSITIVE,
  REG_DOT_NEWLINE: RE2JS.DOTALL,
  REG_MULTILINE: RE2JS.DOTALL,
  REG_LINE_ANY_CRLF: 0,
}

const compile = (pattern: string, flags: string): RE2JS | null => {
  const bits = flags.split(/[,\s]+/).reduce((sum, flag) => sum | (FLAGS[flag] ?? 0), RE2JS.MULTILINE)
  try {
    return RE2JS.compile(pattern.replaceAll('\\h', '[ \\t]').replaceAll('\\Z', '\\z'), bits)
  } catch {
    return null // Not expressible in linear time; the caller counts these.
  }
}

/** The first rule that matches, its fields filled in; null when none does. */
export const matchRecog = (file: RecogFile, text: string): RecogMatch | null => {
  const bounded = text.slice(0, MOST_TEXT)
  for (const rule of file.rules) {
    const matcher = rule.compiled()?.matcher(bounded)
    if (!matcher?.find()) continue
    const fields: Record<string, string> = {}
    for (const { pos, name, value } of rule.params) {
      const found = pos === 0 ? value : pos <= matcher.groupCount() ? matcher.group(pos) : null
      if (found !== null && found !== '') fields[name] = found
    }
    return { description: rule.description, fields: interpolated(fields) }
  }
  return null
}

/** `{service.version}` in a value becomes that field, `-` where it was not found; temporary fields are left out. */
const interpolated = (fields: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => !name.startsWith('_tmp.'))
      .map(([name, value]) => [name, value.replace(/\{([\w.]{1,60})\}/g, (_, key: string) => fields[key] ?? '-')]),
  )
