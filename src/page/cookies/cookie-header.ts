/** Names and values of a Cookie header, as they stand there (RFC 6265, 4.2.1). */
export const cookiePairs = (header: string): readonly (readonly [name: string, value: string])[] =>
  header.split(/;\s*/).flatMap((pair) => {
    const at = pair.indexOf('=')
    return at < 1 ? [] : [[pair.slice(0, at), pair.slice(at + 1)] as const]
  })

/** Without values. */
export const cookieNamesIn = (header: string): ReadonlySet<string> => new Set(cookiePairs(header).map(([name]) => name))

/**
 * A value without the quotes in which servers write what holds signs beyond those of a cookie, `"gASV…=="` (RFC 6265, 4.1.1), with the
 * backslashes of RFC 2109 and, as `http.cookies` of Python writes them, three octal digits. Who reads it with quotes reads it without them, too.
 */
export const unquotedCookie = (value: string): string => {
  const inner = /^"(.*)"$/s.exec(value)?.[1]
  if (inner === undefined) return value
  return inner.replace(/\\(?:([0-3][0-7]{2})|(.))/gs, (_, octal: string | undefined, sign: string) =>
    octal === undefined ? sign : String.fromCharCode(Number.parseInt(octal, 8)),
  )
}
