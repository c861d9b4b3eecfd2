/** Parts of one page that take each other's place, dialogs that open once something was typed, and counters, in a real browser. */
import { afterEach, expect, it } from 'vitest'
import { sharedBrowser } from '../../../../engine/testing/shared-browser.ts'
import { closeCrawled, crawl } from '../testing/crawling.ts'

afterEach(closeCrawled)

const asked = async (page: string, code: string): Promise<readonly string[]> => {
  const { seen } = await crawl(
    {
      '/': `${page}<script>const $ = (id) => document.getElementById(id)
        const post = (name, body) => fetch('/kept' + '/' + name, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })
        ${code}</script>`,
      '/kept/any': { type: 'application/json', body: '{}' },
    },
    { launchBrowser: sharedBrowser },
    'test',
  )
  return [...new Set(seen.flatMap((line) => /^POST (\/kept\/\D+(?:-\d)?)$/.exec(line)?.[1] ?? []))]
}

it('what a part of a page holds is done before another part takes its place, and before all is said in another language', async () => {
  const parts = ['profile', 'addresses', 'cards', 'notes', 'devices', 'labels']
  const sent = await asked(
    '<header><input id=find placeholder=Search><button id=de>DE</button></header><main><div id=tabs></div><div id=part></div></main>',
    `const words = { en: { save: 'Save', more: 'Add' }, de: { save: 'Sichern', more: 'Hinzu' } }
     let [language, open] = ['en', 'profile']
     const draw = () => {
       $('tabs').innerHTML = ''
       for (const name of ${JSON.stringify(parts)}) {
         const tab = document.createElement('button')
         tab.textContent = language + ' ' + name
         tab.onclick = () => { open = name; part() }
         $('tabs').append(tab)
       }
       part()
     }
     const part = () => {
       const own = open
       $('part').innerHTML = '<input placeholder="' + own + ' one"><input placeholder="' + own + ' two"><button>' + words[language].save + ' ' + own + '</button><button>' + words[language].more + ' ' + own + '</button>'
       const [save, more] = $('part').querySelectorAll('button')
       save.onclick = () => post('save-' + own, { one: 1 })
       more.onclick = () => post('add-' + own, { two: 2 })
     }
     $('find').onkeyup = (event) => { if (event.key === 'Enter') { history.pushState({}, '', '/found?of=' + $('find').value); $('part').innerHTML = '' } }
     $('de').onclick = () => { language = language === 'en' ? 'de' : 'en'; draw() }
     draw()`,
  )
  expect(sent).toEqual(expect.arrayContaining(parts.flatMap((name) => [`/kept/add-${name}`, `/kept/save-${name}`])))
})

it('what is disabled until something was typed is pressed then', async () => {
  const sent = await asked(
    '<main><textarea id=text placeholder="Your text"></textarea><button id=send disabled>Send</button></main>',
    `$('text').oninput = () => { $('send').disabled = $('text').value.length < 10 }
     $('send').onclick = () => post('review', { text: $('text').value })`,
  )
  expect(sent).toContain('/kept/review')
})

it('a counter that goes up is pressed a few times on each kind of page, and what is beside it after that', async () => {
  const sent = await asked(
    '<main><div id=list></div><button id=open>Write</button><div id=dialog></div></main>',
    `let count = 1
     const draw = () => { $('list').innerHTML = '<button id=like>Helpful ' + count + '</button>'; $('like').onclick = async () => { await post('like-' + count, {}); count += 1; draw() } }
     $('open').onclick = () => { $('dialog').innerHTML = '<input placeholder=Title><button id=publish>Publish</button>'; $('publish').onclick = () => post('written', {}) }
     draw()`,
  )
  expect(sent).toContain('/kept/written')
  expect(sent.filter((path) => path.startsWith('/kept/like-')).length).toBeLessThanOrEqual(8)
})

