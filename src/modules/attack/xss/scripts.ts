/** Where in JavaScript a character stands: text, template, regular expression, comment or code. */
import type { Context } from './facts.ts'

/** Behind these a slash divides; behind everything else it begins a regular expression. */
const VALUE_END = /[\w$)\]"'`}]$/
const BEFORE_REGEX = /(?:^|[^\w$])(?:return|typeof|case|in|of|delete|void|throw|new|else|do)\s*$/

/** What surrounds the place: the quote of a text, '/' of a regular expression, '//' and '/*' of comments, '' in code. */
export const codeAt = (code: string, place: number): Context['quote'] => {
  let open: Context['quote'] = ''
  /** Braces open within each `${`. */
  const expressions: number[] = []
  let set = false
  for (let at = 0; at < place; at += 1) {
    const char = code[at] ?? ''
    const pair = code.slice(at, at + 2)
    if (open === '') {
      if (pair === '//' || pair === '/*') {
        open = pair
        at += 1
      } else if (char === '"' || char === "'" || char === '`') open = char
      else if (char === '/' && beginsRegex(code.slice(0, at))) open = '/'
      else if (char === '{' && expressions.length > 0)
        expressions[expressions.length - 1] = (expressions.at(-1) ?? 0) + 1
      else if (char === '}' && expressions.length > 0) {
        const depth = expressions.at(-1) ?? 0
        if (depth === 0) {
          expressions.pop()
          open = '`'
        } else expressions[expressions.length - 1] = depth - 1
      }
    } else if (open === '//') {
      if (char === '\n') open = ''
    } else if (open === '/*') {
      if (pair === '*/') {
        open = ''
        at += 1
      }
    } else if (char === '\\') at += 1
    else if (open === '`' && pair === '${') {
      expressions.push(0)
      open = ''
      at += 1
    } else if (open === '/') {
      if (char === '[') set = true
      else if (char === ']') set = false
      else if (char === '\n' || (char === '/' && !set)) open = ''
    } else if (char === open || (char === '\n' && open !== '`')) open = ''
  }
  return open
}

const beginsRegex = (before: string): boolean => {
  const text = before.slice(-40).trimEnd()
  return !VALUE_END.test(text) || BEFORE_REGEX.test(text)
}
