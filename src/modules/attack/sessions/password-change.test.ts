import { expect, it } from 'vitest'
import { SETS_PASSWORD } from '../../../safety/form-effect.ts'
import { passwordChanges } from './probes/password-change.ts'
import { field, template } from './testing/asked.ts'

const secret = (name: string) => field(name, '', 'password')
const seen = (
  path: string,
  names: readonly string[],
  more: Parameters<typeof template>[3] = {},
  hasCredentials = true,
) => {
  const fields = names.map((name) =>
    name.startsWith('#') ? field(name.slice(1), 'x1', 'hidden') : /pass|pw/.test(name) ? secret(name) : field(name),
  )
  const request = template('POST', path, fields, { harm: SETS_PASSWORD, ...more })
  return passwordChanges({ hasCredentials }, { requests: [request] })
}

it('a form for a new password alone', () => {
  const topic = seen('/account/password', ['password_new', 'password_conf', '#csrf_token'])
  expect(topic).toMatchObject({ known: 1, seen: [{ names: ['password_new', 'password_conf'] }] })
})

it('a form that puts it into its address', () => {
  const by = (query: string) => {
    const request = template('GET', `/account/password?${query}`, [], { harm: SETS_PASSWORD, source: 'form' })
    return passwordChanges({ hasCredentials: true }, { requests: [request] })
  }
  expect(by('password_new=a&password_conf=a&user_token=x1&change=Change').seen).toMatchObject([
    { method: 'GET', names: ['password_new', 'password_conf'] },
  ])
  expect(by('password_current=a&password_new=a&change=Change')).toMatchObject({ known: 1, seen: [] })
})

it('what a script sends', () => {
  const body = JSON.stringify({ newPassword: 'a', repeatPassword: 'a' })
  expect(seen('/api/v1/me/password', [], { encoding: 'json', body }).seen).toHaveLength(1)
  const whole = JSON.stringify({ currentPassword: 'a', newPassword: 'b' })
  expect(seen('/api/me/password', [], { encoding: 'json', body: whole })).toMatchObject({ known: 1, seen: [] })
})

it.each([[['password', 'verify_password']], [['new_password', 'password_repeat', '#folder']]])(
  '%j asks for none that there is',
  (names) => {
    expect(seen('/account/password', names).seen).toHaveLength(1)
  },
)

it.each<[string, readonly string[]]>([
  ['the one before, in one word', ['oldPassword', 'newPassword']],
  ['the one before, in one word without a capital', ['oldpassword', 'setpassword']],
  ['the one before, behind the word', ['passwordold', 'password1', 'csrf']],
  ['the one before', ['old_password', 'password', 'password_confirmation']],
  ['three, whatever they are called', ['pw1', 'pw2', 'pw3']],
])('one that asks for %s is well', (_name, names) => {
  expect(seen('/account/password', names)).toMatchObject({ known: 1, seen: [] })
})

it.each<[string, string, readonly string[]]>([
  ['a password that was forgotten', '/password/reset', ['password', 'password_confirmation']],
  ['a code that was sent', '/account/password', ['code', 'password', 'password_confirmation']],
  ['the account of somebody else, by its number', '/users/7/password', ['password', 'password_confirmation']],
  ['the account of somebody else, by its name', '/admin/password', ['username', 'password', 'password_confirmation']],
])('a form for %s is none of the own account', (_name, path, names) => {
  expect(seen(path, names)).toMatchObject({ known: 0, seen: [] })
})

it('nobody has a password to change', () => {
  expect(seen('/account/password', ['password', 'password2'], {}, false).none).toMatchObject({ state: 'not_tested' })
})
