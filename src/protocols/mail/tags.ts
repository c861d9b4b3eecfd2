/** Tag lists as DKIM (RFC 6376, 3.2), DMARC, TLS-RPT and BIMI use them: `name=value; name=value`. */
export interface TagList {
  /** Names in lower case; the first of a repeated tag holds. */
  readonly tags: Readonly<Record<string, string>>
  readonly order: readonly string[]
  /** What breaks the grammar, as phrases. */
  readonly errors: readonly string[]
}

const MOST_TAGS = 64

export const parseTags = (text: string): TagList => {
  const tags: Record<string, string> = Object.create(null)
  const order: string[] = []
  const errors: string[] = []
  for (const part of text.split(';').slice(0, MOST_TAGS)) {
    if (part.trim() === '') continue
    const match = /^\s*([a-z][a-z0-9_-]*)\s*=\s*([\s\S]*?)\s*$/i.exec(part)
    if (!match) {
      errors.push(`“${part.trim().slice(0, 60)}” is no tag`)
      continue
    }
    const name = (match[1] ?? '').toLowerCase()
    if (name in tags) errors.push(`${name} occurs twice`)
    else tags[name] = match[2] ?? ''
    order.push(name)
  }
  return { tags: { ...tags }, order, errors }
}
