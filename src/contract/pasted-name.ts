/**
 * The name that a person means who pastes an address where the name of a domain is asked for: its host, with the port where it
 * has one. What is no address stays as it is: what is wrong with it is said by `parseDomainName`. Runs in browsers as well.
 */
export const pastedName = (text: string): string => {
  const pasted = text.trim()
  return addressOf(pasted)?.host ?? pasted
}

/** Where the site begins for a person who pastes an address with more than a host: its path and query; null where there is none. */
export const pastedStart = (text: string): string | null => {
  const url = addressOf(text.trim())
  const start = url === null ? '/' : url.pathname + url.search
  return start === '/' ? null : start
}

const addressOf = (pasted: string): URL | null => {
  const address = /^https?:\/\//i.test(pasted)
    ? pasted
    : /^[^\s/?#@:]+(?::\d+)?[/?#]/.test(pasted)
      ? `http://${pasted}`
      : null
  const url = address === null ? null : URL.parse(address)
  // Who writes a user into it may mean anything.
  return url === null || url.username !== '' || url.password !== '' ? null : url
}
