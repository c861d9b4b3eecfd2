/** What puts a rule of its own into a style sheet or into the `style` of an element, wherever in it a value comes out. */

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' }

/** What is open at the end of a piece of CSS: brackets from the outside in, and the quote or comment around that. */
interface Open {
  readonly brackets: readonly string[]
  readonly within: string
}

/** By the tokens of CSS Syntax Level 3, as far as they open or end something. */
const openAt = (before: string): Open => {
  const brackets: string[] = []
  let within = ''
  for (const [token] of before.matchAll(/\\[\s\S]|\/\*|\*\/|["'\n{}()[\]]/g)) {
    if (within === '/*') within = token === '*/' ? '' : within
    else if (within !== '') within = token === within || token === '\n' ? '' : within
    else if (token === '/*' || token === '"' || token === "'") within = token
    else if (token in CLOSING) brackets.push(token)
    else if (CLOSING[brackets.at(-1) ?? ''] === token) brackets.pop()
  }
  return { brackets, within }
}

const ends = ({ brackets, within }: Open): string =>
  `${within === '/*' ? '*/' : within}${brackets
    .toReversed()
    .map((one) => CLOSING[one] ?? '')
    .join('')}`

/** A rule for every element that asks `address` for a picture; `before` is what stands in the style sheet before the value. */
export const ruleBehind = (before: string, address: string): string => {
  const open = openAt(before)
  // What is no block yet is ended by an empty one.
  const block = open.brackets.includes('{') ? '' : '{}'
  return `x${ends(open)}${block}*{background:url(${address})}`
}

/** A declaration of the same element that does; `before` is what stands in its `style` before the value. */
export const declarationBehind = (before: string, address: string): string =>
  `x${ends(openAt(before))};background:url(${address});`
