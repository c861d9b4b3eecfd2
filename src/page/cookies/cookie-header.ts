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
  if (!isQuoted(value)) return value
  return value
    .slice(1, -1)
    .replace(/\\(?:([0-3][0-7]{2})|(.))/gs, (_, octal: string | undefined, sign: string) =>
      octal === undefined ? sign : String.fromCharCode(Number.parseInt(octal, 8)),
    )
}

const isQuoted = (value: string): boolean => /^".*"$/s.test(value)

/**
 * Whether it was set by what reads octal digits within quotes. Go writes quotes as well, around blanks and commas alone, drops a cookie with a backslash, and
 * Python writes commas in digits.
 */
export const readsOctalDigits = (value: string): boolean =>
  isQuoted(value) && (/\\[0-3][0-7]{2}/.test(value) || !/[ ,]/.test(value))

/**
 * A value in quotes, its signs beyond those of a cookie in octal digits, as `http.cookies` of Python writes and reads them: who decodes no per cent
 * signs may read these.
 */
export const quotedCookie = (value: string): string => {
  const signs = Buffer.from(value.toWellFormed(), 'utf8').toString('latin1')
  return `"${signs.replace(/[^\x20-\x7e]|[";,\\]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`
}
