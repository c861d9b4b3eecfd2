/** What this browser remembers: taste only, never a key. Private windows may refuse; then nothing is remembered. */

export const remembered = (name: string): string | null => {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

export const remember = (name: string, value: string): void => {
  try {
    localStorage.setItem(name, value)
  } catch {
    // Nothing is lost but a taste.
  }
}
