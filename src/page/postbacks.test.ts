import { describe, expect, it } from 'vitest'
import { readHtml } from './html.ts'
import { pressedBy } from './html-forms.ts'
import { postbackIn, shapeOfPostback } from './postbacks.ts'

const BY = (target: string, argument = '') => [
  ['__EVENTTARGET', target],
  ['__EVENTARGUMENT', argument],
]

describe('what a script sends of a form', () => {
  it.each([
    ['a link', "javascript:__doPostBack('ctl00$Main$rows','Page$2')", BY('ctl00$Main$rows', 'Page$2')],
    [
      'code within code',
      String.raw`setTimeout('__doPostBack(\'ctl00$Main$region\',\'\')', 0)`,
      BY('ctl00$Main$region'),
    ],
    [
      'with options',
      'javascript:WebForm_DoPostBackWithOptions(new WebForm_PostBackOptions("ctl00$Main$save", "", true, "", "", false, true))',
      BY('ctl00$Main$save'),
    ],
    [
      'Mojarra',
      "mojarra.jsfcljs(document.getElementById('list'),{'list:rows:3:open':'list:rows:3:open','id':'17'},'');return false",
      [
        ['list:rows:3:open', 'list:rows:3:open'],
        ['id', '17'],
      ],
    ],
    [
      'Mojarra behind other code',
      String.raw`jsf.util.chain(this,event,'return check()','mojarra.jsfcljs(document.getElementById(\'f\'),{\'f:go\':\'f:go\'},\'\')')`,
      [['f:go', 'f:go']],
    ],
    [
      'MyFaces',
      "return myfaces.oam.submitForm('f','f:open',null,[['id','17']]);",
      [
        ['f:_idcl', 'f:open'],
        ['id', '17'],
      ],
    ],
    [
      'PrimeFaces',
      'PrimeFaces.ab({s:"f:find",f:"f",u:"f:list",pa:[{name:"id",value:"3"}]});return false;',
      [
        ['f:find', 'f:find'],
        ['id', '3'],
      ],
    ],
    ['of its own id', "mojarra.ab(this,event,'action','@form','@all')", [['own', 'own']]],
    ['any other code', "show('rows')", null],
    ['nothing that it names', '__doPostBack(target, argument)', null],
  ])('%s', (_name, code, sets) => {
    expect(postbackIn(code, 'own')?.sets ?? null).toEqual(sets)
  })

  it('is read in time, however long', () => {
    const begun = performance.now()
    for (const part of [
      "jsfcljs(document.getElementById('f'),{'a':",
      "submitForm('f','g',null,[['a',",
      'PrimeFaces.ab({ ',
      '__doPostBack(',
    ])
      postbackIn(part.repeat(20_000), '')
    expect(performance.now() - begun).toBeLessThan(1_000)
  })

  it('is one thing for each record of a list', () => {
    const shapes = ['Page$2', 'Page$3', 'Sort$name', 'Delete$0', 'Delete$4'].map((argument) =>
      shapeOfPostback({
        sets: [
          ['__EVENTTARGET', 'ctl00$Main$rows'],
          ['__EVENTARGUMENT', argument],
        ],
      }),
    )
    expect(new Set(shapes).size).toBe(3)
    const rows = [2, 3].map((row) => shapeOfPostback({ sets: [['__EVENTTARGET', `ctl00$Main$rows$ctl0${row}$open`]] }))
    expect(new Set(rows).size).toBe(1)
  })
})

it('belongs to the form around it, to the one that it names, or to the one that keeps the state', () => {
  const { forms } = readHtml(
    `<a href="javascript:__doPostBack('outside','')">Out</a>
    <form id=find><input name=q></form>
    <form id=page method=post><input type=hidden name=__VIEWSTATE value=a><input type=submit name=go onclick="__doPostBack('go','')">
      <a href="javascript:__doPostBack('rows','Page$2')">2</a><a href="javascript:__doPostBack('rows','Page$3')">3</a>
      <select name=region onchange="__doPostBack('region','')"><option>North<option>South</select></form>
    <form id=other><a href="#" onclick="mojarra.jsfcljs(document.getElementById('find'),{'find:x':'find:x'},'')">Next</a></form>`,
    'http://shop.test/',
  )
  expect(forms.map(({ postbacks = [] }) => postbacks.map(({ label, sets }) => `${label}: ${sets[0]?.[1]}`))).toEqual([
    ['Next: find:x'],
    ['Out: outside', '2: rows', ': region'],
    [],
  ])
})

it('a field of a form that holds the whole page belongs to what is pressed beside it', () => {
  const { forms } = readHtml(
    `<form method=post><input type=hidden name=__VIEWSTATE value=a>
    <div><input name=quick><input type=submit name=find></div>
    <div><p><input name=city><select name=region onchange="__doPostBack('region','')"><option>North</select></p>
      <a href="javascript:__doPostBack('filter','')">Filter</a><table><tr><td><a href="javascript:__doPostBack('rows','Page$2')">2</a></table></div>
    <p><input name=alone></form>`,
    'http://shop.test/',
  )
  const shape = (target: string) =>
    pressedBy({
      name: '',
      sets: [
        ['__EVENTTARGET', target],
        ['__EVENTARGUMENT', ''],
      ],
    })
  expect(
    Object.fromEntries((forms[0]?.inputs ?? []).flatMap(({ name, near }) => (near ? [[name, near]] : []))),
  ).toEqual({
    quick: ['find'],
    city: [shape('filter')],
    region: [shape('region')],
  })
})
