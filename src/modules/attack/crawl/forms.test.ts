import { describe, expect, it } from 'vitest'
import { readHtml } from '../../../page/html.ts'
import { exampleOfPattern } from '../../../page/pattern.ts'
import { ENDS_SESSION } from '../../../safety/deeds.ts'
import { ASKS_FIRST } from '../../../safety/form-effect.ts'
import type { Field } from './facts.ts'
import { draftOfLooseInputs, draftsOfForm } from './forms.ts'
import { createRequests } from './requests.ts'

const PAGE = 'https://shop.test/a/page'

const writesOf = (markup: string) => {
  const page = readHtml(markup, PAGE)
  return page.forms.flatMap((form) => draftsOfForm(form, PAGE, page.base, page.links)).map(({ writes }) => writes)
}

/** Each request as one line: method, path with query, fields. */
const requestsOf = (markup: string): readonly string[] => {
  const page = readHtml(markup, PAGE)
  return page.forms
    .flatMap((form) => draftsOfForm(form, PAGE, page.base, page.links))
    .map(({ method, url, fields = [] }) =>
      [
        method,
        decodeURIComponent(url.slice('https://shop.test'.length)),
        ...fields.map((one) => `${one.name}=${one.value}`),
      ].join(' '),
    )
}

it('what makes an account gives it no password that the sign-in is asked with', () => {
  const password = '<input type=password name=password>'
  const joining = `<form method=post action=/join>${password}<input type=password name=again></form>`
  const [made = '', asked = ''] = requestsOf(`${joining}<form method=post action=/login>${password}</form>`)
  const [, first, again] = /password=(\S+) again=(\S+)$/.exec(made) ?? []
  expect(first).toMatch(/^Test-\d{4}$/)
  expect(again).toBe(first)
  expect(asked).toMatch(/password=Test-\d{4}$/)
  expect(asked).not.toContain(first)
})

describe('a form that a script sends', () => {
  it.each([
    ['goes where it says', 'data-action="/notes/3/move"', 'POST /notes/3/move day=mon'],
    ['goes there by its method', 'data-url="/notes/3" data-method="PATCH"', 'PATCH /notes/3 day=mon'],
    ['goes where a library reads it', 'hx-put="/notes/3"', 'PUT /notes/3 day=mon'],
    ['asks where a library reads it', 'hx-get="/notes/list"', 'GET /notes/list?day=mon'],
    ['asks where a library reads it, by its longer name', 'data-hx-get="/notes/list"', 'GET /notes/list?day=mon'],
    ['asks where it says', 'data-url="/notes/list" data-method="GET"', 'GET /notes/list?day=mon'],
  ])('%s', (_name, attributes, request) => {
    expect(requestsOf(`<form class=ajax ${attributes}><input name=day value=mon></form>`)).toContain(request)
  })
  it.each(['get', 'post', 'put', 'patch'])('is not sent to its page where a library sends it by %s', (method) => {
    const sent = requestsOf(`<form hx-${method}="/notes/3"><input name=day value=mon></form>`)
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatch(/^[A-Z]+ \/notes\/3/)
  })
  it('is sent to its page too where only a script of its own would send it elsewhere', () => {
    expect(requestsOf('<form data-url="/notes/3"><input name=day value=mon></form>')).toContain('GET /a/page?day=mon')
  })
  it('is a guess, and may write, where its page does not say how it is sent', () => {
    const form = (attributes: string) => `<form ${attributes}><input name=day value=mon></form>`
    expect(writesOf(form('data-url="/notes/3"'))).toContain('guessed')
    for (const attributes of [
      'data-url="/notes/3" data-method="post"',
      'hx-post="/notes/3"',
      'method=post action="/notes/3"',
    ])
      expect(writesOf(form(attributes))).not.toContain('guessed')
  })
  it.each([
    ['has an address', 'action="/search" data-url="/suggest"'],
    ['has a method', 'method=get data-url="/suggest"'],
    ['names another site', 'data-url="https://other.test/collect"'],
    ['names no address', 'data-action="save"'],
    ['asks another site', 'hx-get="https://other.test/collect"'],
    ['reads', 'data-url="/suggest" data-method="get"'],
  ])('is sent as it is where it %s', (_name, attributes) => {
    expect(
      requestsOf(`<form ${attributes}><input name=day value=mon></form>`).every((one) => one.startsWith('GET ')),
    ).toBe(true)
  })
})

