/** Names and values of a Cookie header, as they stand there (RFC 6265, 4.2.1). */
export const cookiePairs = (header: string): readonly (readonly [name: string, value: string])[] =>
  header.split(/;\s*/).flatMap((pair) => {
    const at = pair.indexOf('=')
    return at < 1 ? [] : [[pair.slice(0, at), pair.slice(at + 1)] as const]
  })

/** Without values. */
export const cookieNamesIn = (header: string): ReadonlySet<string> => new Set(cookiePairs(header).map(([name]) => name))
