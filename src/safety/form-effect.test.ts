import { describe, expect, it } from 'vitest'
import { draftsOfForm } from '../modules/attack/crawl/forms.ts'
import { createRequests } from '../modules/attack/crawl/requests.ts'
import { readHtml } from '../page/html.ts'
import { SAVES } from './deeds.ts'
import { effectOf } from './effect.ts'
import { changesPassword } from './form-effect.ts'
import { GUESSED, WRITES_UNKNOWN } from './policy.ts'
import { STORES } from './storing.ts'

const PAGE = 'https://shop.test/account?tab=a'
const draft = (html: string) => {
  const [form] = readHtml(html, PAGE).forms
  return form ? (draftsOfForm(form, PAGE)[0] ?? null) : null
}
const request = (html: string, signedIn = false) => {
  const given = draft(html)
  return (
    given &&
    createRequests(() => ({ environment: 'production', signedIn, staff: false, excludes: () => false })).add(given)
  )
}

describe('a form that would do harm', () => {
  it.each([
    [
      'a password is changed with GET',
      '<form action=/p><input type=password name=a><input type=password name=b></form>',
      'it sets a password',
    ],
    [
      'a sign-in with GET',
      '<form action=/login><input name=u><input type=password name=p></form>',
      'it sets a password',
    ],
    [
      'a registration',
      '<form method=post action=/register><input name=u><input type=password name=p></form>',
      'it sets a password',
    ],
    [
      'an old and a new one',
      '<form method=post><input type=password name=old><input type=password name=new></form>',
      'it sets a password',
    ],
    ['one that shows it', '<form action=/x><input name=new_password></form>', 'it sets a password'],
    [
      'told by autocomplete',
      '<form method=post action=/x><input name=u><input type=password name=p autocomplete=new-password></form>',
      'it sets a password',
    ],
    [
      'a profile, with who it is',
      '<form method=post action=/x><input name=email value=ada@shop.test><input type=password name=pass1><input type=password name=pass2></form>',
      'it sets a password',
    ],
    [
      'an account to be made, without',
      '<form method=post action=/x><input name=email><input type=password name=pass1><input type=password name=pass2></form>',
      'it registers an account',
    ],
    [
      'text of a button',
      '<form method=post action=/x><input name=id><button><b>Delete</b></button></form>',
      'it deletes',
    ],
    [
      'value of a button',
      '<form action=/x><input name=id><input type=submit value="Reset database"></form>',
      'it sets up or reconfigures the application',
    ],
    ['picture in a button', '<form action=/x><button><img alt="Remove"></button></form>', 'it deletes'],
    ['picture as a button', '<form action=/x><input name=id><input type=image alt="Delete"></form>', 'it deletes'],
    ['aria-label', '<form action=/x><button aria-label="Delete">x</button></form>', 'it deletes'],
    ['title', '<form action=/x><button title="Empty the list">x</button></form>', 'it deletes'],
    [
      'a hidden deed',
      '<form method=post action=/x><input type=hidden name=action value=drop_user><button>Go</button></form>',
      'it deletes accounts or databases',
    ],
    [
      'an overridden method',
      '<form method=post action=/x/3><input type=hidden name=_method value=delete></form>',
      'it deletes',
    ],
    [
      'a question before',
      '<form action=/x onsubmit="return confirm(1)"><input name=id></form>',
      'it asks before it is done',
    ],
  ])('%s', (_name, html, harm) => expect(request(html)?.harm).toBe(harm))
})

