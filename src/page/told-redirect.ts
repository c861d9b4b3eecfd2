/** Where an answer leads that is data: frameworks tell their scripts so, under a status of success, what a browser is told by 3xx. */

const PLACES = ['location', 'redirect', 'redirectTo', 'redirect_to', 'redirectUrl', 'redirect_url'] as const
/** More than how it went and where it leads is an answer. */
const MOST_MEMBERS = 4
const SIGN_IN =
  /^(?:https?:\/\/[^/]+)?\/(?:[\w-]+\/){0,4}(?:log[-_]?in|sign[-_]?in|log[-_]?on|auth|session|sso)(?:[/?#.]|$)/i

/** The address; null where it leads nowhere, or says more than that. Without a type that says so, only to a sign-in. */
export const toldRedirect = (document: unknown): string | null => {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return null
  const members: Readonly<Record<string, unknown>> = { ...document }
  if (Object.keys(members).length > MOST_MEMBERS) return null
  const to = PLACES.map((name) => members[name]).find((value) => typeof value === 'string')
  if (typeof to !== 'string' || !/^(?:\/|https?:\/\/)/.test(to)) return null
  return members.type === 'redirect' || SIGN_IN.test(to) ? to : null
}