describe('what is looked for', () => {
  const search =
    '<form action=/homes><input type=search name=q><select name=area><option value="">all<option>North</select></form>'
  it.each([
    [
      'is named by what lies below, in every list',
      '<a href=/homes/4>Old Pier flat</a>',
      ['q=test&area=North', 'q=Pier&area=', 'q=&area=North'],
    ],
    [
      'is named by what has a number',
      '<a href=/flat/4/>Old Pier flat</a>',
      ['q=test&area=North', 'q=Pier&area=', 'q=&area=North'],
    ],
    ['is made up where the page names nothing', '<a href=/contact>Contact</a>', ['q=test&area=North', 'q=&area=North']],
    [
      'is made up where another site is named',
      '<a href=//other.test/homes/4>Other</a>',
      ['q=test&area=North', 'q=&area=North'],
    ],
  ])('%s', (_name, links, queries) => {
    expect(requestsOf(`${links}${search}`)).toEqual(queries.map((query) => `GET /homes?${query}`))
  })
  it('is nothing beside what is chosen from a list, but where it has to be something', () => {
    expect(requestsOf(search.replace('name=q', 'name=q required'))).toEqual(['GET /homes?q=test&area=North'])
    expect(requestsOf('<form action=/homes><input type=search name=q></form>')).toEqual(['GET /homes?q=test'])
  })
  it('is nothing where several fields narrow a list, as when nobody has filled them', () => {
    const fields =
      '<input name=lane><input type=number name=size><select name=sun><option value="">any<option>full</select><input type=checkbox name=water>'
    const wide = requestsOf(`<form action=/plots>${fields}<input type=submit name=go value=Find></form>`)
    expect(wide.at(-1)).toBe('GET /plots?lane=&size=&sun=&go=Find')
    const posted = (label: string) =>
      requestsOf(`<form method=post action=/plots>${fields}<input type=submit name=go value=${label}></form>`)
    expect(posted('Find')).toEqual([
      'POST /plots lane=test size=1 sun=full water=on go=Find',
      'POST /plots lane= size= sun= go=Find',
    ])
    expect(posted('Save')).toHaveLength(1)
    expect(requestsOf('<form action=/plots><input name=lane required><input name=size required></form>')).toHaveLength(
      1,
    )
  })
  it('stays what the field says', () => {
    expect(
      requestsOf('<a href=/homes/4>Flat by the pier</a><form action=/homes><input name=q value=own></form>'),
    ).toHaveLength(1)
  })
})

