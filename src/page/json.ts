/** JSON in texts that may be none: not being JSON is an answer, not an error (RFC 8259). */

/** Undefined for what is no JSON. */
export const jsonOf = (text: string): unknown => {
  if (!VALUE.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
/** As values begin, so that pages are not read to their end first. */
const VALUE = /^\s*[[{"\d\-tfn]/

/** Objects and lists alone: undefined for a single value, too. */
export const jsonTreeOf = (text: string): unknown => (/^\s*[[{]/.test(text) ? jsonOf(text) : undefined)
