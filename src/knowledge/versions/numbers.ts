/** Numbers of versions as text, so that none is too long: `20230101000000000000`. */
export const compareNumbers = (a: string, b: string): number => {
  const left = a.replace(/^0+(?=\d)/, '')
  const right = b.replace(/^0+(?=\d)/, '')
  return left.length - right.length || compareTexts(left, right)
}

/** By code units, never by the machine's locale. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

export const isNumber = (text: string): boolean => /^\d+$/.test(text)
