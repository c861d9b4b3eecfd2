/** Pages with a field for a password whose scripts go on only once somebody is signed in, which no look at them shows. */
import { expect, it } from 'vitest'
import { scanned, scriptedOf } from '../testing/scanned.ts'
import { queryNamesIn } from './route-names.ts'

const stateOf = async (field: string, script: string): Promise<string | undefined> => {
  const { states } = await scanned(
    (_sent, { url = '' }) =>
      url.startsWith('/app.js')
        ? script
        : `<!doctype html><title>Members</title><h1>Members</h1><form onsubmit="enter(event)">${field}<button>Go</button></form><script src=/app.js></script>`,
    scriptedOf(['/members']),
  )
  return states['xss/open-redirect']
}

const entering = (next: string): string => `function enter(event) {
  event.preventDefault()
  fetch('/no-such-session', { method: 'POST', body: '{}' }).then((answer) => answer.json()).then(({ token }) => {
    if (token) { const next = ${next}; location.href = next ?? '/home' }
  }, () => undefined)
}`

it('does not pass where an address that a script reads is followed after a sign-in', async () => {
  const next = "new URLSearchParams(location.search).get('next')"
  expect(await stateOf('<input type=password>', entering(next))).toBe(
    'inconclusive followed only once somebody has signed in: next of /members',
  )
})

it.each([
  ['where the page asks for no password', '<input>', "new URLSearchParams(location.search).get('next')"],
  ['where no script reads one', '<input type=password>', "'/orders'"],
])('leaves nothing %s', async (_, field, next) => {
  expect(await stateOf(field, entering(next))).toMatch(/^(?:pass|not_applicable) /)
})

it.each([
  ['a query that is read at once', "new URLSearchParams(location.search).get('next')", ['next']],
  [
    'one that is kept first',
    'const e=new URLSearchParams(window.location.search);go(e.get("next"),n.get("to"))',
    ['next'],
  ],
  ['none where no name is to be seen', 'const e=new URLSearchParams(window.location.search);t(e)', []],
  ['that of an address', 'const to = new URL(location.href).searchParams.get("to")', ['to']],
  ["that of a router's route", 'r.push(this.$route.query.redirect||"/")', ['redirect']],
])('knows %s', (_, code, names) => {
  expect(queryNamesIn(code)).toEqual(names)
})
