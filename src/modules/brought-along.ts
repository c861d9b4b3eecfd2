/** What of the run's session a browser sends where the page of another site asks it to. */
import type { Egress, HeaderPairs } from '../egress/door/egress.ts'

/** Schemes that a browser signs in by for whichever page asks (Fetch, 4.6); a token in a header is sent by the site's own scripts alone. */
const BY_ITSELF = /^(?:basic|digest|negotiate|ntlm)\b/i

/** Null where that is all of the session; else its header lines, to be sent in its place. */
export const broughtAlong = async (
  egress: Pick<Egress, 'credentialsFor'>,
  url: string,
): Promise<HeaderPairs | null> => {
  const given = (await egress.credentialsFor?.(url)) ?? []
  const sent = given.filter(
    ([name, value]) =>
      name.toLowerCase() === 'cookie' || (name.toLowerCase() === 'authorization' && BY_ITSELF.test(value)),
  )
  return sent.length === given.length ? null : sent
}