describe('a form that tells of no harm', () => {
  it.each([
    ['a search', '<form action=/find><input name=q><button>Search</button></form>', null],
    ['a filter', '<form action=/list><select name=state><option>open</select><button>Apply</button></form>', null],
    [
      'a sign-in',
      '<form method=post action=/login><input name=u><input type=password name=p><button>Log in</button></form>',
      WRITES_UNKNOWN,
    ],
    [
      'a sign-in with GET',
      '<form action=/login><input name=login><input type=password name=p><button>Log in</button></form>',
      null,
    ],
    ['a search that is posted', '<form method=post action=/find><input name=q></form>', WRITES_UNKNOWN],
    [
      'a comment',
      '<form method=post action=/comments><textarea name=text></textarea><button>Go</button></form>',
      STORES,
    ],
    ['something that is saved', '<form method=post action=/x><input name=a><button>Save</button></form>', SAVES],
  ])('%s', (_name, html, harm) => expect(request(html)?.harm ?? null).toBe(harm))

  it('by the button that reads, beside one that deletes', () => {
    const both = request(
      '<form action=/list><input name=id><button name=do value=delete>Delete</button><button name=do value=find>Find</button></form>',
    )
    expect(both).toMatchObject({ harm: null, url: 'https://shop.test/list?id=1&do=find' })
    expect(
      request(
        '<form action=/list><input name=id><button>Delete</button><button name=do value=find>Find</button></form>',
      )?.harm,
    ).toBe('it deletes')
  })
})

it.each([
  [
    'a button that saves',
    '<form action=/me><input name=nick value=""><button>Save</button></form>',
    'unknown',
    'unknown',
  ],
  [
    'what is stored is shown',
    '<form action=/me><input name=nick value="Robin"><button>OK</button></form>',
    'reads',
    'unknown',
  ],
  [
    'what was looked for is shown',
    '<form action=/me><input name=tab value="a b"><button>OK</button></form>',
    'reads',
    'reads',
  ],
  ['a filter', '<form action=/me><input name=name value="Robin"><button>Filter</button></form>', 'reads', 'reads'],
  [
    'a name and nothing else',
    '<form action=/me><input name=name><input type=submit value=Submit></form>',
    'reads',
    'reads',
  ],
])('sent with GET: %s', (_name, html, anonymous, signedIn) => {
  expect([request(html), request(html, true)].map((one) => one && effectOf(one))).toEqual([anonymous, signedIn])
})

it.each([
  ['an old and a new one', ['current_password', 'new_password'], true],
  ['a new one beside a name', ['nickname', 'newPassword'], true],
  ['one twice', ['pass1', 'pass2', 'token'], true],
  ['of an account that is told', ['user_login', 'pass1', 'pass2'], false],
  ['a sign-in', ['user', 'password'], false],
  ['of an account that is there by its number', ['user_id', 'email', 'pass1', 'pass2'], true],
  ['none', ['newsletter', 'compass'], false],
])('names that change the password of whoever sends them: %s', (_name, names, expected) => {
  expect(changesPassword(names, 'http://shop.test/x')).toBe(expected)
})

describe('a form whose program is told what to do', () => {
  const writes = (html: string) => draft(html)?.writes
  it.each([
    ['adds', 'value=add-menu-item', 'said'],
    ['saves', 'value=save_rows', 'said'],
    ['searches', 'value=search', null],
    ['is called like a deed', 'value=address-book', null],
  ])('%s, whichever of its buttons is pressed', (_what, value, expected) => {
    const form = `<form method=post action=/x><input type=hidden name=action ${value}><input name=q><button>Search</button><button name=add>Add</button></form>`
    expect(writes(form)).toBe(expected)
  })

  it('is none where it is asked by its address', () => {
    expect(
      writes('<form action=/x><input type=hidden name=action value=edit><input name=id><button>Go</button></form>'),
    ).toBe(null)
  })
})

describe('a list whose boxes are ticked, and that nothing in it sends', () => {
  const list = (more = '', attributes = '', method = 'method=post') =>
    `<form ${method} action=/parts><input type=hidden name=back value=/parts><input type=checkbox name=ids[] value=7 ${attributes}>${more}</form>`
  it.each([
    ['is read by scripts: that it is posted is a guess', list(), 'guessed'],
    ['but has a button', list('<button>Go</button>'), null],
    ['but has a button for scripts', list('<button type=button>Go</button>'), null],
    ['but has a line, which the key Enter sends', list('<input name=note>'), null],
    ['but has a list, which may send it', list('<select name=to><option>a<option>b</select>'), null],
    ['but a tick sends it', list('', 'onchange="this.form.submit()"'), null],
    ['and asks for its page', list('', '', ''), null],
  ])('%s', (_what, html, expected) => {
    expect(draft(html)?.writes).toBe(expected)
  })

  it('is not sent on a production system, where it may make what its address makes', () => {
    expect(request(list())?.harm).toBe(GUESSED)
  })
})