describe('a form is sent as a browser sends it', () => {
  it.each([
    ['the chosen option', '<select name=a><option>x<option selected value=2>y</select>', '/a/page?a=2'],
    ['the first option, without a value its text', '<select name=a><option> one <option>two</select>', '/a/page?a=one'],
    [
      'no placeholder, no disabled option',
      '<select name=a><option value="">–<option disabled>x<option>y</select>',
      '/a/page?a=y',
    ],
    ['one of several that may be chosen', '<select multiple name=a><option>x<option>y</select>', '/a/page?a=x'],
    ['a text area with its text', '<textarea name=a>own text</textarea>', '/a/page?a=own+text'],
    ['the checked radio', '<input type=radio name=a value=1><input type=radio name=a value=2 checked>', '/a/page?a=2'],
    [
      'checked boxes alone',
      '<input type=checkbox name=a value=1 checked><input type=checkbox name=a value=2>',
      '/a/page?a=1',
    ],
    ['a box where none is checked', '<input type=checkbox name=a>', '/a/page?a=on'],
    ['nothing that is disabled', '<input name=a value=1><input name=b disabled>', '/a/page?a=1'],
    ['an option of a list', '<input name=a list=l><datalist id=l><option value=red></datalist>', '/a/page?a=red'],
    ['a number within its bounds', '<input type=number name=a min=10 max=20 step=5>', '/a/page?a=10'],
    ['a number below one', '<input type=number name=a min=0 max=0.5 step=0.1>', '/a/page?a=0'],
    ['a date that is not too early', '<input type=date name=a min=2030-05-01>', '/a/page?a=2030-05-01'],
    ['a text that is long enough', '<input name=a minlength=10>', '/a/page?a=testtestte'],
    ['a text that is short enough', '<input name=email maxlength=4>', '/a/page?email=test'],
    ['what the pattern asks for', '<input name=a pattern="[A-Z]{2}-\\d{3}">', '/a/page?a=AB-456'],
  ])('%s', (_name, inputs, expected) => {
    expect(requestsOf(`<form>${inputs}</form>`)).toEqual([`GET ${expected}`])
  })

  it('each button that tells the server is a request of its own', () => {
    expect(
      requestsOf(`<base href=/b/><form method=post action=save><input name=a value=1>
        <button name=do value=check>Check</button><button name=do value=show>Show</button>
        <button formaction=find formmethod=get>Find</button><button>Plain</button><input type=image name=go></form>`),
    ).toEqual([
      'POST /b/save a=1 do=check',
      'POST /b/save a=1 do=show',
      'GET /b/find?a=1',
      'POST /b/save a=1 go.x=1 go.y=1',
    ])
  })

  it('of fields that stand for each other each is filled alone, too', () => {
    expect(requestsOf('<form action=/find><input name=id><input name=city></form>')).toEqual([
      ...['GET /find?id=1&city=test', 'GET /find?id=1&city=', 'GET /find?id=&city=test', 'GET /find?id=&city='],
    ])
  })

  it('inputs belong to the form that the parser held open, however broken the table', () => {
    expect(
      requestsOf('<table><form action=/t><tr><td><input name=a value=1></td></tr></form></table><input name=b>'),
    ).toEqual(['GET /t?a=1'])
  })

  it('inputs without a form are sent to their page', () => {
    const token = '<input type=hidden name=csrfmiddlewaretoken value=wkFkg9WvDLeZZ5aLkaavVpaL71zCOjEKbUk9K6za3XxH>'
    const page = readHtml(
      `${token}<input name=term><input id=max type=number><input type=password name=p>`,
      `${PAGE}?x=1`,
    )
    expect(draftOfLooseInputs(page.looseInputs, `${PAGE}?x=1`)).toMatchObject({
      method: 'GET',
      url: `${PAGE}?x=1&term=test&max=1`,
    })
  })

  it('what a library has counted as it drew the page is no name of an input', () => {
    const ids = ['mat-input-3', 'mat-mdc-checkbox-0-input', 'input-v-12', ':r4:', 'react-aria123-7', 'radix-:r1:']
    const page = readHtml(`<input id=town>${ids.map((id) => `<input id="${id}">`).join('')}`, PAGE)
    expect(draftOfLooseInputs(page.looseInputs, PAGE)?.url).toBe(`${PAGE}?town=test`)
  })

  it('no form chooses another language, which may be kept with the account', () => {
    const list = '<select name=lang><option value=de>Deutsch<option value=en selected>English</select>'
    const [draft] = draftsOfForm(
      readHtml(`<form>${list}<select name=sort><option>up<option>down</select></form>`, PAGE).forms[0] as never,
      PAGE,
    )
    expect(draft?.choices?.map(({ name }) => name)).toEqual(['sort'])
    expect(draft?.url).toBe(`${PAGE}?lang=en&sort=up`)
  })

  it('a box without a name opens a menu, and is no field', () => {
    const page = readHtml(
      '<input id=menu type=checkbox role=button><input id=tab type=radio><input name=open type=checkbox checked>',
      PAGE,
    )
    expect(draftOfLooseInputs(page.looseInputs, PAGE)?.url).toBe(`${PAGE}?open=on`)
  })
})