it('a form with a password that a script draws and sends otherwise is not sent as it stands', async () => {
  const { facts, seen } = await crawl(
    {
      '/': `<main id=view></main><script>
        document.getElementById('view').innerHTML = '<form><input name=email><input type=password name=password><button>Sign in</button></form>'
        document.querySelector('form').onsubmit = (event) => { event.preventDefault(); fetch('/ses' + 'sion', { method: 'POST', body: '{"email":"a"}' }) }</script>`,
      '/session': { type: 'application/json', body: '{}' },
    },
    { launchBrowser: sharedBrowser },
    'test',
  )
  expect(facts.requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toContain('POST /session')
  expect(facts.requests.filter(({ method, url }) => method === 'GET' && url.includes('password='))).toEqual([])
  expect(seen.filter((line) => line.includes('password='))).toEqual([])
})

it('a page on which much can be done leaves time for the views that it leads to, and is gone on with after them', async () => {
  const buttons = Array.from(
    { length: 45 },
    (_, index) => `<button>Do ${'abcdefghi'.charAt(index % 9)}${'vwxyz'.charAt(index / 9)}</button>`,
  )
  const { seen } = await crawl(
    {
      '/': `<main id=view></main><script>
        document.getElementById('view').innerHTML = '<a href="' + atob('${btoa('/other')}') + '">Other</a>${buttons.join('')}'
        for (const one of document.querySelectorAll('button')) one.onclick = () => {
          document.body.append(Object.assign(document.createElement('h' + (1 + document.body.children.length % 6)), { textContent: 'Did ' + one.textContent.slice(3) }))
          fetch(atob('${btoa('/kept/')}') + one.textContent.slice(3))
        }</script>`,
      '/other': `<main>Other</main><script>fetch(atob('${btoa('/data/other')}'))</script>`,
      '/data/other': { type: 'application/json', body: '{}' },
    },
    { launchBrowser: sharedBrowser, timeFactor: 0.1 },
    'test',
  )
  const isDeed = (line: string): boolean => line.startsWith('GET /kept/')
  const opened = seen.indexOf('GET /data/other')
  expect(opened).toBeGreaterThan(seen.findIndex(isDeed))
  expect(seen.findLastIndex(isDeed)).toBeGreaterThan(opened)
}, 120_000)

it('what stands on all pages is tried on a few of them while they are opened, and hardly any is opened again for it', async () => {
  const names = 'plants tools books events staff jobs press imprint terms visit lend swap maps songs trees walks'.split(
    ' ',
  )
  const page = (name: string): string =>
    `<header><button>Menu</button><button>Colours</button><div id=menu></div></header><main><h1>${name}</h1><ul>${`<li>${name}`.repeat(name.length)}</ul></main><nav>${names.map((one) => `<a href=/${one}>${one}</a>`).join('')}</nav><script>
      const [menu, colours] = document.querySelectorAll('button')
      menu.onclick = () => { document.getElementById('menu').innerHTML = '<button>Close</button>' }
      colours.onclick = () => document.body.classList.toggle('dark')
      fetch('/data/${name}')</script>`
  const { seen, facts } = await crawl(
    { '/': page('home'), ...Object.fromEntries(names.map((name) => [`/${name}`, page(name)])) },
    { launchBrowser: sharedBrowser },
    'test',
  )
  const opened = seen.flatMap((line) => /^GET \/data\/(\w+)$/.exec(line)?.[1] ?? [])
  expect(new Set(opened)).toEqual(new Set(['home', ...names]))
  // By each page once, by the crawl itself, which reads what pages ask for, and by one that others were open beside.
  expect(opened.length).toBeLessThanOrEqual(2 * (1 + names.length) + 1)
  expect(facts.reach?.counts.filter(({ kind, fate }) => kind === 'browser_page' && fate === 'cut_off')).toEqual([])
}, 120_000)

it('what asks in a dialog first is answered by the policy: a text is given, a deletion is declined', async () => {
  const sent = await asked(
    '<main><button id=rename>Rename</button><button id=check>Check</button><button id=drop>Remove</button></main>',
    `$('rename').onclick = () => { const name = prompt('Which name?', ''); if (name) post('named', { name }) }
     $('check').onclick = () => { alert('Checking'); post('checked', {}) }
     $('drop').onclick = () => { if (confirm('Do you really want to delete your account?')) fetch(atob('${btoa('/kept/gone')}'), { method: 'POST' }) }`,
  )
  expect(sent).toEqual(expect.arrayContaining(['/kept/named', '/kept/checked']))
  expect(sent).not.toContain('/kept/gone')
})

it('what a page is built of, and fields of a view behind the #, are no addresses of the site', async () => {
  const { facts } = await crawl(
    {
      '/': `<main id=view></main><script>
        const draw = () => { document.getElementById('view').innerHTML = location.hash === '#/cards' ? '<input type=radio name=card checked>' : '<a href="#/cards">Cards</a>' }
        addEventListener('hashchange', draw)
        draw()
        const part = document.createElement('link')
        part.rel = 'modulepreload'
        part.href = '/parts.js'
        document.head.append(part)</script>`,
      '/parts.js': { type: 'text/javascript', body: 'export {}' },
    },
    { launchBrowser: sharedBrowser },
  )
  expect(facts.scripted?.map(({ url }) => url)).toEqual(['http://shop.test/', 'http://shop.test/#/cards'])
  expect(facts.urls.map(({ url }) => new URL(url).pathname)).not.toContain('/parts.js')
  expect(facts.requests.filter(({ url }) => new URL(url).searchParams.has('card'))).toEqual([])
})

it('views of one kind behind the # are all opened where each has a form that a script sends elsewhere', async () => {
  const words = ['finding', 'greeting', 'reading', 'sorting', 'naming', 'writing']
  const { seen } = await crawl(
    {
      '/': `<ul>${words.map((_, index) => `<li><a href="#lesson/${index + 1}">Part ${index + 1}</a>`).join('')}</ul><main id=view></main><script>
        const words = ${JSON.stringify(words)}
        const send = (form) => { fetch(form.dataset.to, { method: 'POST', body: new URLSearchParams(new FormData(form)) }); return false }
        const draw = () => {
          const id = (/^#lesson\\/(\\d+)$/.exec(location.hash) || [])[1]
          document.getElementById('view').innerHTML = id ? '<form data-to="/kept/' + words[id - 1] + '" onsubmit="return send(this)"><input name=text value=Ann><button>Go</button></form>' : ''
        }
        addEventListener('hashchange', draw)
        draw()</script>`,
      ...Object.fromEntries(words.map((word) => [`/kept/${word}`, { type: 'application/json', body: '{}' }])),
    },
    { launchBrowser: sharedBrowser },
    'test',
  )
  expect(new Set(seen.flatMap((line) => /^POST \/kept\/(\w+)$/.exec(line)?.[1] ?? []))).toEqual(new Set(words))
}, 120_000)
