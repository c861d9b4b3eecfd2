/**
 * The name that a person means who pastes an address where the name of a domain is asked for: its host, with the port where it
 * has one. What is no address stays as it is: what is wrong with it is said by `parseDomainName`. Runs in browsers as well.
 */
export const pastedName = (text: string): string => {
  const pasted = text.trim()
  const address = /^https?:\/\//i.test(pasted)
    ? pasted
    : /^[^\s/?#@:]+(?::\d+)?[/?#]/.test(pasted)
      ? `http://${pasted}`
      : null
  if (address === null) return pasted
  const url = URL.parse(address)
  // Who writes a user into it may mean anything.
  return url === null || url.username !== '' || url.password !== '' ? pasted : url.host
}
