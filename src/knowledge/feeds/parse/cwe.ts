/** The first number of `CWE-79`; null for NVD-CWE-noinfo and the like. */
export const cweOf = (texts: readonly string[]): number | null => {
  for (const text of texts) {
    const number = /\bCWE-(\d{1,5})\b/.exec(text)?.[1]
    if (number !== undefined && Number(number) > 0) return Number(number)
  }
  return null
}