it.each([
  ['[a-z]+', /^[a-z]+$/],
  ['\\d{4}-\\d{2}', /^\d{4}-\d{2}$/],
  ['(foo|bar)[0-9]{2,}', /^(foo|bar)[0-9]{2,}$/],
  ['(?=.*\\d)(?=.*[a-z])(?=.*[A-Z]).{8,}', /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z]).{8,}$/],
  ['[^@\\s]+@[^@\\s]+\\.[a-z]{2,3}', /^[^@\s]+@[^@\s]+\.[a-z]{2,3}$/],
  ['^\\+?[0-9 ]{6,}$', /^\+?[0-9 ]{6,}$/],
  ['(?:a{0}b?c){2}', /^(?:a{0}b?c){2}$/],
])('a text for the pattern %s', (pattern, rule) => {
  expect(exampleOfPattern(pattern)).toMatch(rule)
})

it('a pattern that cannot be read gives none', () => {
  expect([exampleOfPattern('(a'), exampleOfPattern('[a'), exampleOfPattern('a)'), exampleOfPattern('a{900}')]).toEqual([
    null,
    null,
    null,
    null,
  ])
})

it('what people type is told from what they choose and what stands there already', () => {
  const fields =
    '<input name=q><input type=search name=tag><textarea name=note></textarea><input type=hidden name=do value=find>' +
    '<select name=order><option>new</select><input name=fixed readonly value=1><input type=number name=page>'
  const page = readHtml(`<form action=/find>${fields}</form>`, PAGE)
  const drafts = page.forms.flatMap((form) => draftsOfForm(form, PAGE, page.base, page.links))
  expect(drafts[0]?.typed).toEqual(['q', 'tag', 'note'])
})

it.each([
  [
    'a button asks with its fields',
    '<textarea name=body></textarea><button type=button hx-post=/look>Look</button>',
    [],
  ],
  ['two lines', '<input name=a><input name=b><button type=button hx-post=/look>Look</button>', []],
  [
    'one line, which Enter sends',
    '<input name=a><button type=button hx-post=/look>Look</button>',
    ['GET /a/page?a=test'],
  ],
  ['one that asks itself', '<input name=a hx-get=/look>', []],
  [
    'it has a button of its own',
    '<input name=a><input name=b hx-get=/look><button>Go</button>',
    ['GET /a/page?a=test&b=test'],
  ],
])(
  'a form that nothing sends but an element of htmx is sent to its page only where somebody can: %s',
  (_what, within, expected) => {
    expect(requestsOf(`<form>${within}</form>`).filter((line) => !line.includes('=&') && !line.endsWith('='))).toEqual(
      expected,
    )
  },
)

