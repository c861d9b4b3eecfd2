/**
 * Program texts of ASCII alone, by escapes: V8 holds them with one byte for a character, where a single other character doubles the whole
 * text; and reading them is copying them.
 */

/** What a syntax tree (ESTree) has of a node here. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** A pair that begins with a backslash, or a character that is not of ASCII. */
export const FOREIGN = /\\[\s\S]|[^\0-\x7f]/g

/**
 * The same program, line by line. Characters of strings, templates and regular expressions are escaped (ECMA-262, 12.9); those of names,
 * comments and tagged templates, which may ask for their raw text, stay.
 */
export const inAscii = (code: string, program: unknown): string => {
  const texts: Node[] = []
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) walk(one)
    if (!isNode(value)) return
    if (value.type === 'Literal' || value.type === 'TemplateElement') texts.push(value)
    else for (const [name, one] of Object.entries(value)) if (!isRaw(value, name)) walk(one)
  }
  walk(program)
  const parts: string[] = []
  let at = 0
  for (const { start, end } of texts.sort((a, b) => a.start - b.start)) {
    parts.push(code.slice(at, start), code.slice(start, end).replace(FOREIGN, escaped))
    at = end
  }
  return parts.concat(code.slice(at)).join('')
}

/** The texts of a tagged template; what it puts between them is asked for as ever. */
const isRaw = (node: Node, name: string): boolean => node.type === 'TaggedTemplateExpression' && name === 'quasi'

export const escaped = (found: string): string => {
  const character = found.startsWith('\\') ? found.slice(1) : found
  if (character.charCodeAt(0) < 0x80) return found
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
