/** Whose session a header alone carries. */
import type { CollectContext } from '../../module.ts'

/** HTTP's own schemes a browser sends by itself, once somebody has signed in (RFC 9110, 11). */
const BY_BROWSER = /^(?:basic|digest|negotiate|ntlm)\b/i

/** No cookie of the run's own is sent there, and no header that a browser would send again by itself: another site can do nothing in its name. */
export const isByHeader = async (
  { ownHeaders = [], ownCookies = [], egress }: CollectContext,
  url: string,
): Promise<boolean> => {
  if (ownCookies.some((name) => name !== '') || !ownHeaders.some((name) => name !== 'cookie')) return false
  const sent = (await egress.credentialsFor?.(url)) ?? []
  return !sent.some(([, value]) => BY_BROWSER.test(value))
}