describe('a form that holds the whole page', () => {
  const STATE = '<input type=hidden name=__VIEWSTATE value="dDwtMTA="><input type=hidden name=__EVENTTARGET value="">'
  const LIST = `<form method=post action="list.aspx">${STATE}<input name="ctl00$Main$txtEmail"><input type=submit name="ctl00$Main$btnFind" value=Find>
    <a href="javascript:__doPostBack('ctl00$Main$rows','Sort$name')">Name</a><a href="javascript:__doPostBack('ctl00$Main$rows','Page$2')">2</a>
    <a href="javascript:__doPostBack('ctl00$lnkOut','')">Log out</a></form>`

  it('is sent by its button, and by what scripts send it for', () => {
    const own = 'POST /a/list.aspx __VIEWSTATE=dDwtMTA='
    expect(requestsOf(LIST)).toEqual([
      `${own} __EVENTTARGET= ctl00$Main$txtEmail=test@example.org ctl00$Main$btnFind=Find`,
      `${own} ctl00$Main$txtEmail=test@example.org __EVENTTARGET=ctl00$Main$rows __EVENTARGUMENT=Sort$name`,
      `${own} ctl00$Main$txtEmail=test@example.org __EVENTTARGET=ctl00$Main$rows __EVENTARGUMENT=Page$2`,
      `${own} ctl00$Main$txtEmail=test@example.org __EVENTTARGET=ctl00$lnkOut __EVENTARGUMENT=`,
    ])
  })

  it('each of them is a request, pages of a list together', () => {
    const requests = createRequests(() => ({
      environment: 'test',
      signedIn: true,
      staff: false,
      excludes: () => false,
    }))
    const more = LIST.replace('Page$2', 'Page$7').replace('Sort$name', 'Sort$city')
    for (const markup of [LIST, more]) {
      const page = readHtml(markup, PAGE)
      for (const draft of page.forms.flatMap((form) => draftsOfForm(form, PAGE))) requests.add(draft)
    }
    const argumentOf = (fields: readonly Field[]) => fields.find(({ name }) => name === '__EVENTARGUMENT')?.value ?? ''
    expect(requests.all().map(({ fields, harm }) => [argumentOf(fields), harm])).toEqual([
      ['', null],
      ['Sort$name', null],
      ['Page$2', null],
      ['', ENDS_SESSION],
    ])
  })

  it('its state is kept whole', () => {
    const state = 'dDw'.repeat(10_000)
    const page = readHtml(LIST.replace('dDwtMTA=', state), PAGE)
    const requests = createRequests()
    const [draft] = page.forms.flatMap((form) => draftsOfForm(form, PAGE))
    expect(draft && requests.add(draft)?.fields.find(({ name }) => name === '__VIEWSTATE')?.value).toBe(state)
  })

  it('a question before it stands in the link', () => {
    const markup = `<form method=post>${STATE}<a href="#" onclick="if(confirm('Sure?'))__doPostBack('x','')">Do it</a></form>`
    const page = readHtml(markup, PAGE)
    expect(page.forms.flatMap((form) => draftsOfForm(form, PAGE)).at(-1)?.harm).toBe(ASKS_FIRST)
  })

  it('buttons of one kind in the rows of a table are one', () => {
    const rows = Array.from(
      { length: 20 },
      (_, row) => `<input type=submit name="ctl00$rows$ctl${row + 10}$open" value=Open>`,
    )
    const sent = requestsOf(
      `<form method=post>${STATE}${rows.join('')}<input type=submit name="ctl00$export" value=Export></form>`,
    )
    expect(sent.map((one) => one.split(' ').at(-1))).toEqual([
      'ctl00$rows$ctl10$open=Open',
      'ctl00$rows$ctl11$open=Open',
      'ctl00$export=Export',
    ])
  })
})

it.each([
  [
    'an empty row behind one that is filled stays empty',
    '<input name=o[0][sku] value=T-1><input name=o[0][note]><input name=o[1][sku]><input name=o[1][note]>',
    'o[0][sku]=T-1 o[0][note]=test o[1][sku]= o[1][note]=test',
  ],
  [
    'rows of which none is filled are',
    '<input name=line-0-sku><input name=line-1-sku>',
    'line-0-sku=test line-1-sku=test',
  ],
  ['what has to be filled is', '<input name=o.0.sku value=a><input name=o.1.sku required>', 'o.0.sku=a o.1.sku=test'],
])('%s', (_name, inputs, fields) => {
  expect(requestsOf(`<form method=post action=/orders>${inputs}</form>`)).toEqual([`POST /orders ${fields}`])
})
