import { describe, expect, it } from 'vitest'
import { caseAnswer } from '../../testing/answers.ts'
import { readAnswer } from './answers.ts'
import { isPersonal, isTelling } from './telling.ts'

const answered = (
  body: string,
  type = 'application/json',
  status = 200,
  headers: readonly (readonly [string, string])[] = [],
) => readAnswer(caseAnswer({ path: '/', body, status, type, headers }))

describe('an answer', () => {
  it.each<[string, ReturnType<typeof answered>, string]>([
    ['with content', answered('{"id":7,"name":"Ada"}'), 'granted'],
    ['by its status', answered('{"id":7}', 'application/json', 403), 'refused'],
    ['hidden', answered('no', 'text/plain', 404), 'refused'],
    ['elsewhere, told as data', answered('{"type":"redirect","location":"/login?to=%2Ffiles"}'), 'refused'],
    ['with a place', answered('{"location":"/halls/3","name":"Hall 3"}'), 'granted'],
    ['elsewhere', answered('', 'text/html', 302, [['Location', '/login']]), 'refused'],
    [
      'elsewhere, in the words of a framework',
      answered(
        '<title>Redirecting</title><h1>Redirecting...</h1><p>You should be redirected to <a href=/login>/login</a>.',
        'text/html',
        302,
      ),
      'refused',
    ],
    [
      'elsewhere, with the page beneath',
      answered(
        '<main><h1>Settings</h1><table><tr><th>k<th>v<tr><td>motto<td>Safe harbour<tr><td>mail<td>ada@shop.test</table>',
        'text/html',
        302,
        [['Location', '/login']],
      ),
      'granted',
    ],
    [
      'elsewhere, to a sign-in that it holds already',
      answered(
        '<main><h1>Sign in</h1><form><p>User<input><p>Password<input type=password><p>Or<p>ask<p>us</form>',
        'text/html',
        302,
      ),
      'refused',
    ],
    [
      'elsewhere, with a record',
      answered('{"a":"1","b":"2","c":"3","d":"4","e":"5","f":"6"}', 'application/json', 307),
      'granted',
    ],
    [
      'elsewhere, with an error',
      answered('{"error":"not signed in","a":"1","b":"2","c":"3","d":"4"}', 'application/json', 307),
      'refused',
    ],
    ['an error of its own', answered('oops', 'text/plain', 500), 'failed'],
    ['not understood', answered('{"error":"id must be a number"}', 'application/json', 400), 'failed'],
    ['a refusal with a good status', answered('{"success":false,"error":"Access denied"}'), 'refused'],
    ['a code in words', answered('{"error":{"code":"FORBIDDEN"}}'), 'refused'],
    ['of GraphQL', answered('{"data":{"order":null},"errors":[{"message":"Not authorized"}]}'), 'refused'],
    [
      'of GraphQL with content beside an error',
      answered('{"data":{"order":{"id":1}},"errors":[{"message":"x"}]}'),
      'granted',
    ],
    ['a page that asks to sign in', answered('<form><input type="password"></form>', 'text/html'), 'refused'],
    [
      'one that remembers who',
      answered('<form><input name=u value=ada><input type=password></form>', 'text/html'),
      'refused',
    ],
    ['a sign-in without a form', answered('<input name=u><input type=password>', 'text/html'), 'refused'],
    [
      'a dialog that would say so',
      answered(
        '<p>Orders</p><div class="hidden"><div><p>Session expired</p></div><p>Please log in again.</p></div><p>3 open</p>',
        'text/html',
      ),
      'granted',
    ],
    [
      'a profile',
      answered('<form>Name<input name=n><input type=password name=a><input type=password name=b></form>', 'text/html'),
      'granted',
    ],
    [
      'a new password',
      answered('<form>Name<input type=password autocomplete=new-password></form>', 'text/html'),
      'granted',
    ],
    [
      'an account to be changed',
      answered(
        '<form>Account<input name=n value=Ada><input name=m value=a@b.test><input type=password></form>',
        'text/html',
      ),
      'granted',
    ],
    [
      'one to be made',
      answered(
        '<form>New<input name=n><input name=m><input name=p><select name=r></select><input type=password></form>',
        'text/html',
      ),
      'granted',
    ],
    [
      'a page that invites to answer',
      answered('<h1>Which glue?</h1><p>For oak.</p><p><a href=/login>Sign in</a> to reply.</p>', 'text/html'),
      'granted',
    ],
    [
      'a page that tells who may comment',
      answered('<h1>News</h1><p>We open.</p><p>You must be logged in to post a comment.</p>', 'text/html'),
      'granted',
    ],
    ['a page that tells who may read', answered('<h1>News</h1><p>Please sign in to read.</p>', 'text/html'), 'refused'],
    ['a page that says no', answered('<h1>Access denied</h1>', 'text/html'), 'refused'],
    [
      'a long page that speaks of it',
      answered(`<p>Access denied</p>${'<p>and other stories of doors</p>'.repeat(90)}`, 'text/html'),
      'granted',
    ],
    ['an empty list', answered('{"items":[],"total":0}'), 'empty'],
    ['nothing', answered('{}'), 'empty'],
    [
      'a record with a message',
      answered('{"id":4,"message":"not found in stock","title":"Lamp","size":3,"price":5,"a":1}'),
      'granted',
    ],
  ])('%s', (_name, { state }, expected) => expect(state).toBe(expected))

  it('has the values of its members, of pages what is shown', () => {
    expect([...answered('{"a":[{"Mail":"x@y.test"},{"n":12}],"b":true}').leaves]).toEqual([
      { name: 'mail', value: 'x@y.test' },
      { name: 'n', value: '12' },
    ])
    const page = answered(
      '<p title="no">Ada &amp; Bo</p><script>no()</script><input value="12 Mill Road">',
      'text/html',
    )
    expect([...page.values]).toEqual(['Ada & Bo', '12 Mill Road'])
  })
})

it.each([
  ['', 'ada@shop.test', true, true],
  ['phone', '12345', true, true],
  ['', 'DE89 3704 0044 0532 0130 00', true, true],
  ['note', 'leave with neighbour', false, true],
  ['id', '17', false, false],
  ['id', '90210', false, true],
  ['created', '2026-01-01T10:00:00Z', false, false],
  ['status', 'delivered', false, false],
  ['href', '/api/orders/1001', false, false],
])('%s: %s', (name, value, personal, telling) => {
  expect([isPersonal({ name, value }), isTelling({ name, value })]).toEqual([personal, telling])
})
