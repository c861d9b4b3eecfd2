import type { HtmlForm, HtmlInput } from '../../../page/html.ts'
import { isStateField } from '../../../page/postbacks.ts'
import { ROUTING } from '../../../safety/words.ts'
import type { Check, FindingDefinition, Unjudged } from '../../module.ts'
import type { CookiesFacts } from '../cookies/facts.ts'
import { seenCookies } from '../cookies/facts-seen.ts'
import { withoutDocuments } from '../site/facts-pages.ts'
import { overWhole, type ReadPage, readPages } from './pages.ts'
import { elementFindings } from './report.ts'

const token: FindingDefinition = {
  id: 'markup/form-csrf',
  title: 'CSRF: a form that changes something shows no protection against forged requests',
  severity: 'info',
  cwe: 352,
  why:
    'Another site can send the same form with the visitor’s session, unless something in the request is beyond its reach. ' +
    'Whether the server checks the Origin or asks for a header cannot be seen from outside.',
  remediation:
    'Set SameSite=Lax or Strict on the session cookie and put a random token into each form that the server compares, as ' +
    'the protection built into Django, Rails, Laravel or Spring does.',
  references: [
    'https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html',
    'https://cwe.mitre.org/data/definitions/352.html',
  ],
}

/** Hidden field, page-wide token or SameSite: one of them is enough to stay silent. */
export const formForgery: Check<'markup', 'site' | 'cookies'> = overWhole({
  findings: [token],
  judge: (facts, { site, cookies }, { now }) => {
    const none = withoutDocuments(site, facts)
    if (none) return none
    const forms = readPages(site, facts).flatMap((one) =>
      one.html.forms.filter((form) => changesState(form, one)).map((form) => ({ ...one, form })),
    )
    if (forms.length === 0) return { state: 'not_applicable', reason: 'No page has a form that changes something.' }
    const without = forms.filter(
      ({ form, html }) =>
        !form.inputs.some(isToken) && !html.metas.some(({ name }) => name !== null && NAMES.test(name)),
    )
    const bare = without.filter(({ form }) => !form.inputs.some(({ name }) => isStateField(name)))
    const sessions = sessionsOf(cookies, now)
    if (sessions.length === 0) return bare.some(({ page }) => page.kind === 'authenticated') ? GIVEN : []
    const open = sessions.filter(({ isOpen }) => isOpen).map(({ name }) => name)
    if (open.length === 0) return []
    if (bare.length === 0 && without.length > 0) return STATE_ALONE
    return elementFindings(
      token,
      bare.map(({ page, form }) => ({
        page,
        element: form,
        says: `has a form (POST to ${form.action ?? 'no valid address'}) without a token, and the cookie ${open[0]} is sent with requests of other sites`,
      })),
      'tentative',
    )
  },
})

/** The site did not set it while the run looked on. */
const GIVEN: Unjudged = {
  state: 'inconclusive',
  reason:
    'Forms of the signed-in area have no token, and whether the session cookie that the run was given is sent with requests of other sites is not known.',
}

/** Web Forms binds it to a visitor where the application says so (`ViewStateUserKey`), and nothing of the page shows that. */
const STATE_ALONE: Unjudged = {
  state: 'inconclusive',
  reason:
    'Forms hold the state of their page and no token, and a page does not show whether its state is bound to the visitor.',
}

/** A search or a sign-in changes nothing of a session that already is; what goes to another site is not ours to judge. */
const changesState = (form: HtmlForm, { page }: ReadPage): boolean => {
  if (form.method !== 'post' || form.action === null) return false
  if (URL.parse(form.action)?.hostname !== URL.parse(page.url)?.hostname) return false
  const words = [
    form.action,
    form.attributes.id,
    form.attributes.class,
    form.attributes.role,
    ...form.inputs.map(({ name }) => name),
  ].join(' ')
  const search = form.inputs.some(({ type }) => type === 'search') || /search|suche|recherche|buscar/i.test(words)
  const signIn = form.inputs.filter(({ type }) => type === 'password').length === 1 && form.inputs.length <= 8
  return !search && !signIn && !opensView(form)
}

/** A button in a form of its own that opens an editor, a comparison or another view: hidden fields alone, of which one says so. */
const opensView = ({ inputs }: HtmlForm): boolean =>
  inputs.every(({ tag, type }) => tag === 'button' || NOT_FILLED.includes(type)) &&
  inputs.some(({ type, name, value }) => type === 'hidden' && ROUTING.test(name) && VIEWS.test(value))
const NOT_FILLED: readonly string[] = ['hidden', 'submit', 'button', 'image', 'reset']
const VIEWS = /^(?:edit|show|view|preview|diff|compare|index|list|print|history|revisions|recent|export|download)$/i

/** Names that frameworks use; a nonce of one's own making is known by its look. */
const NAMES =
  /csrf|xsrf|authenticity.?token|requestverificationtoken|__token|_token|formkey|form_key|anti.?forgery|nonce/i
const isToken = ({ type, name, value }: HtmlInput): boolean =>
  type === 'hidden' &&
  !isStateField(name) &&
  (NAMES.test(name) || (/^[A-Za-z0-9+/_=.\\-]{16,}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value)))

/** Cookies that open a session, those of the run's own sign-in among them; open are those that do not say Lax or Strict. */
const sessionsOf = (
  cookies: CookiesFacts,
  now: number,
): readonly { readonly name: string; readonly isOpen: boolean }[] =>
  seenCookies(cookies, now)
    .filter(({ session }) => session)
    .map(({ cookie: { name, sameSite } }) => ({ name, isOpen: !['lax', 'strict'].includes(sameSite.kind) }))
