import { html } from '../shop/html.ts'
import { type Route, redirect } from '../shop/route.ts'
import { csrfToken, ensureSession, isForged, isSignedIn, readSession, signIn, signOut } from '../shop/session.ts'
import { tokenField } from './form.ts'

const account: Route = {
  path: '/account',
  answer: (ask) => {
    const session = readSession(ask)
    if (session === null || !isSignedIn(ask)) return redirect('/login')
    return {
      page: {
        title: 'Account',
        body: html`<main class="wrap"><h2>Hello Robin</h2>
<table><tr><th>Order</th><th>Date</th><th>State</th></tr><tr><td>NF-20413</td><td>3 October</td><td>delivered</td></tr></table>
<form class="stack" method="post" action="/logout">${tokenField(ask, csrfToken(session))}<button>Sign out</button></form></main>`,
      },
    }
  },
}

const ATTEMPTS = 10
const WINDOW = 20_000
const attempts = new Map<string, { count: number; readonly since: number }>()

/** The fixed twin counts attempts by account. */
const isTooOften = (email: string): boolean => {
  const now = Date.now()
  const known = attempts.get(email)
  const current = known && now - known.since < WINDOW ? known : { count: 0, since: now }
  current.count += 1
  if (attempts.size > 1_000) attempts.clear()
  attempts.set(email, current)
  return current.count > ATTEMPTS
}

const login: Route = {
  path: '/login',
  answer: (ask) => {
    const { session, headers } = ensureSession(ask)
    const tried = ask.method === 'POST'
    if (tried && ask.shop.fixed && isTooOften(ask.form.get('email') ?? '')) {
      const body = html`<main class="wrap"><h2>Please wait</h2><p>Too many attempts. Try again in a moment.</p></main>`
      return { status: 429, headers: [['Retry-After', '20']], page: { title: 'Please wait', body } }
    }
    if (tried && !isForged(ask) && signIn(session, ask.form.get('email') ?? '', ask.form.get('password') ?? ''))
      return redirect('/account', headers)
    return {
      status: tried ? 401 : 200,
      headers,
      page: {
        title: 'Sign in',
        body: html`<main class="wrap"><h2>Sign in</h2>
${tried ? html`<p class="note">That did not match. Please try again.</p>` : null}
<form class="stack" method="post" action="/login">${tokenField(ask, csrfToken(session))}
<label>E-mail<input type="email" name="email" autocomplete="username" required></label>
<label>Password<input type="password" name="password" autocomplete="current-password" required></label>
<button>Sign in</button></form></main>`,
      },
    }
  },
}

const logout: Route = {
  path: '/logout',
  answer: (ask) => {
    const session = readSession(ask)
    if (ask.method === 'POST' && session !== null && !isForged(ask)) signOut(session)
    return redirect('/')
  },
}

export const ACCOUNT_ROUTES: readonly Route[] = [account, login, logout]
