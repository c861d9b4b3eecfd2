/** The value, or undefined for what is no JSON: of a file of strangers that is an answer, not a fault. */
export const parsedJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
