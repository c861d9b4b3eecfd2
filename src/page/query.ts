/** How the parameters of an address are set apart. */

/** One name, one value: a value that holds both signs by itself is no list of parameters. */
const PAIR = /^[a-z_][\w.-]{0,60}=[^=]*$/i

/**
 * `/?p=a;act=show` → `/?p=a&act=show`, as HTML 4.01 (B.2.2) asks servers to take both and programs of CGI write their links: whoever splits at
 * semicolons splits at ampersands as well. Any other address stays as it is.
 */
export const withAmpersands = (address: string): string => {
  const [start = '', rest] = address.split(/\?(.*)/s)
  const [query = '', ...hash] = (rest ?? '').split(/(#.*)/s)
  if (start.includes('#') || !query.includes(';') || query.includes('&')) return address
  const pairs = query.split(';').filter((pair) => pair !== '')
  const isList = pairs.length > 1 && pairs.every((pair) => PAIR.test(pair))
  return isList ? `${start}?${pairs.join('&')}${hash.join('')}` : address
}
