import { describe, expect, it } from 'vitest'
import { readHtml } from '../../../page/html.ts'
import { lookOf, lookOfText } from '../../../page/look.ts'
import { createRoutes } from './routes.ts'

const ORIGIN = 'https://shop.test'
const LIST = '<table><tr><td>a</td></tr></table>'
const FORM = '<section><form action=/save method=post><input name=a><p><b>b</b></p></form></section>'
const TEXT = '<article><h2>Title</h2><p>words</p><ul><li>one</li></ul></article>'

const routesOf = (pages: Readonly<Record<string, string>>) => {
  const routes = createRoutes()
  for (const [path, body] of Object.entries(pages)) {
    const url = `${ORIGIN}${path}`
    routes.saw(url, lookOf(readHtml(body, url), body, url))
  }
  return (path: string) => routes.of(`${ORIGIN}${path}`).slice(ORIGIN.length)
}

describe('routes', () => {
  it('a parameter whose values build other pages belongs to the address', () => {
    const of = routesOf({ '/i.php?page=list': LIST, '/i.php?page=form': FORM, '/i.php?page=text': TEXT })
    expect(of('/i.php?page=list')).not.toBe(of('/i.php?page=form'))
    expect(of('/i.php?page=unseen&q=1')).toBe('/i.php?page=unseen&q')
  })

  it.each(['{"items":[]}', '{"total":0,"items":[]}', '[]'])(
    'but not of data whose list is empty with one: %s',
    (none) => {
      const routes = createRoutes()
      const rows = '[{"id":1,"name":"Fern","price":7,"stock":3},{"id":2,"name":"Ivy","price":9,"stock":4}]'
      for (const [path, text] of [
        ['?category=indoor', none.startsWith('[') ? rows : `{"items":${rows}}`],
        ['?category=1', none],
        ['?category=2', none],
        ['?category=herbs', none.startsWith('[') ? rows : `{"items":${rows}}`],
      ] as const)
        routes.saw(`${ORIGIN}/api/products${path}`, lookOfText(text))
      expect(routes.of(`${ORIGIN}/api/products?category=indoor&sort=name`)).toBe(`${ORIGIN}/api/products?category&sort`)
    },
  )

  it('unless people type it: what a search finds, and finds nothing of, is one program', () => {
    const pages = {
      '/?q=tea&tag=green': LIST,
      '/?q=tea&tag=black': TEXT,
      '/?q=mug&tag=green': FORM,
      '/?q=mug&tag=black': `${LIST}${FORM}`,
      '/i?page=tea': LIST,
      '/i?page=mug': FORM,
    }
    const routes = createRoutes()
    for (const [path, body] of Object.entries(pages)) {
      const url = `${ORIGIN}${path}`
      routes.saw(url, lookOf(readHtml(body, url), body, url))
    }
    const isOne = (a: string, b: string): boolean => routes.of(`${ORIGIN}${a}`) === routes.of(`${ORIGIN}${b}`)
    expect(isOne('/?q=tea&tag=green', '/?q=mug&tag=black')).toBe(false)
    routes.typed(`${ORIGIN}/?q=&tag=`, ['q', 'tag'])
    routes.typed(`${ORIGIN}/i?page=`, ['page'])
    expect(isOne('/?q=tea&tag=green', '/?q=mug&tag=black')).toBe(true)
    expect(isOne('/i?page=tea', '/i?page=mug')).toBe(false)
  })

  it('also where all that it leads to lies elsewhere, and its name says that it chooses', () => {
    const routes = createRoutes()
    const of = (query: string): string => routes.of(`${ORIGIN}/index${query}`)
    for (const view of ['library', 'museums'])
      for (const next of ['/about', '/']) {
        routes.led(`${ORIGIN}/index?view=${view}&next=${next}`)
        routes.led(`${ORIGIN}/leave?id=${view}&next=${next}`)
      }
    expect(of('?view=library&next=/about')).toBe(of('?view=library&next=/'))
    expect(of('?view=library&next=/about')).not.toBe(of('?view=museums&next=/about'))
    expect(routes.of(`${ORIGIN}/leave?id=library&next=/`)).toBe(routes.of(`${ORIGIN}/leave?id=museums&next=/about`))
  })

  it('nor is it what only one of the pages is narrowed by, whatever it is called', () => {
    const of = routesOf({
      ...{ '/i.php?page=news': LIST, '/i.php?page=item&id=1': TEXT, '/i.php?page=item&id=2': TEXT },
      ...{ '/i.php?page=bill&id=1': FORM, '/i.php?page=results&club=kiel&race=a': LIST },
      ...{ '/i.php?page=results&club=husum&race=b': TEXT },
    })
    expect(of('/i.php?page=item&id=7')).toBe('/i.php?id&page=item')
    expect(of('/i.php?page=bill&id=7')).toBe('/i.php?id&page=bill')
    expect(of('/i.php?page=results&club=kiel&race=a')).toBe(of('/i.php?page=results&club=husum&race=b'))
  })

  it('of one program, and not of others whose names differ in a number', () => {
    const of = routesOf({
      ...{ '/task_1.php': FORM, '/task_1.php?action=search&q=a': LIST },
      ...{ '/task_2.php': TEXT, '/task_2.php?action=add&entry=a': FORM },
    })
    expect(of('/task_1.php?action=search&q=a')).toBe('/task_1.php?action&q')
    expect(of('/task_2.php?action=add&entry=b')).toBe('/task_2.php?action&entry')
  })

  it('nor where a short value is part of the words of a title', () => {
    const titled = '<h1>Many parameters</h1><p>b</p>'
    const of = routesOf({ '/m?q=a&r=b': titled, '/m?q=test&r=b': titled })
    expect(of('/m?q=a&r=b')).toBe('/m?q&r')
  })

  it('but for the value that names what answers without it', () => {
    const of = routesOf({
      ...{ '/i.php': LIST, '/i.php?page=list': LIST, '/i.php?page=form': FORM, '/i.php?page=text': TEXT },
      // Built alike, and another page.
      '/i.php?page=rows': LIST.replace('>a<', '>quite other words<'),
    })
    expect(of('/i.php?page=list')).toBe('/i.php?page')
    expect(of('/i.php?page=form')).toBe('/i.php?page=form')
    expect(of('/i.php?page=rows')).toBe('/i.php?page=rows')
  })

  it('also where it is a number, and beside one that is a value', () => {
    const of = routesOf({
      ...{ '/i?p=1&id=1': LIST, '/i?p=1&id=2': LIST, '/i?p=2&id=1': FORM, '/i?p=2&id=2': FORM, '/i?p=3&id=1': TEXT },
    })
    expect(of('/i?p=1&id=2')).toBe('/i?id&p=1')
    expect(of('/i?p=2&id=7')).toBe('/i?id&p=2')
  })

  it('nor where another value chooses already, and its pages are the same with each', () => {
    const titled = (title: string, body: string): string => `<title>${title} [wiki]</title>${body}`
    const pages = { start: 'Welcome', plan: 'What comes next', rules: 'How we write', people: 'Who we are' }
    const of = routesOf(
      Object.fromEntries(
        Object.entries(pages).flatMap(([id, title]) => [
          [`/w?do=show&id=${id}`, titled(title, TEXT)],
          [`/w?do=edit&id=${id}`, titled(title, FORM)],
          [`/w?do=edit&id=${id}&rev=1`, titled(title, FORM)],
          [`/w?do=search&id=${id}&q=a`, titled('Search', LIST)],
        ]),
      ),
    )
    expect(of('/w?do=edit&id=plan')).not.toBe(of('/w?do=edit&id=rules'))
    expect(of('/w?do=search&id=plan&q=b')).toBe(of('/w?do=search&id=rules&q=c'))
    expect(of('/w?do=search&id=plan&q=b')).not.toBe(of('/w?do=show&id=plan&q=b'))
  })

  it('records are one route, though one is missing', () => {
    const records = Object.fromEntries(Array.from({ length: 9 }, (_, id) => [`/item?id=${id}`, TEXT]))
    const of = routesOf({ ...records, '/item?id=99': LIST, '/item/1': TEXT, '/item/2': LIST })
    expect(of('/item?id=3')).toBe('/item?id')
    expect(of('/item/1')).toBe(of('/item/2'))
  })

  it('lists of records are one address, though each row has fields of its own', () => {
    const rows = (record: number, name: (row: number) => string): string =>
      `<form action=/list method=post><table>${[1, 2, 3].map((row) => `<tr><td><input type=checkbox name=${name(record * 10 + row)}></td></tr>`).join('')}</table></form>`
    for (const name of [
      (row: number) => `chosen[${row}]`,
      (row: number) => `amount_${row}`,
      (row: number) => `r-${row}.on`,
    ]) {
      const of = routesOf(
        Object.fromEntries([2294, 2721, 4049, 3009].map((record) => [`/list?of=${record}&c=a`, rows(record, name)])),
      )
      expect(of('/list?of=2721&c=a')).toBe('/list?c&of')
    }
  })

  it('what takes a list is one address, however many of it and which a link names', () => {
    const of = routesOf({ '/load?v=1&files[0]=a.js': TEXT, '/load?v=1&files[3]=b.js&files[7]=c.js': TEXT })
    expect(of('/load?v=1&files[3]=b.js&files[7]=c.js')).toBe('/load?files[]&v')
    expect(of('/load?v=1&files[0]=a.js')).toBe('/load?files[]&v')
  })

  it('what a list is narrowed by is no address, though its title names it', () => {
    const of = routesOf(
      Object.fromEntries(['red', 'blue', 'green'].map((one) => [`/l?color=${one}&s=1`, `<h1>${one}</h1>${LIST}`])),
    )
    expect(of('/l?color=red&s=1')).toBe('/l?color&s')
  })

  it('by each value of what chooses the program a page takes other parameters, however alike it looks', () => {
    const of = routesOf({
      ...{ '/i?v=tents&q=a': LIST, '/i?v=mats&id=1': LIST, '/i?v=lamps&name=b': LIST, '/i?v=lamps&name=c': LIST },
    })
    expect(of('/i?v=mats&id=2')).toBe('/i?id&v=mats')
    expect(of('/i?v=tents&q=z')).toBe('/i?q&v=tents')
  })

  it('titles that come with every value are those of another parameter', () => {
    const titled = (title: string): string => `<title>${title}</title>${LIST}`
    const of = routesOf({
      ...{ '/i?who=lists&q=tent': titled('My lists'), '/i?who=lists&q=stove': titled('My lists') },
      ...{ '/i?who=desks&q=tent': titled('All desks'), '/i?who=desks&q=stove': titled('All desks') },
    })
    expect(of('/i?who=lists&q=tent')).toBe('/i?q&who=lists')
  })

  it('a name that programs choose by is believed where pages say nothing', () => {
    const of = routesOf({
      '/i?view=red&q=1': LIST,
      '/i?view=blue&q=1': LIST,
      '/i?view=green': LIST,
      '/j?hue=red&q=1': LIST,
      '/j?hue=blue&q=1': LIST,
    })
    expect(of('/i?view=red&q=2')).toBe('/i?q&view=red')
    expect(of('/j?hue=red&q=2')).toBe('/j?hue&q')
  })

  it('pages that take values are told apart by numbers in their names', () => {
    const of = routesOf({ '/part_1.php?q=1': LIST, '/part_2.php?q=1': LIST, '/case-1/a?id=1': LIST })
    expect(of('/part_1.php?q=1')).not.toBe(of('/part_2.php?q=1'))
    expect(of('/case-1/a?id=1')).not.toBe(of('/case-2/a?id=1'))
  })

  it('articles with a number at the end are one route, and so are hundreds of pages that are alike', () => {
    const articles = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`/tent-${index}.html`, TEXT]))
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`/page-${index}?a=1`, LIST]))
    const of = routesOf({ ...articles, ...many })
    expect(of('/tent-1.html')).toBe('/tent-{n}.html')
    expect(of('/page-7?a=1')).toBe('/page-{n}?a')
  })
})
